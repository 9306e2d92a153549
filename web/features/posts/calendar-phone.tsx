import { parseDate, type CalendarDate } from '@internationalized/date'
import { useMemo } from 'react'
import { CalendarDots } from './calendar-dots.tsx'
import { entriesByDay, type CalendarEntry } from './calendar-entries.ts'
import { NothingHere } from './calendar-nothing.tsx'
import styles from './calendar-phone.module.css'
import { DayList, PostList } from './calendar-post-list.tsx'
import { currentDay, dayTitle, visibleDays, weeksOver, type CalendarView } from './calendar-range.ts'
import { ListGhost } from './calendar-skeleton.tsx'

export type CalendarPhoneProps = {
  view: Exclude<CalendarView, 'agenda'>
  day: CalendarDate
  entries: readonly CalendarEntry[]
  loading: boolean
  onOpen: (id: string) => void
  onApproach: (id: string) => void
  onDay: (day: CalendarDate) => void
  onOpenDay: (day: string) => void
  onTurn: (by: -1 | 1) => void
}

/** The days a phone shows of a view: one day is shown in its week. */
export const daysOnPhone = (view: CalendarView, day: CalendarDate) => visibleDays(view === 'day' ? 'week' : view, day)

/** Month, week and day on a phone: dots to find the way, and below them the posts to read. */
export function CalendarPhone({ view, day, entries, loading, onOpen, onApproach, onDay, onOpenDay, onTurn }: CalendarPhoneProps) {
  const byDay = useMemo(() => entriesByDay(entries), [entries])
  const ofDay = byDay.get(day.toString()) ?? []
  const days = daysOnPhone(view, day)
  const isEmpty = !loading && entries.length === 0
  return (
    <div className={styles['phone']}>
      <CalendarDots
        weeks={weeksOver(days)}
        day={day}
        entries={byDay}
        loading={loading}
        onDay={onDay}
        onOpenDay={onOpenDay}
        onTurn={onTurn}
      />
      {loading ? (
        <ListGhost />
      ) : isEmpty ? (
        <NothingHere past={days.to.compare(currentDay()) <= 0} />
      ) : view === 'week' ? (
        <DayList key={visibleDays('week', day).from.toString()} entries={entries} onOpen={onOpen} onApproach={onApproach} />
      ) : (
        <section className={styles['day']} aria-labelledby="chosen-day">
          <h3 id="chosen-day" className={styles['date']}>
            {dayTitle(parseDate(day.toString()))}
          </h3>
          {ofDay.length > 0 ? <PostList entries={ofDay} onOpen={onOpen} onApproach={onApproach} /> : <p className={styles['none']}>No posts on this day.</p>}
        </section>
      )}
    </div>
  )
}
