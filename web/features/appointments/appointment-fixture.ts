import type { Appointment } from '@flashsheet/contracts/appointments/schema'

/** A confirmed appointment, for tests. */
export const bookedAppointment = (patch: Partial<Appointment> = {}): Appointment => ({
  _id: '019a0000-0000-7000-8000-000000000020',
  domainName: 'ada',
  bookingType: '1/2 Day Booking',
  timeSlot: '10:00am-11:00am',
  date: '2039-11-15T15:00:00.000Z',
  endsAt: '2039-11-15T19:00:00.000Z',
  status: 'confirmed',
  notes: '',
  contact: { name: 'Tom Reyes', email: 'tom@home.example', phone: '' },
  answerBy: null,
  createdAt: '2039-11-01T12:00:00.000Z',
  ...patch,
})
