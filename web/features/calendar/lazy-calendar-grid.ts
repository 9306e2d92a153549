import { storedCalendarPosition } from './saved-calendar-view.ts'
import { phoneWidth } from '../../ui/use-media-query.ts'

/**
 * Loads the grid's code, which only wide screens need, and a polyfill for browsers without Temporal. As a query, its failure is shown
 * and retried like those of the server.
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

/** Whether this calendar's first view is the grid. */
export function startsWithGrid(name: string): boolean {
  return !matchMedia(phoneWidth).matches && storedCalendarPosition(name).view !== 'agenda'
}
