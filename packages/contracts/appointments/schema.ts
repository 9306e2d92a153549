import { z } from 'zod'
import {
  appointmentLimits,
  appointmentStatuses,
  bookingTypes,
  openingMinute,
  closingMinute,
  timeSlots,
} from './limits.ts'
import { appointmentMessages } from './messages.ts'
import { authMessages } from '../auth/messages.ts'
import { IdParam, pageInput, requestId } from '../input.ts'
import { instantInput } from '../instant.ts'
import { atMost, oneLine, requiredText } from '../max-length.ts'
import { containsAddress } from '../web-address.ts'

/** The range of years that calendars, mail programs and the database all accept. */
const firstYear = 1970
const lastYear = 2199
const hasYear = (text: string) => Number(text.slice(0, 4)) >= firstYear && Number(text.slice(0, 4)) <= lastYear

/** A day in the studio's zone: `YYYY-MM-DD`, or the day of a date-time in that zone. */
const DayInput = z
  .union([z.iso.date(), z.iso.datetime({ offset: true, local: true }), instantInput()], {
    error: appointmentMessages.dateRequired,
  })
  .refine(hasYear, appointmentMessages.dateRequired)

const DomainNameInput = requiredText(appointmentMessages.domainNameRequired, 253, appointmentMessages.siteUnknown)
const BookingTypeInput = z.enum(bookingTypes, { error: appointmentMessages.bookingType })
const TimeSlotInput = z.enum(timeSlots, { error: appointmentMessages.timeSlotRequired })
const NotesInput = z.string().trim().check(atMost(appointmentLimits.notes, appointmentMessages.notesTooLong))

/** A client's contact: an email address, a phone number, or both. The name is optional. */
export const ContactInput = z
  .object({
    name: z
      .string()
      .check(oneLine)
      .trim()
      .max(appointmentLimits.name, appointmentMessages.nameTooLong)
      .refine((name) => !containsAddress(name), authMessages.nameContainsAddress)
      .default(''),
    email: z
      .string()
      .trim()
      .max(254, appointmentMessages.email)
      .refine((text) => text === '' || z.email().safeParse(text).success, appointmentMessages.email)
      .default(''),
    phone: z
      .string()
      .trim()
      .max(appointmentLimits.phone, appointmentMessages.phone)
      .refine((text) => text === '' || /\d(?:.*\d){2}/.test(text), appointmentMessages.phone)
      .default(''),
  })
  .refine((contact) => contact.email !== '' || contact.phone !== '', {
    error: appointmentMessages.contactRequired,
    path: ['email'],
  })
export type ContactInput = z.infer<typeof ContactInput>

export const CreateAppointmentInput = z.object({
  domainName: DomainNameInput,
  bookingType: BookingTypeInput.default(bookingTypes[0]),
  timeSlot: TimeSlotInput,
  date: DayInput,
  contact: ContactInput.prefault({}),
  notes: NotesInput.default(''),
  requestId,
})
export type CreateAppointmentInput = z.infer<typeof CreateAppointmentInput>

/** Every field is optional; `date` changes the day, `timeSlot` the hour (`PUT /api/appointments/{id}`). */
export const UpdateAppointmentInput = IdParam.extend({
  date: DayInput.optional(),
  timeSlot: TimeSlotInput.optional(),
  status: z.enum(appointmentStatuses, { error: appointmentMessages.status }).optional(),
  notes: NotesInput.optional(),
})
export type UpdateAppointmentInput = z.infer<typeof UpdateAppointmentInput>

/** By the start of the appointment: `from` inclusive, `to` exclusive; both optional. */
export const ListAppointmentsInput = z.object({
  from: instantInput().optional(),
  to: instantInput().optional(),
  ...pageInput(appointmentLimits.listMax),
})
export type ListAppointmentsInput = z.infer<typeof ListAppointmentsInput>

export const BookedInput = z.object({ domainName: DomainNameInput, date: DayInput })
export type BookedInput = z.infer<typeof BookedInput>

