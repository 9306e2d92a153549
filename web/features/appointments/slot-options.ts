import { slotMinutes } from '@flashsheet/contracts/appointments/rules'
import { type TimeSlot, timeSlots } from '@flashsheet/contracts/appointments/limits'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import type { Option } from '../../ui/option-item.tsx'
import { dayIn } from './appointment-entries.ts'

const clock = (at: string, timeZone: string): number => {
  const [hour = 0, minute = 0] = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
    .format(new Date(at))
    .split(':')
    .map(Number)
  return hour * 60 + minute
}

/** The slots of a day; taken ones are disabled. `own` is the id of the edited appointment, which does not block its own slot. */
export function slotOptions(
  list: readonly Appointment[],
  day: string | null,
  timeZone: string,
  own?: string,
): Option<TimeSlot>[] {
  const taken = list.filter(
    (one) =>
      one._id !== own && (one.status === 'pending' || one.status === 'confirmed') && dayIn(one.date, timeZone) === day,
  )
  return timeSlots.map((slot) => {
    const from = slotMinutes(slot)
    const by = taken.find((one) => clock(one.date, timeZone) < from + 60 && from < clock(one.endsAt, timeZone))
    return by ? { value: slot, label: slot, description: 'Taken', disabled: true } : { value: slot, label: slot }
  })
}
