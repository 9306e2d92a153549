import '@schedule-x/theme-default/dist/index.css'
import type { CalendarDate } from '@internationalized/date'
import { createViewDay, createViewMonthGrid, createViewWeek, type CalendarConfig, type CalendarEventExternal } from '@schedule-x/calendar'
import { createCalendarControlsPlugin } from '@schedule-x/calendar-controls'
import { createEventsServicePlugin } from '@schedule-x/events-service'
import { ScheduleXCalendar, useCalendarApp } from '@schedule-x/react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type {} from 'temporal-polyfill/global'
import { viewerZone } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import type { CalendarEntry } from './calendar-entries.ts'
import styles from './calendar-grid.module.css'
import { teachManners } from './calendar-manners.ts'
import { entryMarkup } from './calendar-markup.ts'
import type { CalendarView } from './calendar-range.ts'
import { GridGhost } from './calendar-skeleton.tsx'

/** Entries of a day that the month shows before '+n more' (spec 9). */
const entriesPerDay = 5
/** Minutes from line to line, and that an entry is high (spec 9). */
const stepMinutes = 30
/** Pixels of a whole day: 24 to a step. */
const dayHeight = (24 * 24 * 60) / stepMinutes
/** With more entries than this on the screen their pictures would only be noise, and hundreds of requests. */
const picturesUpTo = 150

const viewNames = { month: 'month-grid', week: 'week', day: 'day' } as const

export type CalendarGridProps = {
  view: Exclude<CalendarView, 'agenda'>
  day: CalendarDate
  entries: readonly CalendarEntry[]
  /** The entries are still on their way. */
  loading: boolean
  onOpen: (id: string) => void
  /** An entry is about to be opened. */
  onApproach: (id: string) => void
  /** '+n more' of a day, `2026-11-21`. */
  onMore: (day: string) => void
  onOpenDay: (day: string) => void
  onTurn: (by: -1 | 1) => void
}

/** Our own toolbar stands above, in place of the calendar's header. */
const parts = { headerContent: () => null }

const tokens = (name: string) => {
  const colours = { main: `var(--${name})`, container: `var(--${name}-tint)`, onContainer: `var(--${name})` }
  return { colorName: name, lightColors: colours, darkColors: colours }
}

/** Every word the calendar says by itself. */
const words = {
  enUS: {
    '+ 1 event': '+1 more',
    '+ {{n}} events': '+{{n}} more',
    'Link to 1 more event on {{date}}': '+1 more post on {{date}}',
    'Link to {{n}} more events on {{date}}': '+{{n}} more posts on {{date}}',
    'Full day- and multiple day events': 'All day',
  },
}

/**
 * When an entry is, for the grid. The month only asks for its day, and plain days spare it thousands of zone conversions; by the
 * hour it is half an hour high, and whole on its day.
 */
function timesOf(entry: CalendarEntry, view: CalendarGridProps['view'], timeZone: string): Pick<CalendarEventExternal, 'start' | 'end'> {
  if (view === 'month') {
    const day = Temporal.PlainDate.from(entry.day)
    return { start: day, end: day }
  }
  const date = new Date(entry.at)
  const latest = 24 * 60 - 1 - stepMinutes
  const shift = Math.max(0, date.getHours() * 60 + date.getMinutes() - latest) * 60_000
  const start = new Temporal.ZonedDateTime(BigInt(entry.at - (entry.at % 60_000) - shift) * 1_000_000n, timeZone)
  return { start, end: start.add({ minutes: stepMinutes }) }
}

function eventOf(entry: CalendarEntry, view: CalendarGridProps['view'], timeZone: string, withPicture: boolean): CalendarEventExternal {
  const markup = entryMarkup(entry, withPicture)
  return {
    ...timesOf(entry, view, timeZone),
    id: entry.id,
    at: entry.at,
    title: entry.title,
    calendarId: entry.status,
    _customContent: { monthGrid: markup, timeGrid: markup },
  }
}

