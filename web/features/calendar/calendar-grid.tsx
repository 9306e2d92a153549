import '@schedule-x/theme-default/dist/index.css'
import type { CalendarDate } from '@internationalized/date'
import {
  createViewDay,
  createViewMonthGrid,
  createViewWeek,
  type CalendarConfig,
  type CalendarEventExternal,
} from '@schedule-x/calendar'
import { createCalendarControlsPlugin } from '@schedule-x/calendar-controls'
import { createEventsServicePlugin } from '@schedule-x/events-service'
import { ScheduleXCalendar, useCalendarApp } from '@schedule-x/react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type {} from 'temporal-polyfill/global'
import { classes } from '../../ui/classes.ts'
import { addDragging, type Dragging } from './calendar-drag.ts'
import { countText, displayState, type BaseEntry, type EmptyCell, type Nouns } from './calendar-entry.ts'
import styles from './calendar-grid.module.css'
import { addCalendarInteraction } from './calendar-keyboard.ts'
import { entriesPerDay, stepMinutes, type GridView } from './calendar-range.ts'
import { GridSkeleton } from './calendar-skeleton.tsx'

/** The height of a day in pixels: 24 per step. */
const dayHeight = (24 * 24 * 60) / stepMinutes
/** With more entries, pictures would be too small to recognise and cost hundreds of requests. */
const maxEntriesWithPictures = 150

const viewNames = { month: 'month-grid', week: 'week', day: 'day' } as const

export type CalendarGridProps<E extends BaseEntry> = {
  view: GridView
  day: CalendarDate
  entries: readonly E[]
  /** The escaped HTML inside an entry. */
  markup: (entry: E, withPicture: boolean) => string
  nouns: Nouns
  /** The time zone of days and hours. */
  timeZone: string
  loading: boolean
  onOpen: (id: string) => void
  /** Called on hover or focus, to preload an entry. */
  onPreload?: (id: string) => void
  /** Called when "+n more" of a day (`2026-11-21`) is pressed. */
  onMore: (day: string) => void
  onOpenDay: (day: string) => void
  onTurnPage: (by: -1 | 1) => void
  /** Called when an empty day or half hour in the future is clicked, or the button of a day on a phone. */
  onPlan: (cell: EmptyCell) => void
  /** A CSS background that shades the closed hours of a day. */
  shadeOf?: (day: string) => string
  /** Absent if entries cannot be dragged. */
  dragging?: Dragging
}

/** Hides schedule-x's header, because CalendarToolbar replaces it. */
const customComponents = { headerContent: () => null }

const colorsOf = (name: string, ink: string, ground: string) => {
  const colours = { main: `var(${ink})`, container: `var(${ground})`, onContainer: `var(${ink})` }
  return { colorName: name, lightColors: colours, darkColors: colours }
}

const stateColors = {
  posted: colorsOf('posted', '--posted', '--posted-tint'),
  scheduled: colorsOf('scheduled', '--scheduled', '--scheduled-tint'),
  failed: colorsOf('failed', '--failed', '--failed-tint'),
  endangered: colorsOf('endangered', '--pending', '--pending-tint'),
  completed: colorsOf('completed', '--posted', '--posted-tint'),
  confirmed: colorsOf('confirmed', '--scheduled', '--scheduled-tint'),
  pending: colorsOf('pending', '--pending', '--pending-tint'),
  cancelled: colorsOf('cancelled', '--muted', '--sunken'),
}

/** Replaces schedule-x's texts. */
const translations = (nouns: Nouns) => ({
  enUS: {
    '+ 1 event': '+1 more',
    '+ {{n}} events': '+{{n}} more',
    'Link to 1 more event on {{date}}': `+1 more ${nouns.one} on {{date}}`,
    'Link to {{n}} more events on {{date}}': `+{{n}} more ${nouns.many} on {{date}}`,
    'Full day- and multiple day events': 'All day',
  },
})

const zonedMinute = (at: number, timeZone: string) =>
  new Temporal.ZonedDateTime(BigInt(at - (at % 60_000)) * 1_000_000n, timeZone)

/**
 * The start and end of an entry for schedule-x. In the month, plain dates avoid thousands of time zone conversions. In the week and day
 * view, an entry without a duration is half an hour high, and is moved up if it would end after midnight. One with a duration ends before
 * midnight, because schedule-x shows an entry of two days in the row of whole days, which is hidden.
 */
function timesOf(entry: BaseEntry, view: GridView, timeZone: string): Pick<CalendarEventExternal, 'start' | 'end'> {
  if (view === 'month') {
    const day = Temporal.PlainDate.from(entry.day)
    return { start: day, end: day }
  }
  const at = zonedMinute(entry.at, timeZone)
  if (entry.until !== undefined) {
    const midnight = at.startOfDay().add({ days: 1 }).epochMilliseconds
    return { start: at, end: zonedMinute(Math.min(entry.until, midnight - 60_000), timeZone) }
  }
  const lastStart = 24 * 60 - 1 - stepMinutes
  const start = at.subtract({ minutes: Math.max(0, at.hour * 60 + at.minute - lastStart) })
  return { start, end: start.add({ minutes: stepMinutes }) }
}

function eventOf(entry: BaseEntry, view: GridView, timeZone: string, markup: string): CalendarEventExternal {
  return {
    ...timesOf(entry, view, timeZone),
    id: entry.id,
    at: entry.at,
    title: entry.title,
    calendarId: displayState(entry),
    _customContent: { monthGrid: markup, timeGrid: markup },
  }
}

