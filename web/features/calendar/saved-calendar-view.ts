import type { CalendarDate } from '@internationalized/date'
import { useState } from 'react'
import { calendarViews, currentDay, readDay, type CalendarView } from './calendar-range.ts'

/** Where a calendar stands: which view, around which day. */
export type SavedView = { view: CalendarView; day: CalendarDate }

/** Where this calendar stood last in this session; at first the month of today. */
export function savedCalendarView(name: string): SavedView {
  const first: SavedView = { view: 'month', day: currentDay() }
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(`calendar:${name}`) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return first
    const kept = stored as Record<string, unknown>
    return {
      view: calendarViews.find((view) => view === kept['view']) ?? first.view,
      day: readDay(kept['day']) ?? first.day,
    }
  } catch {
    return first
  }
}

function keep(name: string, { view, day }: SavedView): void {
  try {
    sessionStorage.setItem(`calendar:${name}`, JSON.stringify({ view, day: day.toString() }))
  } catch {
    // Without storage it is kept until the screen is left.
  }
}

/** View and day of a calendar, kept across the session. */
export function useSavedCalendarView(name: string): SavedView & { setPosition: (next: Partial<SavedView>) => void } {
  const [position, setState] = useState(() => savedCalendarView(name))
  const setPosition = (next: Partial<SavedView>) => {
    setState((before) => {
      const after = { ...before, ...next }
      keep(name, after)
      return after
    })
  }
  return { ...position, setPosition }
}
