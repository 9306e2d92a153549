import { z } from 'zod'
import { atMost } from './max-length.ts'
import { instantInput } from './instant.ts'
import { authMessages } from './plain/auth.ts'
import { holdsAddress } from './web-address.ts'

/** What a client can book; the first is the default. */
export const bookingTypes = ['1 Hour Booking', '1/2 Day Booking', 'Full Day Booking'] as const
export type BookingType = (typeof bookingTypes)[number]

/** The hours at which an appointment can begin: 9am to 8pm. */
export const firstSlotHour = 9
export const lastSlotHour = 20
/** Nothing goes on longer than this (cut at 9 pm). */
export const closingHour = lastSlotHour + 1

/** `9:00am`, `12:00pm`, `1:30pm` of minutes since midnight. */
export function clockWords(minutes: number): string {
  const hour = Math.floor(minutes / 60) % 24
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minutes % 60).padStart(2, '0')}${hour < 12 ? 'am' : 'pm'}`
}

/** '9:00am-10:00am' … '8:00pm-9:00pm', written out so that the type knows each. */
export const timeSlots = [
  '9:00am-10:00am',
  '10:00am-11:00am',
  '11:00am-12:00pm',
  '12:00pm-1:00pm',
  '1:00pm-2:00pm',
  '2:00pm-3:00pm',
  '3:00pm-4:00pm',
  '4:00pm-5:00pm',
  '5:00pm-6:00pm',
  '6:00pm-7:00pm',
  '7:00pm-8:00pm',
  '8:00pm-9:00pm',
] as const
export type TimeSlot = (typeof timeSlots)[number]

/** Minutes since midnight at which a slot begins. */
export const slotMinutes = (slot: TimeSlot): number => (firstSlotHour + timeSlots.indexOf(slot)) * 60

/** In the order of the legend. */
export const appointmentStatuses = ['completed', 'confirmed', 'pending', 'cancelled'] as const
export type AppointmentStatus = (typeof appointmentStatuses)[number]
export const statusNames: Record<AppointmentStatus, string> = {
  completed: 'Completed',
  confirmed: 'Confirmed',
  pending: 'Pending',
  cancelled: 'Cancelled',
}

/** What a client is told about a booking. */
export const clientNews = ['requested', 'confirmed', 'moved', 'cancelled', 'declined', 'expired', 'reminder'] as const
export type ClientNews = (typeof clientNews)[number]

export const appointmentLimits = {
  notes: 2000,
  name: 120,
  phone: 40,
  /** Appointments in one answer. */
  listMax: 5000,
  /** Requests of one contact that wait for an answer. */
  openPerContact: 2,
  /** Free times that come with a refusal. */
  nextFree: 3,
  /** Hours after which an unanswered request is cancelled. */
  unansweredHours: 72,
  /** Hours before the appointment that its reminder leaves. */
  reminderHours: 48,
  blocks: 200,
} as const

export const appointmentMessages = {
  domainNameRequired: 'Domain name is required',
  timeSlotRequired: 'Time slot is required',
  dateRequired: 'Date is required',
  contactRequired: 'Either email or phone is required',
  bookingType: 'Please choose one of the booking types.',
  status: 'Please choose one of the statuses.',
  email: 'Please enter a valid email address.',
  phone: 'Please enter a phone number, such as +1 718 555 0142.',
  nameTooLong: `Please keep the name to ${appointmentLimits.name} characters.`,
  notesTooLong: `Please keep the notes to ${appointmentLimits.notes} characters.`,
  noSuchTime: 'There is no such hour on that day.',
  taken: 'That time has just been taken.',
  notOffered: 'That time is not available.',
  tooManyOpen: 'You already have two requests waiting for an answer. Please wait until they are answered.',
  requestReused: 'This request was already used for another booking.',
  siteUnknown: 'There is no bookable site of this name.',
  over: 'This appointment is over.',
  cancelled: 'This appointment was cancelled.',
  movesClosed: 'It is too late to move this appointment here. Please contact the studio.',
  answered: 'This request has already been answered.',
  created: 'Appointment created successfully!',
  updated: 'Appointment updated successfully!',
  deleted: 'Appointment Deleted successfully!',
  createFailed: 'Failed to create appointment',
  updateFailed: 'Failed to update appointment',
  deleteFailed: 'Failed to delete appointment',
  hoursSaved: 'Saved successfully.',
  hoursFailed: 'Your booking hours could not be saved.',
  hoursOrder: 'Closing time must be after opening time.',
  breakInside: 'A break must lie within the working hours.',
  blockOrder: 'The last day must not be before the first.',
} as const

/** Years a date may lie in: what no calendar, mail or database stumbles over. */
const firstYear = 1970
const lastYear = 2199
const hasYear = (text: string) => Number(text.slice(0, 4)) >= firstYear && Number(text.slice(0, 4)) <= lastYear

/** A day: `YYYY-MM-DD` is the studio's, a date-time is read in the studio's zone. */
export const DayInput = z
  .union([z.iso.date(), z.iso.datetime({ offset: true, local: true }), instantInput()], {
    error: appointmentMessages.dateRequired,
  })
  .refine(hasYear, appointmentMessages.dateRequired)

const DomainNameInput = z
  .string({ error: appointmentMessages.domainNameRequired })
  .trim()
  .min(1, appointmentMessages.domainNameRequired)
  .max(253, appointmentMessages.siteUnknown)
const BookingTypeInput = z.enum(bookingTypes, { error: appointmentMessages.bookingType })
const TimeSlotInput = z.enum(timeSlots, { error: appointmentMessages.timeSlotRequired })
const NotesInput = z.string().trim().check(atMost(appointmentLimits.notes, appointmentMessages.notesTooLong))

/** How a client can be reached: by mail or phone, or both. The name is an extra. */
export const ContactInput = z
  .object({
    name: z
      .string()
      .trim()
      .max(appointmentLimits.name, appointmentMessages.nameTooLong)
      .refine((name) => !holdsAddress(name), authMessages.nameHoldsAddress)
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
  /** One booking per id, however often it is sent; REST callers send it as `Idempotency-Key`. */
  requestId: z.string().min(1).max(200).optional(),
})
export type CreateAppointmentInput = z.infer<typeof CreateAppointmentInput>

/** Every field is optional; `date` changes the day, `timeSlot` the hour (`PUT /api/appointments`). */
export const UpdateAppointmentInput = z.object({
  id: z.uuid(),
  date: DayInput.optional(),
  timeSlot: TimeSlotInput.optional(),
  status: z.enum(appointmentStatuses, { error: appointmentMessages.status }).optional(),
  notes: NotesInput.optional(),
})
export type UpdateAppointmentInput = z.infer<typeof UpdateAppointmentInput>

export const AppointmentParam = z.object({ id: z.uuid() })
export type AppointmentParam = z.infer<typeof AppointmentParam>

/** By the start of the appointment: `from` inclusive, `to` exclusive; a missing end is open. */
export const ListAppointmentsInput = z.object({ from: instantInput().optional(), to: instantInput().optional() })
export type ListAppointmentsInput = z.infer<typeof ListAppointmentsInput>

export const BookedInput = z.object({ domainName: DomainNameInput, date: DayInput })
export type BookedInput = z.infer<typeof BookedInput>

/** An appointment as the outside sees one; `date` is the instant it begins, `timeSlot` its label. */
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
  /** A client asked and waits for an answer until then; null otherwise. */
  answerBy: z.string().nullable(),
  createdAt: z.string(),
})
export type Appointment = z.infer<typeof Appointment>

/** A time that is free, in a refusal's `next`. */
export const FreeTime = z.object({ date: z.string(), timeSlot: z.enum(timeSlots) })
export type FreeTime = z.infer<typeof FreeTime>

const earliest = firstSlotHour * 60
const latest = closingHour * 60
/** Minutes since midnight of the studio's clock, in half hours. */
const Minutes = z.number().int().min(0).max(1440).multipleOf(30)
const Break = z
  .object({ from: Minutes, to: Minutes })
  .refine((one) => one.from < one.to, { error: appointmentMessages.hoursOrder, path: ['to'] })

export const DayHours = z
  .object({
    from: Minutes.min(earliest).max(latest),
    to: Minutes.min(earliest).max(latest),
    breaks: z.array(Break).max(6).default([]),
  })
  .refine((day) => day.from < day.to, { error: appointmentMessages.hoursOrder, path: ['to'] })
  .refine((day) => day.breaks.every((one) => one.from >= day.from && one.to <= day.to), {
    error: appointmentMessages.breakInside,
    path: ['breaks'],
  })
export type DayHours = z.infer<typeof DayHours>

/** Days on which nothing is offered; with `from` and `to` only those hours of each of them. */
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

const Length = z.number().int().min(30).max(720).multipleOf(30)

/** When an artist can be booked, in the studio's zone. */
export const Availability = z.object({
  /** Sunday first; null: closed. */
  weekly: z.array(DayHours.nullable()).length(7),
  blocks: z.array(BlockInput).max(appointmentLimits.blocks),
  /** Hours a client must book ahead. */
  noticeHours: z
    .number()
    .int()
    .min(0)
    .max(24 * 90),
  /** Days a client may book ahead; null: without end. */
  horizonDays: z.number().int().min(1).max(3650).nullable(),
  /** Minutes kept free after each appointment. */
  bufferMinutes: z.number().int().min(0).max(240).multipleOf(15),
  /** Minutes of each booking type. */
  lengths: z.object({ '1 Hour Booking': Length, '1/2 Day Booking': Length, 'Full Day Booking': Length }),
  /** Hours before an appointment until which its client may move it; null: clients cannot. */
  moveNoticeHours: z
    .number()
    .int()
    .min(0)
    .max(24 * 30)
    .nullable(),
})
export type Availability = z.infer<typeof Availability>

/** What a new artist offers: all twelve slots, every day. */
export const defaultAvailability: Availability = {
  weekly: Array.from({ length: 7 }, () => ({ from: earliest, to: latest, breaks: [] })),
  blocks: [],
  noticeHours: 0,
  horizonDays: null,
  bufferMinutes: 0,
  lengths: { '1 Hour Booking': 60, '1/2 Day Booking': 240, 'Full Day Booking': 480 },
  moveNoticeHours: 48,
}
