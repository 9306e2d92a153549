import { parseDate, type CalendarDate } from '@internationalized/date'
import { Plus } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { CalendarDots, type CalendarDotsProps } from './calendar-dots.tsx'
import { CalendarDays } from './calendar-days.tsx'
import { entriesByDay, type BaseEntry, type EmptyCell } from './calendar-entry.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './calendar-days.module.css'
import { currentDay, dayTitle, visibleDays, weeksOver, type CalendarView, type GridView } from './calendar-range.ts'
import { ListSkeleton } from './calendar-skeleton.tsx'

export type CalendarPhoneProps<E extends BaseEntry> = Omit<CalendarDotsProps, 'weeks' | 'entries'> & {
  view: GridView
  entries: readonly E[]
  /** Lists the entries of one day. */
  list: (entries: readonly E[]) => ReactNode
  /** The empty state. */
  emptyState: ReactNode
  /** Called by the button of a day that is not over. */
  onPlan: (cell: EmptyCell) => void
}

/** The days that a phone shows: the day view shows the day within its week. */
export const daysOnPhone = (view: CalendarView, day: CalendarDate) => visibleDays(view === 'day' ? 'week' : view, day)

/** Month, week and day on a phone: a grid of dots, and a list below it. */
export function CalendarPhone<E extends BaseEntry>({
  view,
  entries,
  list,
  emptyState,
  onPlan,
  ...dots
}: CalendarPhoneProps<E>) {
  const { day, nouns, timeZone, loading } = dots
  const byDay = useMemo(() => entriesByDay(entries), [entries])
  const ofDay = byDay.get(day.toString()) ?? []
  const isEmpty = !loading && entries.length === 0
  return (
    <div className={layout['stack-5']}>
      <CalendarDots {...dots} weeks={weeksOver(daysOnPhone(view, day))} entries={byDay} />
      {loading ? (
        <ListSkeleton label={`Loading ${nouns.many}`} />
      ) : isEmpty ? (
        emptyState
      ) : view === 'week' ? (
        <CalendarDays
          key={visibleDays('week', day).from.toString()}
          entries={entries}
          list={list}
          timeZone={timeZone}
        />
      ) : (
        <section className={layout['stack-2']} aria-labelledby="chosen-day">
          <h3 id="chosen-day" className={styles['date']}>
            {dayTitle(parseDate(day.toString()))}
          </h3>
          {ofDay.length > 0 ? list(ofDay) : <p className={text['muted']}>No {nouns.many} on this day.</p>}
          {day.compare(currentDay(timeZone)) >= 0 && (
            <div>
              <Button icon={<Plus />} onPress={() => onPlan({ day: day.toString(), minutes: null })}>
                {nouns.plan}
              </Button>
            </div>
          )}
        </section>
      )}
    </div>
  )
}
