import { parseDate } from '@internationalized/date'
import type { EmptyCell } from './calendar-entry.ts'
import { dayTitle, stepMinutes } from './calendar-range.ts'
import { addLongPress } from './long-press.ts'

export type CalendarInteraction = {
  onOpenDay: (day: string) => void
  onTurnPage: (by: -1 | 1) => void
  /** Called when an empty day of the month or an empty half hour in the future is clicked. */
  onPlan: (cell: EmptyCell) => void
  /** A CSS background that shades the closed hours of a day. */
  shadeOf: (day: string) => string
  /** Called on hover or focus, to preload an entry. */
  onPreload: (id: string) => void
  /** Called after each rendering of the grid's days. */
  onRender: () => void
  /** The number of entries of a day in words, for its accessible name: "3 posts". */
  countText: (day: string) => string
  /** The current day and time in the calendar's time zone. */
  now: () => { day: string; minutes: number }
}

/** A day of the month, or a day's column of hours. */
export const dayCell = '.sx__month-grid-day, .sx__time-grid-day'
type FocusPlace = { entry: string | undefined; day: string | undefined }

export const entryOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-event-id]') : null
const entryIdOf = (target: EventTarget | null) => entryOf(target)?.dataset['eventId']
const dayOf = (element: Element | undefined) => dateOf(element?.closest('[data-date], [data-time-grid-date]'))
export const dateOf = (element: Element | null | undefined) =>
  element instanceof HTMLElement ? (element.dataset['date'] ?? element.dataset['timeGridDate']) : undefined

/**
 * Adds what schedule-x's grid lacks: names and roles for screen readers, one tab stop with arrow keys (roving tabindex), days that open
 * by click, key and long press, and a line at the current time. A MutationObserver applies this after each rendering of the grid, before
 * the browser paints. Returns a function that removes it.
 */
