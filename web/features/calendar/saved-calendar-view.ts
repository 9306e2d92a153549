import type { CalendarDate } from '@internationalized/date'
import { useState } from 'react'
import { tryStorage } from '../../lib/try-storage.ts'
import { calendarViews, currentDay, readDay, type CalendarView } from './calendar-range.ts'

export type SavedView = { view: CalendarView; day: CalendarDate }

/** The last view and day of this calendar in this session, initially the current month. */
export function savedCalendarView(name: string): SavedView {
  const stored = tryStorage(() => JSON.parse(sessionStorage.getItem(keyOf(name)) ?? 'null') as unknown)
  const { view, day } = (stored ?? {}) as Record<string, unknown>
  return { view: calendarViews.find((one) => one === view) ?? 'month', day: readDay(day) ?? currentDay() }
}

const keyOf = (name: string) => `calendar:${name}`

/** View and day of a calendar, stored for the session. */
export function useSavedCalendarView(name: string): SavedView & { setPosition: (next: Partial<SavedView>) => void } {
  const [position, setState] = useState(() => savedCalendarView(name))
  const setPosition = (next: Partial<SavedView>) => {
    setState((before) => {
      const after = { ...before, ...next }
      // Without storage the view is lost when the screen is left.
      tryStorage(() => sessionStorage.setItem(keyOf(name), JSON.stringify({ ...after, day: after.day.toString() })))
      return after
    })
  }
  return { ...position, setPosition }
}