/** The latest props, for callbacks that are passed to schedule-x only once. */
type Latest<E extends BaseEntry> = { get: () => CalendarGridProps<E>; set: (props: CalendarGridProps<E>) => void }

function keepLatest<E extends BaseEntry>(first: CalendarGridProps<E>): Latest<E> {
  let props = first
  return {
    get: () => props,
    set: (next) => {
      props = next
    },
  }
}

function config<E extends BaseEntry>(
  first: Pick<CalendarGridProps<E>, 'view' | 'day' | 'nouns' | 'timeZone'>,
  latest: Latest<E>,
): CalendarConfig {
  return {
    views: [createViewMonthGrid(), createViewWeek(), createViewDay()],
    defaultView: viewNames[first.view],
    selectedDate: Temporal.PlainDate.from(first.day.toString()),
    timezone: first.timeZone as NonNullable<CalendarConfig['timezone']>,
    locale: 'en-US',
    translations: translations(first.nouns),
    firstDayOfWeek: 7,
    // Phones get our own views, which CalendarScreen chooses.
    isResponsive: false,
    skipAnimations: true,
    calendars: stateColors,
    monthGridOptions: { nEventsPerDay: entriesPerDay, sortEvents: (a, b) => Number(a['at']) - Number(b['at']) },
    weekOptions: {
      gridHeight: dayHeight,
      gridStep: stepMinutes,
      eventWidth: 97,
      timeAxisFormatOptions: { hour: 'numeric', minute: '2-digit' },
    },
    callbacks: {
      onEventClick: (event) => latest.get().onOpen(String(event.id)),
      onClickPlusEvents: (date) => latest.get().onMore(date.toString()),
    },
  }
}

/** Month, week and day by schedule-x. Its chunk is loaded on wide screens only. */
export function CalendarGrid<E extends BaseEntry>(props: CalendarGridProps<E>) {
  const { view, day, entries, loading, markup, nouns, timeZone, shadeOf } = props
  const frame = useRef<HTMLDivElement>(null)
  const [latest] = useState(() => keepLatest(props))
  useLayoutEffect(() => latest.set(props))
  const [isRendered, setIsRendered] = useState(false)
  // The skeleton stays until the first entries are loaded, because they determine the height of the weeks.
  const [isShown, setIsShown] = useState(false)
  if (isRendered && !loading && !isShown) setIsShown(true)
  const [events] = useState(() => createEventsServicePlugin())
  const [controls] = useState(() => createCalendarControlsPlugin())
  const app = useCalendarApp(config({ view, day, nouns, timeZone }, latest), [events, controls])

  useEffect(() => {
    if (!app) return
    const withPictures = entries.length <= maxEntriesWithPictures
    events.set(entries.map((entry) => eventOf(entry, view, timeZone, markup(entry, withPictures))))
  }, [app, events, entries, view, markup, timeZone])

  const date = day.toString()
  useEffect(() => {
    if (!app) return
    controls.setDate(Temporal.PlainDate.from(date))
    controls.setView(viewNames[view])
  }, [app, controls, view, date])

  useEffect(() => {
    if (!frame.current) return
    return addCalendarInteraction(frame.current, {
      onOpenDay: (opened) => latest.get().onOpenDay(opened),
      onTurnPage: (by) => latest.get().onTurnPage(by),
      onPlan: (place) => latest.get().onPlan(place),
      shadeOf: (on) => shadeOf?.(on) ?? 'none',
      onPreload: (id) => latest.get().onPreload?.(id),
      // schedule-x renders a frame or two after it is mounted.
      onRender: () => setIsRendered(true),
      countText: (on) => countText(latest.get().entries.filter((entry) => entry.day === on).length, latest.get().nouns),
      now: () => {
        const now = Temporal.Now.zonedDateTimeISO(latest.get().timeZone)
        return { day: now.toPlainDate().toString(), minutes: now.hour * 60 + now.minute }
      },
    })
  }, [latest, shadeOf])

  useEffect(() => {
    if (!frame.current) return
    return addDragging(frame.current, {
      isMovable: (id) => latest.get().dragging?.isMovable(id) ?? false,
      onMove: (id, to) => latest.get().dragging?.onMove(id, to),
      onNudge: (id, by) => latest.get().dragging?.onNudge(id, by),
    })
  }, [latest])

  // Scrolls day and week to the morning, or to an hour before the first entry if that is later than the visible hours.
  useEffect(() => {
    if (view === 'month' || loading) return
    const frames = requestAnimationFrame(() => {
      const scroller = frame.current?.querySelector('.sx__view-container')
      const hours = latest.get().entries.map((entry) => zonedMinute(entry.at, latest.get().timeZone).hour)
      if (!scroller) return
      const first = Math.min(...hours)
      const morning = Math.max(0, Math.min(9, first) - 1)
      const visibleHours = (scroller.clientHeight / dayHeight) * 24
      const top = Number.isFinite(first) && first >= morning + visibleHours - 1 ? first - 1 : morning
      scroller.scrollTop = (top / 24) * dayHeight
    })
    return () => cancelAnimationFrame(frames)
  }, [app, latest, view, date, loading])

  return (
    <>
      {!isShown && <GridSkeleton view={view} day={day} label={`Loading ${nouns.many}`} />}
      <div
        ref={frame}
        className={classes(
          styles['grid'],
          view === 'month' ? styles['month'] : styles['hours'],
          loading && styles['loading'],
          !isShown && styles['unpainted'],
        )}
        aria-busy={loading}
      >
        <ScheduleXCalendar calendarApp={app} customComponents={customComponents} />
      </div>
    </>
  )
}
