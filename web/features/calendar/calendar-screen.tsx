import { parseDate } from '@internationalized/date'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { viewerZone } from '../../lib/format.ts'
import { phoneWidth, useMediaQuery } from '../../lib/use-media-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { calendarGridQuery } from './lazy-calendar-grid.ts'
import { CalendarDayDialog } from './calendar-day-dialog.tsx'
import type { Dragging } from './calendar-drag.ts'
import type { CalendarState, Dated, FreePlace, Nouns } from './calendar-entry.ts'
import { useSavedCalendarView, type SavedView } from './saved-calendar-view.ts'
import { CalendarStatusIconDefs } from './calendar-status-icons.tsx'
import { CalendarPhone, daysOnPhone } from './calendar-phone.tsx'
import { adjacentDay, visibleDays, type DayRange } from './calendar-range.ts'
import styles from './calendar-screen.module.css'
import { GridSkeleton, ListSkeleton } from './calendar-skeleton.tsx'
import { CalendarToolbar } from './calendar-toolbar.tsx'

/** Where a calendar stands, and which days that shows on this window. */
export type CalendarPosition = SavedView & {
  setPosition: (next: Partial<SavedView>) => void
  phone: boolean
  days: DayRange
  /** schedule-x is what shows it. */
  needsGrid: boolean
}

/** View and day of a calendar by its name, kept across the session. */
export function useCalendarPosition(name: string): CalendarPosition {
  const phone = useMediaQuery(phoneWidth)
  const { view, day, setPosition } = useSavedCalendarView(name)
  return {
    view,
    day,
    setPosition,
    phone,
    days: phone ? daysOnPhone(view, day) : visibleDays(view, day),
    needsGrid: !phone && view !== 'agenda',
  }
}

export type CalendarScreenProps<E extends Dated> = {
  position: CalendarPosition
  entries: readonly E[]
  /** The zone in which days and hours are meant; undefined: not known yet. */
  timeZone: string | undefined
  loading: boolean
  /** Why some of the visible days are missing. */
  error: unknown
  onRetry: () => void
  /** No further word of changes will come until `onAgain`. */
  stopped: boolean
  onAgain: () => void
  nouns: Nouns
  /** In the order of their dots on a phone. */
  states: readonly CalendarState[]
  legend: ReactNode
  /** What stands inside an entry of the grid: HTML, escaped. */
  markup: (entry: E, withPicture: boolean) => string
  dragging: Dragging
  /** Entries of one day, to read. */
  list: (entries: readonly E[]) => ReactNode
  /** Entries under their days; `key` names what is listed. */
  dayList: (entries: readonly E[], key: string) => ReactNode
  /** What stands where nothing is: `bare` lies on the empty sheet. */
  nothing: (look?: 'bare') => ReactNode
  onOpen: (id: string) => void
  /** An empty day or half hour of the grid that is ahead was clicked, or a day on a phone is to get something. */
  onFree: (place: FreePlace) => void
  /** CSS image that shades the hours of a day in which nobody works. */
  shadeOf?: (day: string) => string
  /** An entry is about to be opened. */
  onApproach?: (id: string) => void
  /** These days are about to be asked for. */
  onExpect: (days: DayRange) => void
  /** Beside the legend: what can be done here. */
  side?: ReactNode
  /** Above the calendar: what is to be known. */
  notes?: ReactNode
  /** Below it: dialogs, and what else there is. */
  children?: ReactNode
}

const noApproach = () => {}

/** A calendar as a screen: toolbar, legend, and the month, week, day or agenda, as a window of this width shows them. */
export function CalendarScreen<E extends Dated>({
  position,
  entries,
  timeZone,
  loading,
  nouns,
  states,
  list,
  dayList,
  nothing,
  onOpen,
  onApproach = noApproach,
  ...props
}: CalendarScreenProps<E>) {
  const { view, day, setPosition, phone, needsGrid } = position
  const [listed, setListed] = useState<{ day: string; open: boolean }>()
  const grid = useQuery({ ...calendarGridQuery, enabled: needsGrid })
  const Grid = grid.data
  const error = props.error ?? (needsGrid ? grid.error : null)
  const failure = error && failureOf(error, `Your ${nouns.many} could not be loaded`)
  const isEmpty = !loading && !failure && entries.length === 0
  const openDay = (date: string) => {
    setListed((before) => before && { ...before, open: false })
    setPosition({ view: 'day', day: parseDate(date) })
  }
  const turnPage = (by: -1 | 1) => setPosition({ day: adjacentDay(view, day, by) })
  const days = { view, day, entries, nouns, loading, onOpenDay: openDay, onTurn: turnPage }

  return (
    <div className={styles['screen']}>
      <CalendarStatusIconDefs />
      <CalendarToolbar
        view={view}
        day={day}
        onPosition={setPosition}
        onExpect={props.onExpect}
        phone={phone}
        {...(timeZone === undefined ? {} : { timeZone })}
      />
      <div className={styles['notes']}>
        {props.legend}
        {props.side}
      </div>
      {props.notes}
      {props.stopped && (
        <Alert
          tone="warning"
          live
          title="The connection was lost, so what you see may be old."
          action={
            <Button size="small" onPress={props.onAgain}>
              Try again
            </Button>
          }
        />
      )}
      {failure ? (
        <Alert
          tone="danger"
          live
          title={failure.message}
          action={
            <Button
              size="small"
              onPress={() => {
                props.onRetry()
                if (grid.isError) void grid.refetch()
              }}
            >
              Try again
            </Button>
          }
        >
          {failure.detail}
        </Alert>
      ) : phone && view !== 'agenda' ? (
        <CalendarPhone
          {...days}
          view={view}
          states={states}
          timeZone={timeZone ?? viewerZone()}
          list={list}
          days={dayList}
          nothing={nothing()}
          onFree={props.onFree}
          onDay={(next) => setPosition({ day: next })}
        />
      ) : view === 'agenda' ? (
        loading ? (
          <ListSkeleton label={`Loading ${nouns.many}`} />
        ) : isEmpty ? (
          nothing()
        ) : (
          dayList(entries, day.toString())
        )
      ) : (
        <div className={styles['sheet']}>
          {Grid && timeZone !== undefined ? (
            <Grid
              {...days}
              view={view}
              markup={props.markup}
              timeZone={timeZone}
              onOpen={onOpen}
              onApproach={onApproach}
              onMore={(date) => setListed({ day: date, open: true })}
              onFree={props.onFree}
              shadeOf={props.shadeOf}
              dragging={props.dragging}
            />
          ) : (
            <GridSkeleton view={view} day={day} label={`Loading ${nouns.many}`} />
          )}
          {isEmpty && <div className={styles['nothing']}>{nothing('bare')}</div>}
        </div>
      )}
      {listed && (
        <CalendarDayDialog
          day={listed.day}
          open={listed.open}
          onClose={() => setListed({ ...listed, open: false })}
          onOpenDay={openDay}
        >
          {list(entries.filter((entry) => entry.day === listed.day))}
        </CalendarDayDialog>
      )}
      {props.children}
    </div>
  )
}
