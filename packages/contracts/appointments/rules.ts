import { type TimeSlot, firstSlotHour, timeSlots } from './limits.ts'

/** `9:00am`, `12:00pm`, `1:30pm` of minutes since midnight. */
export function formatClock(minutes: number): string {
  const hour = Math.floor(minutes / 60) % 24
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minutes % 60).padStart(2, '0')}${hour < 12 ? 'am' : 'pm'}`
}

/** Minutes since midnight at which a slot begins. */
export const slotMinutes = (slot: TimeSlot): number => (firstSlotHour + timeSlots.indexOf(slot)) * 60

/** The slot that contains a time of day, or the nearest one. */
export function slotAround(minutes: number): TimeSlot {
  const index = Math.floor(minutes / 60) - firstSlotHour
  return timeSlots[Math.min(timeSlots.length - 1, Math.max(0, index))] ?? timeSlots[0]
}
