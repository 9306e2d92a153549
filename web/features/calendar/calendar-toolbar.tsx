import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Group, ToggleButton } from 'react-aria-components'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { SavedView } from './saved-calendar-view.ts'
import {
  calendarViews,
  currentDay,
  periodTitle,
  adjacentDay,
  visibleDays,
  type CalendarView,
  type DayRange,
} from './calendar-range.ts'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import styles from './calendar-toolbar.module.css'

const viewLabels: Record<CalendarView, string> = { month: 'Month', week: 'Week', day: 'Day', agenda: 'Agenda' }

export type CalendarToolbarProps = SavedView & {
  onPosition: (next: Partial<SavedView>) => void
  /** Called on hover or focus of Back and Next, to prefetch their days. */
  onPrefetch: (days: DayRange) => void
  phone: boolean
  /** The time zone of "Today"; by default the viewer's. */
  timeZone: string | undefined
}

export function CalendarToolbar({ view, day, onPosition, onPrefetch, phone, timeZone }: CalendarToolbarProps) {
  const stepProps = (by: -1 | 1) => ({
    onPress: () => onPosition({ day: adjacentDay(view, day, by) }),
    onHoverStart: () => onPrefetch(visibleDays(view, adjacentDay(view, day, by))),
    onFocus: () => onPrefetch(visibleDays(view, adjacentDay(view, day, by))),
  })
  return (
    <Group className={styles['toolbar'] ?? ''} aria-label="Calendar">
      <div className={classes(layout['line-2'], styles['turns'])}>
        <Button size="small" onPress={() => onPosition({ day: currentDay(timeZone) })}>
          Today
        </Button>
        {phone ? (
          <>
            <IconButton label="Back" {...stepProps(-1)}>
              <ChevronLeft />
            </IconButton>
            <IconButton label="Next" {...stepProps(1)}>
              <ChevronRight />
            </IconButton>
          </>
        ) : (
          <>
            <Button size="small" icon={<ChevronLeft />} {...stepProps(-1)}>
              Back
            </Button>
            <Button size="small" {...stepProps(1)}>
              Next
              <ChevronRight />
            </Button>
          </>
        )}
      </div>
      <h2 className={styles['period']} aria-live="polite">
        {periodTitle(view, day, phone)}
      </h2>
      <Group className={styles['views'] ?? ''} aria-label="View">
        {calendarViews.map((one) => (
          <ToggleButton
            key={one}
            className={styles['view'] ?? ''}
            isSelected={one === view}
            onChange={() => onPosition({ view: one })}
          >
            {viewLabels[one]}
          </ToggleButton>
        ))}
      </Group>
    </Group>
  )
}
