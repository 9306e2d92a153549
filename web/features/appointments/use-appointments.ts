import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { trpc } from '../../lib/trpc.ts'
import type { CalendarData } from '../calendar/calendar-screen.tsx'
import { instantsOf, type DayRange } from '../calendar/calendar-range.ts'
import { entriesOf, type AppointmentEntry } from './appointment-entries.ts'

const none: readonly Appointment[] = []

/** The appointments of these days, updated live. Requests nothing until the studio's time zone is known. */
export function useAppointments(days: DayRange, timeZone: string | undefined): CalendarData<AppointmentEntry> {
  const utils = trpc.useUtils()
  const zone = timeZone ?? 'UTC'
  const range = instantsOf(days, zone)
  const query = trpc.appointments.list.useQuery(range, {
    enabled: timeZone !== undefined,
    placeholderData: keepPreviousData,
  })
  const watch = trpc.appointments.watch.useSubscription(undefined, {
    enabled: timeZone !== undefined,
    onData: () => {
      void utils.appointments.list.invalidate()
      void utils.appointments.get.invalidate()
      void utils.appointments.setAside.invalidate()
    },
  })
  const list = query.data ?? none
  const entries = useMemo(() => {
    const from = Date.parse(range.from)
    const to = Date.parse(range.to)
    return entriesOf(list, zone).filter((entry) => entry.at >= from && entry.at < to)
  }, [list, zone, range.from, range.to])
  return {
    entries,
    loading: query.isPending || (query.isPlaceholderData && entries.length === 0),
    error: query.data === undefined ? query.error : null,
    retry: () => void query.refetch(),
    prefetch: (nextDays) => {
      if (timeZone !== undefined) void utils.appointments.list.prefetch(instantsOf(nextDays, timeZone))
    },
    isStopped: watch.status === 'error',
    restart: () => watch.reset(),
  }
}
