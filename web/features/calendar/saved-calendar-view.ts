import type { CalendarDate } from '@internationalized/date'
import { useMemo, useState } from 'react'
import { tryStorage } from '../../lib/try-storage.ts'
import { calendarViews, currentDay, readDay, type CalendarView } from './calendar-range.ts'

export type SavedView = { view: CalendarView; day: CalendarDate }

/** The view and day that were last chosen in this session; no day if none was. */
export function storedCalendarPosition(name: string): { view: CalendarView; day: CalendarDate | undefined } {
  const stored = tryStorage(() => JSON.parse(sessionStorage.getItem(keyOf(name)) ?? 'null') as unknown)
  const { view, day } = (stored ?? {}) as Record<string, unknown>
  return { view: calendarViews.find((one) => one === view) ?? 'month', day: readDay(day) }
}

/** The last view and day of this calendar in this session, initially the current month in this time zone. */
export function savedCalendarView(name: string, timeZone: string): SavedView {
  const { view, day } = storedCalendarPosition(name)
  return { view, day: day ?? currentDay(timeZone) }
}

const keyOf = (name: string) => `calendar:${name}`

/** View and day of a calendar, stored for the session. Until a day is chosen, it is today in this time zone. */
export function useSavedCalendarView(
  name: string,
  timeZone: string,
): SavedView & { setPosition: (next: Partial<SavedView>) => void } {
  const [{ view, day }, setState] = useState(() => storedCalendarPosition(name))
  // Remembered, so that the days that are shown do not change at midnight.
  const today = useMemo(() => currentDay(timeZone), [timeZone])
  const setPosition = (next: Partial<SavedView>) => {
    setState((before) => {
      const after = { ...before, ...next }
      // Without storage the view is lost when the screen is left.
      tryStorage(() => sessionStorage.setItem(keyOf(name), JSON.stringify({ ...after, day: after.day?.toString() })))
      return after
    })
  }
  return { view, day: day ?? today, setPosition }
}
