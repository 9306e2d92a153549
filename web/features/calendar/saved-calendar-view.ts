import type { CalendarDate } from '@internationalized/date'
import { useState } from 'react'
import { calendarViews, currentDay, readDay, type CalendarView } from './calendar-range.ts'

export type SavedView = { view: CalendarView; day: CalendarDate }

/** The last view and day of this calendar in this session, initially the current month. */
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
    // Without storage the view is lost when the screen is left.
  }
}

/** View and day of a calendar, stored for the session. */
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
