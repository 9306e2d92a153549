import { type TimeSlot, timeSlots } from '@flashsheet/contracts/appointments/limits'
import type { Option } from '../../ui/option-item.tsx'
import { parseDate } from '@internationalized/date'
import { trpc } from '../../lib/trpc.ts'
import { instantsOf } from '../calendar/calendar-range.ts'
import { instantAt } from './move-appointment.ts'

const hourMs = 3_600_000

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
  const taken = list.filter((one) => one._id !== ownId && (one.status === 'pending' || one.status === 'confirmed'))
  return timeSlots.map((slot) => {
    const start = day === null ? NaN : instantAt({ day, timeSlot: slot }, timeZone)
    const overlapping = taken.some((one) => Date.parse(one.date) < start + hourMs && start < Date.parse(one.endsAt))
    return overlapping
      ? { value: slot, label: slot, description: 'Taken', disabled: true }
      : { value: slot, label: slot }
  })
}
