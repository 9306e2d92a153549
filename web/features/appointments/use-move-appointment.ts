import { hasPassed } from '@flashsheet/contracts/time'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { failureOf } from '../../lib/failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { showFailureToast } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'
import type { Dragging } from '../calendar/calendar-drag.ts'
import { useDebouncedMoves } from '../calendar/use-debounced-moves.ts'
import type { AppointmentEntry } from './appointment-entries.ts'
import { droppedAt, instantAt, nudgedAt, type DaySlot } from './move-appointment.ts'
import { suggestedTimes } from './suggested-times.ts'
import { useUpdateAppointment } from './use-update-appointment.ts'

/** Moves appointments optimistically. If the time is taken, the appointment moves back and a toast names the next free time. */
export function useMoveAppointment(entries: readonly AppointmentEntry[], timeZone: string): Dragging {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const update = useUpdateAppointment(timeZone)

  /** Moves an appointment in all cached lists. */
  const show = (id: string, { day, timeSlot }: DaySlot): void => {
    const at = instantAt({ day, timeSlot }, timeZone)
    queryClient.setQueriesData<Appointment[]>({ queryKey: getQueryKey(trpc.appointments.list) }, (list) =>
      list?.map((one) =>
        one._id === id
          ? {
              ...one,
              timeSlot,
              date: new Date(at).toISOString(),
              endsAt: new Date(at + Date.parse(one.endsAt) - Date.parse(one.date)).toISOString(),
            }
          : one,
      ),
    )
  }

  const save = async (id: string, { from, to }: { from: DaySlot; to: DaySlot }, undo?: () => void): Promise<void> => {
    try {
      const saved = await update({ id, date: to.day, timeSlot: to.timeSlot })
      utils.appointments.get.setData({ id }, saved)
      toast
        .about(`appointment ${id}`)
        .success(
          appointmentMessages.updated,
          formatScheduled(saved.date, timeZone),
          undo && !hasPassed(instantAt(from, timeZone), Date.now()) ? { label: 'Undo', onPress: undo } : undefined,
        )
    } catch (error) {
      show(id, from)
      const failure = failureOf(error, appointmentMessages.updateFailed)
      const [free] = suggestedTimes(error)
      showFailureToast({
        ...failure,
        ...(free && { detail: `It stays where it was. Next free: ${formatScheduled(free.date, timeZone)}.` }),
      })
    } finally {
      void utils.appointments.list.invalidate()
    }
  }
  return useDebouncedMoves<AppointmentEntry, DaySlot>({
    entries,
    isMovable: (entry) => ['pending', 'confirmed'].includes(entry.status),
    placeOf: ({ day, timeSlot }) => ({ day, timeSlot }),
    isSame: (one, other) => one.day === other.day && one.timeSlot === other.timeSlot,
    droppedAt,
    nudgedAt,
    show,
    save,
  })
}
