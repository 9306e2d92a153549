import { parseDate } from '@internationalized/date'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { viewerZone } from '../../lib/format.ts'
import { phoneWidth, useMediaQuery } from '../../ui/use-media-query.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { calendarGridQuery } from './lazy-calendar-grid.ts'
import { CalendarDayDialog } from './calendar-day-dialog.tsx'
import { CalendarDays } from './calendar-days.tsx'
import type { CalendarState, BaseEntry } from './calendar-entry.ts'
import type { CalendarGridProps } from './calendar-grid.tsx'
import { useSavedCalendarView } from './saved-calendar-view.ts'
import { CalendarStatusIconDefs } from './calendar-status-icons.tsx'
import { CalendarPhone, daysOnPhone } from './calendar-phone.tsx'
import { adjacentDay, visibleDays, type DayRange } from './calendar-range.ts'
import layout from '../../ui/layout.module.css'
import styles from './calendar-screen.module.css'
import { GridSkeleton, ListSkeleton } from './calendar-skeleton.tsx'
import { CalendarToolbar } from './calendar-toolbar.tsx'
import { ConnectionLost, RetryAlert } from '../parts/retry-alert.tsx'

/** View and day of a calendar, stored under its name for the session. They begin at today in this time zone. */
export function useCalendarPosition(name: string, timeZone: string) {
  const phone = useMediaQuery(phoneWidth)
  const saved = useSavedCalendarView(name, timeZone)
  const { view, day } = saved
  return {
    ...saved,
    phone,
    /** The visible days for the width of this window. */
    days: phone ? daysOnPhone(view, day) : visibleDays(view, day),
    /** The window is wide enough for schedule-x. */
    needsGrid: !phone && view !== 'agenda',
  }
}

/** The entries of the visible days, updated live. */
export type CalendarData<E extends BaseEntry> = {
  /** Sorted by time. */
  entries: readonly E[]
  loading: boolean
  /** Why some of the visible days could not be loaded. */
  error: unknown
  retry: () => void
  /** Called for days that will probably be shown next. */
  prefetch: (days: DayRange) => void
  /** The stream of live updates has ended; `restart` opens it again. */
  isStopped: boolean
  restart: () => void
}

type CalendarScreenProps<E extends BaseEntry> = CalendarData<E> &
  Pick<CalendarGridProps<E>, 'nouns' | 'markup' | 'dragging' | 'onOpen' | 'onPlan' | 'shadeOf' | 'onPreload'> & {
    position: ReturnType<typeof useCalendarPosition>
    /** The time zone of days and hours; undefined until it is known. */
    timeZone: string | undefined
    /** In the order of their dots on a phone. */
    states: readonly CalendarState[]
    legend: ReactNode
    /** Lists the entries of one day. */
    list: (entries: readonly E[]) => ReactNode
    /** The empty state; `bare` lies over the grid. */
    emptyState: (variant?: 'bare') => ReactNode
    /** Buttons and filters beside the legend. */
    actions?: ReactNode
    /** Notes above the calendar. */
    notes?: ReactNode
    /** Content below the calendar, and dialogs. */
    children?: ReactNode
  }

/** A screen with a calendar: toolbar, legend, and the view that fits the width of the window. */
export function CalendarScreen<E extends BaseEntry>({
  position,
  entries,
  timeZone,
  loading,
  nouns,
  states,
  list,
  emptyState,
  onOpen,
  ...props
}: CalendarScreenProps<E>) {
  const { view, day, setPosition, phone, needsGrid } = position
  const dayDialog = useDialog<string>()
  const grid = useQuery({ ...calendarGridQuery, enabled: needsGrid })
  const Grid = grid.data
  const error = props.error ?? (needsGrid ? grid.error : null)
  const failure = error && failureOf(error, `Your ${nouns.many} could not be loaded`)
  const isEmpty = !loading && !failure && entries.length === 0
  const openDay = (date: string) => {
    dayDialog.close()
    setPosition({ view: 'day', day: parseDate(date) })
  }
  const turnPage = (by: -1 | 1) => setPosition({ day: adjacentDay(view, day, by) })
  const days = { view, day, entries, nouns, loading, onOpenDay: openDay, onTurnPage: turnPage }

  return (
    <div className={layout['stack-4']}>
      <CalendarStatusIconDefs />
      <CalendarToolbar
        view={view}
        day={day}
        onPosition={setPosition}
        onPrefetch={props.prefetch}
        phone={phone}
        timeZone={timeZone}
      />
      <div className={styles['notes']}>
        {props.legend}
        {props.actions}
      </div>
      {props.notes}
      {props.isStopped && <ConnectionLost onRetry={props.restart} />}
      {failure ? (
        <RetryAlert
          live
          failure={failure}
          onRetry={() => {
            props.retry()
            if (grid.isError) void grid.refetch()
          }}
        />
      ) : phone && view !== 'agenda' ? (
        <CalendarPhone
          {...days}
          view={view}
          states={states}
          timeZone={timeZone ?? viewerZone()}
          list={list}
          emptyState={emptyState()}
          onPlan={props.onPlan}
          onDay={(next) => setPosition({ day: next })}
        />
      ) : view === 'agenda' ? (
        loading ? (
          <ListSkeleton label={`Loading ${nouns.many}`} />
        ) : isEmpty ? (
          emptyState()
        ) : (
          <CalendarDays key={day.toString()} entries={entries} list={list} timeZone={timeZone} />
        )
      ) : (
        <div className={styles['sheet']}>
          {Grid && timeZone !== undefined ? (
            <Grid
              // schedule-x takes a time zone only when it starts.
              key={timeZone}
              {...days}
              view={view}
              markup={props.markup}
              timeZone={timeZone}
              onOpen={onOpen}
              onPreload={props.onPreload}
              onMore={dayDialog.show}
              onPlan={props.onPlan}
              shadeOf={props.shadeOf}
              dragging={props.dragging}
            />
          ) : (
            <GridSkeleton view={view} day={day} label={`Loading ${nouns.many}`} />
          )}
          {isEmpty && <div className={styles['nothing']}>{emptyState('bare')}</div>}
        </div>
      )}
      {dayDialog.about !== undefined && (
        <CalendarDayDialog day={dayDialog.about} open={dayDialog.open} onClose={dayDialog.close} onOpenDay={openDay}>
          {list(entries.filter((entry) => entry.day === dayDialog.about))}
        </CalendarDayDialog>
      )}
      {props.children}
    </div>
  )
}
