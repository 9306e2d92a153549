import type { CalendarDate } from '@internationalized/date'
import { Loading, Skeleton, SkeletonBlocks } from '../../ui/skeleton.tsx'
import { daysOf, visibleDays, weekdayOf, weeksOver, type GridView } from './calendar-range.ts'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './calendar-skeleton.module.css'

/** Shown while the code of the grid is loading: the same days in the same places. */
export function GridSkeleton({ view, day, label }: { view: GridView; day: CalendarDate; label: string }) {
  return (
    <Loading label={label}>
      {view === 'month' ? (
        <div className={classes(layout['sheet'], styles['month'])} aria-hidden="true">
          {weeksOver(visibleDays('month', day)).flatMap((week, index) =>
            daysOf(week).map((date) => (
              <div key={date.toString()} className={styles['day']}>
                <span className={styles['head']}>
                  {index === 0 && <span className={styles['weekday']}>{weekdayOf(date)}</span>}
                  <span className={styles['number']}>{date.day}</span>
                </span>
                <SkeletonBlocks frame={styles['bar']} />
              </div>
            )),
          )}
        </div>
      ) : (
        <SkeletonBlocks frame={styles['hours']} />
      )}
    </Loading>
  )
}

/** Shown while a list is loading. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label}>
      <div className={layout['stack-3']}>
        <Skeleton width="half" />
        <SkeletonBlocks count={3} frame={styles['row']} />
      </div>
    </Loading>
  )
}
