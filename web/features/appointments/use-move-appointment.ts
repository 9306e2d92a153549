import { hasPassed } from '@flashsheet/contracts/time'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { failureOf } from '../../lib/failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'
import type { Dragging } from '../calendar/calendar-drag.ts'
import { useDebouncedMoves } from '../calendar/use-debounced-moves.ts'
import type { AppointmentEntry } from './appointment-entries.ts'
import { droppedAt, instantAt, nudgedAt, type DaySlot } from './move-appointment.ts'
import { nextFreeTimes } from './next-free-times.ts'

const isAhead = (at: number): boolean => !hasPassed(at, Date.now())

/**
 * Moves appointments of the calendar optimistically. When the time is taken, the appointment moves back and a toast names the next free
 * time.
 */
export function useMoveAppointment(entries: readonly AppointmentEntry[], timeZone: string): Dragging {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()

  /** Moves an appointment in all cached lists. */
  const show = (id: string, place: DaySlot): void => {
    const at = instantAt(place, timeZone)
    queryClient.setQueriesData<Appointment[]>({ queryKey: getQueryKey(trpc.appointments.list) }, (list) =>
      list?.map((one) =>
        one._id === id
          ? {
              ...one,
              timeSlot: place.timeSlot,
              date: new Date(at).toISOString(),
              endsAt: new Date(at + Date.parse(one.endsAt) - Date.parse(one.date)).toISOString(),
            }
          : one,
      ),
    )
  }

  const save = async (id: string, from: DaySlot, to: DaySlot, isUndo = false): Promise<void> => {
    try {
      const saved = await utils.client.appointments.update.mutate({ id, date: to.day, timeSlot: to.timeSlot })
      utils.appointments.get.setData({ id }, saved)
      toast.success(
        appointmentMessages.updated,
        formatScheduled(saved.date, timeZone),
        isUndo || !isAhead(instantAt(from, timeZone))
          ? undefined
          : { label: 'Undo', onPress: () => undo(id, to, from) },
      )
    } catch (error) {
      show(id, from)
      const failure = failureOf(error, appointmentMessages.updateFailed)
      const [free] = nextFreeTimes(error)
      toast.error(
        failure.message,
        free ? `It stays where it was. Next free: ${formatScheduled(free.date, timeZone)}.` : failure.detail,
      )
    } finally {
      void utils.appointments.list.invalidate()
    }
  }
  const undo = (id: string, from: DaySlot, to: DaySlot): void => {
    show(id, to)
    void save(id, from, to, true)
  }

  return useDebouncedMoves<AppointmentEntry, DaySlot>({
    entries,
    isMovable: (entry) => ['pending', 'confirmed'].includes(entry.status),
    placeOf: ({ day, timeSlot }) => ({ day, timeSlot }),
    isSame: (one, other) => one.day === other.day && one.timeSlot === other.timeSlot,
    droppedAt,
    nudgedAt,
    show,
    save: async (id, { from, to }) => await save(id, from, to),
  })
}
