import type { AppointmentStatus, BookingType, TimeSlot } from '@flashsheet/contracts/appointments/limits'

/** A demo booking, `days` from today, made by a client at the site or by the artist. */
export type SeedBooking = {
  days: number
  timeSlot: TimeSlot
  bookingType: BookingType
  status: AppointmentStatus
  by: 'client' | 'artist'
  contact: { name: string; email?: string; phone?: string }
  notes: string
}

/** A studio's typical fortnight: completed, confirmed, pending, cancelled. */
export const seedBookings: readonly SeedBooking[] = [
  {
    days: -6,
    timeSlot: '11:00am-12:00pm',
    bookingType: '1/2 Day Booking',
    status: 'completed',
    by: 'artist',
    contact: { name: 'Ida Bright', email: 'ida@clients.example' },
    notes: 'Swallow, left forearm. Healed well, touch-up in spring.',
  },
  {
    days: -2,
    timeSlot: '2:00pm-3:00pm',
    bookingType: '1 Hour Booking',
    status: 'completed',
    by: 'artist',
    contact: { name: 'Tom Reyes', phone: '+1 718 555 0181' },
    notes: 'Small dagger, ankle.',
  },
  {
    days: -1,
    timeSlot: '4:00pm-5:00pm',
    bookingType: '1 Hour Booking',
    status: 'cancelled',
    by: 'artist',
    contact: { name: 'Lena Ostrow', email: 'lena@clients.example' },
    notes: 'Has a cold, will ask again.',
  },
  {
    days: 1,
    timeSlot: '10:00am-11:00am',
    bookingType: 'Full Day Booking',
    status: 'confirmed',
    by: 'artist',
    contact: { name: 'Marcus Vail', email: 'marcus@clients.example', phone: '+1 718 555 0119' },
    notes: 'Second session of the sleeve: shading.',
  },
  {
    days: 3,
    timeSlot: '1:00pm-2:00pm',
    bookingType: '1 Hour Booking',
    status: 'pending',
    by: 'client',
    contact: { name: 'Aiko Tan', email: 'aiko@clients.example' },
    notes: 'The moth from your flash sheet, palm size, upper arm.',
  },
  {
    days: 4,
    timeSlot: '12:00pm-1:00pm',
    bookingType: '1/2 Day Booking',
    status: 'confirmed',
    by: 'artist',
    contact: { name: 'Priya Nair', email: 'priya@clients.example' },
    notes: 'Peony, shoulder. Bring the drawing.',
  },
  {
    days: 6,
    timeSlot: '3:00pm-4:00pm',
    bookingType: '1 Hour Booking',
    status: 'pending',
    by: 'client',
    contact: { name: 'Jo Weller', phone: '+1 718 555 0147' },
    notes: 'Lettering, two words, wrist.',
  },
  {
    days: 9,
    timeSlot: '9:00am-10:00am',
    bookingType: 'Full Day Booking',
    status: 'confirmed',
    by: 'artist',
    contact: { name: 'Sandro Pell', phone: '+1 718 555 0163' },
    notes: 'Back piece, outline.',
  },
]
