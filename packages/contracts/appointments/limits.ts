import type { Availability } from './schema.ts'

/** What a client can book; the first is the default. */
export const bookingTypes = ['1 Hour Booking', '1/2 Day Booking', 'Full Day Booking'] as const
export type BookingType = (typeof bookingTypes)[number]

/** The hours at which an appointment can begin: 9am to 8pm. */
export const firstSlotHour = 9
const lastSlotHour = 20
/** The latest end of an appointment (9 pm). */
export const closingHour = lastSlotHour + 1

/** Written out, so that TypeScript knows each of them. */
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

/** In the order of the legend. */
export const appointmentStatuses = ['completed', 'confirmed', 'pending', 'cancelled'] as const
export type AppointmentStatus = (typeof appointmentStatuses)[number]

/** The changes of a booking that a client is notified of. */
export type ClientNotification = 'requested' | 'confirmed' | 'moved' | 'cancelled' | 'declined' | 'expired' | 'reminder'

export const appointmentLimits = {
  notes: 2000,
  name: 120,
  phone: 40,
  /** Appointments in one answer. */
  listMax: 5000,
  /** Unanswered requests of one contact. */
  openPerContact: 2,
  /** Free times that a refusal suggests. */
  nextFree: 3,
  /** Hours after which an unanswered request is cancelled. */
  unansweredHours: 72,
  /** Days before the appointment when its reminder is sent. */
  reminderDays: 2,
  blocks: 200,
} as const

export const openingMinute = firstSlotHour * 60
export const closingMinute = closingHour * 60

/** The hours of an artist who has not set any: all twelve slots, every day. */
export const defaultAvailability: Availability = {
  takesBookings: true,
  weekly: Array.from({ length: 7 }, () => ({ from: openingMinute, to: closingMinute, breaks: [] })),
  blocks: [],
  noticeHours: 0,
  horizonDays: null,
  bufferMinutes: 0,
  lengths: { '1 Hour Booking': 60, '1/2 Day Booking': 240, 'Full Day Booking': 480 },
  moveNoticeHours: 48,
}

const studioDay = { from: 11 * 60, to: 19 * 60, breaks: [] }

/** Suggested when a site is first published: Tuesday to Saturday, eleven to seven, a day in advance. */
export const suggestedAvailability: Availability = {
  ...defaultAvailability,
  weekly: [null, null, studioDay, studioDay, studioDay, studioDay, studioDay],
  noticeHours: 24,
}
