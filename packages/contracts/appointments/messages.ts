import { type AppointmentStatus, appointmentLimits } from './limits.ts'

export const statusNames: Record<AppointmentStatus, string> = {
  completed: 'Completed',
  confirmed: 'Confirmed',
  pending: 'Pending',
  cancelled: 'Cancelled',
}

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
  bookingsClosed: 'Bookings are closed right now, so nothing was sent. Please contact the studio.',
  tooManyOpen: 'You already have two requests waiting for an answer. Please wait until they are answered.',
  alreadyRequested:
    'Your request for this time has arrived, without your last changes. Please tell the studio about them.',
  requestReused: 'This request was already used for another booking.',
  alreadyCreated: 'This appointment was already created, without your last changes. Close this to see it.',
  siteUnknown: 'There is no site with this name that takes bookings.',
  over: 'This appointment is over.',
  cancelled: 'This appointment was cancelled.',
  movesClosed: 'It is too late to move this appointment online. Please contact the studio.',
  created: 'Appointment created successfully!',
  updated: 'Appointment updated successfully!',
  deleted: 'Appointment Deleted successfully!',
  createFailed: 'Failed to create appointment',
  updateFailed: 'Failed to update appointment',
  deleteFailed: 'Failed to delete appointment',
  hoursSaved: 'Saved successfully.',
  hoursFailed: 'Your booking hours could not be saved.',
  hoursStale: 'Your booking hours were changed somewhere else in the meantime. Please look at them again.',
  hoursChangedElsewhere:
    'Your booking hours were changed somewhere else in the meantime. If you save, yours replace the new ones.',
  showOtherHours: 'Show those hours',
  hoursOrder: 'Closing time must be after opening time.',
  breakInside: 'A break must lie within the working hours.',
  blockOrder: 'The last day must not be before the first.',
} as const