/** The calendar is made once and calls back for ever: this is where it finds what the screen wants by then. */
type Latest = { get: () => CalendarGridProps; set: (props: CalendarGridProps) => void }

function keepLatest(first: CalendarGridProps): Latest {
  let props = first
  return {
    get: () => props,
    set: (next) => {
      props = next
    },
  }
}

function config(first: Pick<CalendarGridProps, 'view' | 'day'>, latest: Latest): CalendarConfig {
  return {
    views: [createViewMonthGrid(), createViewWeek(), createViewDay()],
    defaultView: viewNames[first.view],
    selectedDate: Temporal.PlainDate.from(first.day.toString()),
    timezone: viewerZone(),
    locale: 'en-US',
    translations: words,
    firstDayOfWeek: 7,
    // The views for a phone are our own, and it is the screen that decides.
    isResponsive: false,
    skipAnimations: true,
    calendars: { posted: tokens('posted'), scheduled: tokens('scheduled'), failed: tokens('failed') },
    monthGridOptions: { nEventsPerDay: entriesPerDay, sortEvents: (a, b) => Number(a['at']) - Number(b['at']) },
    weekOptions: { gridHeight: dayHeight, gridStep: stepMinutes, eventWidth: 97, timeAxisFormatOptions: { hour: 'numeric', minute: '2-digit' } },
    callbacks: {
      onEventClick: (event) => latest.get().onOpen(String(event.id)),
      onClickPlusEvents: (date) => latest.get().onMore(date.toString()),
    },
  }
}

/** Month, week and day by schedule-x. In a chunk of its own: only wide screens ever load it. */
export function CalendarGrid(props: CalendarGridProps) {
  const { view, day, entries, loading } = props
  const frame = useRef<HTMLDivElement>(null)
  const [latest] = useState(() => keepLatest(props))
  useLayoutEffect(() => latest.set(props))
  const [painted, setPainted] = useState(false)
  const [events] = useState(() => createEventsServicePlugin())
  const [controls] = useState(() => createCalendarControlsPlugin())
  const app = useCalendarApp(config({ view, day }, latest), [events, controls])

  useEffect(() => {
    if (!app) return
    const timeZone = viewerZone()
    const withPictures = entries.length <= picturesUpTo
    events.set(entries.map((entry) => eventOf(entry, view, timeZone, withPictures)))
  }, [app, events, entries, view])

  const date = day.toString()
  useEffect(() => {
    if (!app) return
    controls.setDate(Temporal.PlainDate.from(date))
    controls.setView(viewNames[view])
  }, [app, controls, view, date])

  useEffect(() => {
    if (!frame.current) return
    return teachManners(frame.current, {
      onOpenDay: (opened) => latest.get().onOpenDay(opened),
      onTurn: (by) => latest.get().onTurn(by),
      onApproach: (id) => latest.get().onApproach(id),
      // The calendar paints a frame or two after it is mounted; until then its ghost stands there.
      onPaint: () => setPainted(true),
      count: (on) => latest.get().entries.filter((entry) => entry.day === on).length,
    })
  }, [latest])

  // The day and the week open where there is something to see: an hour before the first entry, else in the morning.
  useEffect(() => {
    if (view === 'month' || loading) return
    const frames = requestAnimationFrame(() => {
      const scroller = frame.current?.querySelector('.sx__view-container')
      const hours = latest.get().entries.map((entry) => new Date(entry.at).getHours())
      if (scroller) scroller.scrollTop = (Math.max(0, Math.min(9, ...hours) - 1) / 24) * dayHeight
    })
    return () => cancelAnimationFrame(frames)
  }, [app, latest, view, date, loading])

  return (
    <>
      {!painted && <GridGhost view={view} day={day} />}
      <div
        ref={frame}
        className={classes(styles['grid'], view === 'month' ? styles['month'] : styles['hours'], loading && styles['loading'], !painted && styles['unpainted'])}
        aria-busy={loading}
      >
        <ScheduleXCalendar calendarApp={app} customComponents={parts} />
      </div>
    </>
  )
}
