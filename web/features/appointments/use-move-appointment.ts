import { appointmentMessages, type Appointment } from '@flashsheet/contracts/appointments'
import { useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useEffect, useRef } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'
import type { Dragging } from '../calendar/calendar-drag.ts'
import type { AppointmentEntry } from './appointment-entries.ts'
import { droppedAt, instantAt, nudgedAt, type Place } from './move-appointment.ts'
import { nextFree } from './next-free.ts'

/** Keys come in rows: the server is told where they ended. */
const settleMs = 600

type Move = { from: Place; to: Place; timer: ReturnType<typeof setTimeout> }

const same = (a: Place, b: Place) => a.day === b.day && a.timeSlot === b.timeSlot

/**
 * Moves appointments of the calendar: shown at once, then saved. A clash puts one back where it was, says so, and names the next
 * free time.
 */
export function useMoveAppointment(entries: readonly AppointmentEntry[], timeZone: string): Dragging {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const moves = useRef(new Map<string, Move>())

  /** Puts an appointment elsewhere in every list that is loaded. */
  const show = (id: string, place: Place): void => {
    const at = instantAt(place, timeZone)
    queryClient.setQueriesData<Appointment[]>({ queryKey: getQueryKey(trpc.appointments.list) }, (list) =>
      list?.map((one) =>
        one._id === id
          ? { ...one, timeSlot: place.timeSlot, date: new Date(at).toISOString(), endsAt: new Date(at + Date.parse(one.endsAt) - Date.parse(one.date)).toISOString() }
          : one,
      ),
    )
  }

  const save = async (id: string): Promise<void> => {
    const move = moves.current.get(id)
    if (!move) return
    moves.current.delete(id)
    clearTimeout(move.timer)
    if (same(move.from, move.to)) return
    try {
      const saved = await utils.client.appointments.update.mutate({ id, date: move.to.day, timeSlot: move.to.timeSlot })
      utils.appointments.get.setData({ id }, saved)
      toast.success(appointmentMessages.updated, formatScheduled(saved.date, timeZone))
    } catch (error) {
      show(id, move.from)
      const failure = failureOf(error, appointmentMessages.updateFailed)
      const [free] = nextFree(error)
      toast.error(failure.message, free ? `It stays where it was. Next free: ${formatScheduled(free.date, timeZone)}.` : failure.detail)
    } finally {
      void utils.appointments.list.invalidate()
    }
  }

  /** Where an appointment stands as far as it was moved: the screen shows it a moment later. */
  const placeOf = (entry: AppointmentEntry): Place => moves.current.get(entry.id)?.to ?? { day: entry.day, timeSlot: entry.timeSlot }

  const begin = (entry: AppointmentEntry, to: Place, waitMs: number): void => {
    const before = moves.current.get(entry.id)
    const now = placeOf(entry)
    if (same(now, to)) return
    clearTimeout(before?.timer)
    moves.current.set(entry.id, { from: before?.from ?? now, to, timer: setTimeout(() => void save(entry.id), waitMs) })
    show(entry.id, to)
  }

  // What was moved last is saved although the screen is left.
  const flush = useRef(() => {})
  useEffect(() => {
    flush.current = () => {
      for (const id of moves.current.keys()) void save(id)
    }
  })
  useEffect(() => () => flush.current(), [])

  const find = (id: string) => entries.find((entry) => entry.id === id)
  return {
    isMovable: (id) => ['pending', 'confirmed'].includes(find(id)?.status ?? ''),
    onMove: (id, to) => {
      const entry = find(id)
      if (entry) begin(entry, droppedAt(placeOf(entry), to), 0)
    },
    onNudge: (id, by) => {
      const entry = find(id)
      if (entry) begin(entry, nudgedAt(placeOf(entry), by), settleMs)
    },
  }
}