/** An appointment in answers; `date` is the instant at which it begins, `timeSlot` its label in the studio's zone. */
export const Appointment = z.object({
  _id: z.uuid(),
  domainName: z.string(),
  bookingType: z.enum(bookingTypes),
  timeSlot: z.enum(timeSlots),
  date: z.string(),
  endsAt: z.string(),
  status: z.enum(appointmentStatuses),
  notes: z.string(),
  contact: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  /** The deadline for answering a client's request; null otherwise. */
  answerBy: z.string().nullable(),
  createdAt: z.string(),
})
export type Appointment = z.infer<typeof Appointment>

/** A free time, in `next` of a refusal. */
export const FreeTime = z.object({ date: z.string(), timeSlot: z.enum(timeSlots) })
export type FreeTime = z.infer<typeof FreeTime>

const whole = (min: number, max: number) => z.number().int().min(min).max(max)

/** Minutes since midnight of the studio's clock, in half hours. */
const Minutes = whole(0, 1440).multipleOf(30)
const Break = z
  .object({ from: Minutes, to: Minutes })
  .refine((one) => one.from < one.to, { error: appointmentMessages.hoursOrder, path: ['to'] })

export const DayHours = z
  .object({
    from: Minutes.min(openingMinute).max(closingMinute),
    to: Minutes.min(openingMinute).max(closingMinute),
    breaks: z.array(Break).max(6).default([]),
  })
  .refine((day) => day.from < day.to, { error: appointmentMessages.hoursOrder, path: ['to'] })
  .refine((day) => day.breaks.every((one) => one.from >= day.from && one.to <= day.to), {
    error: appointmentMessages.breakInside,
    path: ['breaks'],
  })
export type DayHours = z.infer<typeof DayHours>

/** Days without bookings; with `from` and `to` only those hours of each day. */
export const BlockInput = z
  .object({
    firstDay: z.iso.date().refine(hasYear),
    lastDay: z.iso.date().refine(hasYear),
    from: Minutes.default(0),
    to: Minutes.default(1440),
    reason: z.string().trim().max(120).default(''),
  })
  .refine((block) => block.firstDay <= block.lastDay, { error: appointmentMessages.blockOrder, path: ['lastDay'] })
  .refine((block) => block.from < block.to, { error: appointmentMessages.hoursOrder, path: ['to'] })
export type BlockInput = z.infer<typeof BlockInput>

const Length = whole(30, 720).multipleOf(30)

/** When an artist can be booked, in the studio's zone. */
export const Availability = z.object({
  /** Whether clients can book at all. */
  takesBookings: z.boolean().default(true),
  /** Sunday first; null: closed. */
  weekly: z.array(DayHours.nullable()).length(7),
  blocks: z.array(BlockInput).max(appointmentLimits.blocks),
  /** Hours a client must book ahead. */
  noticeHours: whole(0, 24 * 90),
  /** Days a client may book ahead; null: unlimited. */
  horizonDays: whole(1, 3650).nullable(),
  /** Minutes kept free after each appointment. */
  bufferMinutes: whole(0, 240).multipleOf(15),
  /** Minutes of each booking type. */
  lengths: z.object({ '1 Hour Booking': Length, '1/2 Day Booking': Length, 'Full Day Booking': Length }),
  /** Hours before an appointment until which its client may move it; null: clients cannot. */
  moveNoticeHours: whole(0, 24 * 30).nullable(),
})
export type Availability = z.infer<typeof Availability>

/** `previous` are the hours that were read: hours that have changed since are not overwritten. */
export const SaveAvailabilityInput = Availability.extend({ previous: Availability.optional() })
export type SaveAvailabilityInput = z.infer<typeof SaveAvailabilityInput>

/** The artist's own hours, with their zone, and whether they were ever saved. */
export const OwnHours = Availability.extend({ timeZone: z.string(), isSet: z.boolean() })
export type OwnHours = z.infer<typeof OwnHours>
