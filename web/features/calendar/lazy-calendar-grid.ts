import { savedCalendarView } from './saved-calendar-view.ts'
import { phoneWidth } from '../../lib/use-media-query.ts'

/**
 * The grid's code, which only wide screens need; browsers without Temporal get it along. Kept like any answer of the server,
 * so that a failure is told and can be tried again.
 */
export const calendarGridQuery = {
  queryKey: ['calendar-grid'],
  queryFn: async () => {
    const [{ CalendarGrid }] = await Promise.all([
      import('./calendar-grid.tsx'),
      'Temporal' in globalThis ? undefined : import('temporal-polyfill/global'),
    ])
    return CalendarGrid
  },
  staleTime: Infinity,
  gcTime: Infinity,
}

/** Whether this calendar will begin with the grid. */
export function startsWithGrid(name: string): boolean {
  return !matchMedia(phoneWidth).matches && savedCalendarView(name).view !== 'agenda'
}