export function addCalendarInteraction(frame: HTMLElement, interaction: CalendarInteraction): () => void {
  let tabStop: HTMLElement | null = null
  /** The focused day and entry, which get the focus back after a rendering. */
  let lastFocused: FocusPlace | undefined
  let isTurnedByKey = false

  const decorate = () => {
    for (const cell of frame.querySelectorAll<HTMLElement>(dayCell)) {
      const date = dateOf(cell)
      if (!date) continue
      cell.style.setProperty('--closed', interaction.shadeOf(date))
      cell.setAttribute('role', 'group')
      cell.setAttribute('aria-label', `${dayTitle(parseDate(date))}, ${interaction.countText(date)}`)
    }
    for (const head of dateHeads()) {
      const date = dateOf(head.closest('[data-date]'))
      if (!date) continue
      head.setAttribute('role', 'button')
      head.setAttribute('aria-label', `Open ${dayTitle(parseDate(date))}`)
    }
    // Without entries the hours must still be scrollable by keyboard.
    const hours = frame.querySelector<HTMLElement>('.sx__view-container:has(.sx__week-grid)')
    if (hours && focusables().length === 0) {
      hours.tabIndex = 0
      hours.setAttribute('role', 'group')
      hours.setAttribute('aria-label', 'Hours')
    } else hours?.removeAttribute('tabindex')
    markNow()
    restoreFocus()
    updateTabStop()
    if (!frame.querySelector(dayCell)) return
    interaction.onRender()
    // A change of the range by key has removed the focused element.
    if (isTurnedByKey && document.activeElement === document.body) tabStop?.focus()
    isTurnedByKey = false
  }

  /** The day numbers, which open their day in the month and the week. */
  const dateHeads = () =>
    frame.querySelectorAll<HTMLElement>('.sx__month-grid-day__header-date, .is-week-view .sx__week-grid__date-number')

  /** The focusable elements of each day, from top to bottom. */
  const focusables = (): HTMLElement[][] => {
    const days = new Map<string, HTMLElement[]>()
    for (const element of frame.querySelectorAll<HTMLElement>(
      '[data-date] [role="button"], [data-time-grid-date] [role="button"], .sx__month-grid-day__events-more',
    )) {
      const date = dayOf(element)
      if (date) days.set(date, [...(days.get(date) ?? []), element])
    }
    return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, elements]) => elements)
  }

  /**
   * A rendering removes the focused element, or reuses it for another entry. Moves the focus back to the same entry, otherwise to the
   * first element of its day, or to the hours.
   */
  const restoreFocus = () => {
    const isRemoved = document.activeElement === document.body && !tabStop?.isConnected
    const isReused = tabStop !== null && document.activeElement === tabStop && entryIdOf(tabStop) !== lastFocused?.entry
    if (!lastFocused || !(isRemoved || isReused)) return
    const { entry, day } = lastFocused
    const all = focusables()
    const target =
      all.flat().find((element) => entry !== undefined && entryIdOf(element) === entry) ??
      all.find((elements) => dayOf(elements[0]) === day)?.[0]
    // A day or week without entries has only its hours.
    const fallback = frame.querySelector<HTMLElement>('.sx__view-container[tabindex="0"]')
    ;(target ?? fallback)?.focus({ preventScroll: true })
  }

  /** Roving tabindex: only the last used element is in the tab order; without one today's, otherwise the first. */
  const updateTabStop = () => {
    const all = focusables().flat()
    if (!tabStop || !tabStop.isConnected)
      tabStop =
        frame.querySelector<HTMLElement>('.sx__is-today, .sx__week-grid__date--is-today [role="button"]') ??
        all[0] ??
        null
    if (tabStop && !all.includes(tabStop)) tabStop = all[0] ?? null
    for (const element of all) element.tabIndex = element === tabStop ? 0 : -1
  }

  const moveFocus = (from: HTMLElement, key: string): HTMLElement | undefined => {
    const days = focusables()
    const day = days.findIndex((elements) => elements.includes(from))
    const place = days[day]?.indexOf(from) ?? 0
    const rows = frame.querySelector('.sx__month-grid-wrapper') ? 7 : days.length
    const beside = (index: number) => days[index]?.[Math.min(place, days[index].length - 1)]
    if (key === 'ArrowDown') return days[day]?.[place + 1] ?? (rows === 7 ? days[day + 7]?.[0] : undefined)
    if (key === 'ArrowUp') return days[day]?.[place - 1] ?? (rows === 7 ? days[day - 7]?.at(-1) : undefined)
    if (key === 'ArrowRight') return beside(day + 1)
    if (key === 'ArrowLeft') return beside(day - 1)
    if (key === 'Home') return days[day - (day % rows)]?.[0]
    if (key === 'End') return days[Math.min(days.length - 1, day - (day % rows) + rows - 1)]?.[0]
    return undefined
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const target =
      event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[role="button"], button') : null
    if (!target || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'PageUp' || event.key === 'PageDown') {
      event.preventDefault()
      isTurnedByKey = true
      interaction.onTurnPage(event.key === 'PageUp' ? -1 : 1)
      return
    }
    // Space presses the button and must not scroll the page too.
    if (event.key === ' ' && target.getAttribute('role') === 'button') event.preventDefault()
    if ((event.key === 'Enter' || event.key === ' ') && openDayOf(target)) return
    const next = moveFocus(target, event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  const onFocusIn = (event: FocusEvent) => {
    if (!(event.target instanceof HTMLElement) || !frame.contains(event.target)) return
    tabStop = event.target
    lastFocused = { entry: entryIdOf(tabStop), day: dayOf(tabStop) }
    updateTabStop()
    preload(event)
  }

  const onFocusOut = ({ target }: FocusEvent) => {
    // If the element is still connected, the user moved the focus away; otherwise a rendering removed it.
    queueMicrotask(() => {
      if (target instanceof Element && target.isConnected && !frame.contains(document.activeElement))
        lastFocused = undefined
    })
  }

  const preload = ({ target }: Event) => {
    const id = entryIdOf(target)
    if (id !== undefined) interaction.onPreload(id)
  }

  const openDayOf = (target: EventTarget | null): boolean => {
    const head = target instanceof Element && [...dateHeads()].find((one) => one.contains(target))
    const date = head ? dateOf(head.closest('[data-date]')) : undefined
    if (date === undefined) return false
    interaction.onOpenDay(date)
    return true
  }

  const onClick = (event: MouseEvent) => {
    if (openDayOf(event.target)) return
    const { target } = event
    const cell = target instanceof Element && !target.closest('.sx__event, button') ? target.closest(dayCell) : null
    const day = dateOf(cell)
    if (!cell || day === undefined) return
    const { top, height } = cell.getBoundingClientRect()
    const minutes = cell.matches('.sx__time-grid-day') ? stepAt(event.clientY - top, height) : null
    const now = interaction.now()
    if (day < now.day || (day === now.day && minutes !== null && minutes <= now.minutes)) return
    interaction.onPlan({ day, minutes })
  }

  const onLongPress = (target: Element) => {
    const date = target.closest('.sx__event, button') ? undefined : dateOf(target.closest(dayCell))
    if (date !== undefined) interaction.onOpenDay(date)
  }

  const markNow = () => {
    const { day: today, minutes } = interaction.now()
    for (const column of frame.querySelectorAll<HTMLElement>('.sx__time-grid-day')) {
      if (dateOf(column) !== today) delete column.dataset['now']
      else {
        column.dataset['now'] = ''
        column.style.setProperty('--now', `${(minutes / 14.4).toFixed(2)}%`)
      }
    }
  }

  const observer = new MutationObserver(decorate)
  observer.observe(frame, { childList: true, subtree: true })
  const clock = setInterval(markNow, 60_000)
  const listeners = new AbortController()
  const { signal } = listeners
  frame.addEventListener('keydown', onKeyDown, { signal })
  frame.addEventListener('focusin', onFocusIn, { signal })
  frame.addEventListener('focusout', onFocusOut, { signal })
  frame.addEventListener('click', onClick, { signal })
  frame.addEventListener('pointerdown', preload, { signal })
  const removeLongPress = addLongPress(frame, onLongPress)
  decorate()
  return () => {
    observer.disconnect()
    clearInterval(clock)
    listeners.abort()
    removeLongPress()
  }
}

/** The start of the step at a height in a day's column, in minutes since midnight. */
function stepAt(height: number, columnHeight: number): number {
  const steps = (24 * 60) / stepMinutes
  return Math.min(steps - 1, Math.max(0, Math.floor((height / columnHeight) * steps))) * stepMinutes
}
