import { parseDate } from '@internationalized/date'
import { useDeferredValue, useState, type ReactNode } from 'react'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './calendar-days.module.css'
import { entriesByDay, type BaseEntry } from './calendar-entry.ts'
import { currentDay, dayTitle } from './calendar-range.ts'

/** Rows of the first rendering. The others follow in a deferred one, which does not block input. */
const firstRows = 60

/** Entries grouped by day, without empty days. Needs a `key` per range. `timeZone`: of "Today", by default the viewer's. */
export function CalendarDays<E extends BaseEntry>({
  entries: all,
  list,
  timeZone,
}: {
  entries: readonly E[]
  list: (entries: readonly E[]) => ReactNode
  timeZone: string | undefined
}) {
  const [first] = useState(() => all.slice(0, firstRows))
  const entries = useDeferredValue(all, first)
  const today = currentDay(timeZone)
  return (
    <div className={layout['stack-6']}>
      {[...entriesByDay(entries)].map(([day, ofDay]) => (
        <section key={day} className={classes(layout['stack-2'], styles['day'])} aria-labelledby={`day-${day}`}>
          <h3 id={`day-${day}`} className={styles['date']}>
            {dayTitle(parseDate(day), today)}
            {day === today.toString() && <span className={styles['today']}>Today</span>}
          </h3>
          {list(ofDay)}
        </section>
      ))}
    </div>
  )
}
