import { slotMinutes } from '@flashsheet/contracts/appointments/rules'
import { type TimeSlot, timeSlots } from '@flashsheet/contracts/appointments/limits'
import type { Option } from '../../ui/option-item.tsx'
import { parseDate } from '@internationalized/date'
import { trpc } from '../../lib/trpc.ts'
import { instantsOf } from '../calendar/calendar-range.ts'
import { dayIn } from './appointment-entries.ts'

const minutesOfDay = (at: string, timeZone: string): number => {
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

/** The slots of a day; taken ones are disabled. `ownId`: the edited appointment, which does not block its own slot. */
export function useSlotOptions(
  day: string | null,
  timeZone: string,
  { ownId, enabled = true }: { ownId?: string; enabled?: boolean },
): Option<TimeSlot>[] {
  const from = day === null ? null : parseDate(day)
  const { data: list = [] } = trpc.appointments.list.useQuery(
    from ? instantsOf({ from, to: from.add({ days: 1 }) }, timeZone) : {},
    { enabled: enabled && from !== null },
  )
  const taken = list.filter(
    (one) =>
      one._id !== ownId &&
      (one.status === 'pending' || one.status === 'confirmed') &&
      dayIn(one.date, timeZone) === day,
  )
  return timeSlots.map((slot) => {
    const start = slotMinutes(slot)
    const overlapping = taken.find(
      (one) => minutesOfDay(one.date, timeZone) < start + 60 && start < minutesOfDay(one.endsAt, timeZone),
    )
    return overlapping
      ? { value: slot, label: slot, description: 'Taken', disabled: true }
      : { value: slot, label: slot }
  })
}
