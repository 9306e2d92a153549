import { parseDate } from '@internationalized/date'
import type { FreePlace } from './calendar-entry.ts'
import { dayTitle, stepMinutes } from './calendar-range.ts'

/** The duration of a long press. */
export const longPressMs = 250
/** Pixels that a finger may move during a long press. */
const longPressTolerance = 10

export type CalendarInteraction = {
  onOpenDay: (day: string) => void
  onTurn: (by: -1 | 1) => void
  /** Called when an empty day of the month or an empty half hour in the future is clicked. */
  onFree: (place: FreePlace) => void
  /** A CSS background that shades the closed hours of a day. */
  shadeOf: (day: string) => string
  /** Called on hover or focus, to preload an entry. */
  onApproach: (id: string) => void
  /** Called whenever the grid has rendered its days. */
  onPaint: () => void
  /** The number of entries of a day in words, for its accessible name: "3 posts". */
  count: (day: string) => string
  /** The current day and time in the calendar's time zone. */
  now: () => { day: string; minutes: number }
}

const dayCell = '.sx__month-grid-day, .sx__time-grid-day'
type Place = { entry: string | undefined; day: string | undefined }

const entryOf = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-event-id]')?.dataset['eventId'] : undefined
const dayOf = (element: Element | undefined) => dateOf(element?.closest('[data-date], [data-time-grid-date]'))
const dateOf = (element: Element | null | undefined) =>
  element instanceof HTMLElement ? (element.dataset['date'] ?? element.dataset['timeGridDate']) : undefined

/**
 * Adds to the grid what schedule-x lacks: names and roles for screen readers, one tab stop with arrow keys (roving tabindex), days that
 * open by click, key and long press, and a line at the current time. A MutationObserver applies it after every rendering of the grid,
 * before the browser paints. Returns a function that removes everything.
 */
export function addCalendarInteraction(frame: HTMLElement, interaction: CalendarInteraction): () => void {
  let tabStop: HTMLElement | null = null
  /** The day and entry that have the focus, by which it is found again after a rendering. */
  let lastFocused: Place | undefined
  let isTurnedByKey = false

  const decorate = () => {
    for (const cell of frame.querySelectorAll<HTMLElement>(dayCell)) {
      const date = dateOf(cell)
      if (!date) continue
      cell.style.setProperty('--closed', interaction.shadeOf(date))
      cell.setAttribute('role', 'group')
      cell.setAttribute('aria-label', `${dayTitle(parseDate(date))}, ${interaction.count(date)}`)
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
    interaction.onPaint()
    // The range was changed by key, which removed the focused element.
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
   * A rendering removes the focused element, or reuses it for another entry. Moves the focus back to the same entry, or else to the
   * first element of its day.
   */
  const restoreFocus = () => {
    const isRemoved = document.activeElement === document.body && !tabStop?.isConnected
    const isReused = tabStop !== null && document.activeElement === tabStop && entryOf(tabStop) !== lastFocused?.entry
    if (!lastFocused || !(isRemoved || isReused)) return
    const { entry, day } = lastFocused
    const all = focusables()
    const again =
      all.flat().find((element) => entry !== undefined && entryOf(element) === entry) ??
      all.find((elements) => dayOf(elements[0]) === day)?.[0]
    again?.focus({ preventScroll: true })
  }

  /** Roving tabindex: only the element last used is in the tab order, else today's, else the first. */
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

  const move = (from: HTMLElement, key: string): HTMLElement | undefined => {
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
      interaction.onTurn(event.key === 'PageUp' ? -1 : 1)
      return
    }
    // Space presses the button and must not scroll the page too.
    if (event.key === ' ' && target.getAttribute('role') === 'button') event.preventDefault()
    if ((event.key === 'Enter' || event.key === ' ') && openDayOf(target)) return
    const next = move(target, event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  const onFocusIn = (event: FocusEvent) => {
    if (!(event.target instanceof HTMLElement) || !frame.contains(event.target)) return
    tabStop = event.target
    lastFocused = { entry: entryOf(tabStop), day: dayOf(tabStop) }
    updateTabStop()
    approach(event)
  }

  const onFocusOut = ({ target }: FocusEvent) => {
    // If the element is still connected, the user moved the focus away; otherwise a rendering removed it.
    queueMicrotask(() => {
      if (target instanceof Element && target.isConnected && !frame.contains(document.activeElement))
        lastFocused = undefined
    })
  }

  const approach = ({ target }: Event) => {
    const id = entryOf(target)
    if (id !== undefined) interaction.onApproach(id)
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
    interaction.onFree({ day, minutes })
  }

  const press = longPress((target) => {
    const date = target.closest('.sx__event, button') ? undefined : dateOf(target.closest(dayCell))
    if (date !== undefined) interaction.onOpenDay(date)
  })

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
  const listening = new AbortController()
  const { signal } = listening
  frame.addEventListener('keydown', onKeyDown, { signal })
  frame.addEventListener('focusin', onFocusIn, { signal })
  frame.addEventListener('focusout', onFocusOut, { signal })
  frame.addEventListener('click', onClick, { signal })
  frame.addEventListener('pointerdown', approach, { signal })
  const removeLongPress = press(frame)
  decorate()
  return () => {
    observer.disconnect()
    clearInterval(clock)
    listening.abort()
    removeLongPress()
  }
}

/** The start of the step at a height in a day's column, in minutes since midnight. */
function stepAt(height: number, whole: number): number {
  const steps = (24 * 60) / stepMinutes
  return Math.min(steps - 1, Math.max(0, Math.floor((height / whole) * steps))) * stepMinutes
}

/** Detects long presses inside an element, and suppresses the click that follows one. */
export function longPress(onPress: (target: Element) => void): (element: HTMLElement) => () => void {
  return (element) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let at = { x: 0, y: 0 }
    let pressed = false
    const forget = () => clearTimeout(timer)
    const onDown = (event: PointerEvent) => {
      forget()
      pressed = false
      const { target } = event
      if (event.pointerType !== 'touch' || !event.isPrimary || !(target instanceof Element)) return
      at = { x: event.clientX, y: event.clientY }
      timer = setTimeout(() => {
        pressed = true
        onPress(target)
      }, longPressMs)
    }
    const onMove = (event: PointerEvent) => {
      if (Math.hypot(event.clientX - at.x, event.clientY - at.y) > longPressTolerance) forget()
    }
    const onClick = (event: MouseEvent) => {
      if (!pressed) return
      pressed = false
      event.preventDefault()
      event.stopPropagation()
    }
    // Prevents the browser's context menu of a long press.
    const onMenu = (event: MouseEvent) => {
      if (pressed) event.preventDefault()
    }
    const listening = new AbortController()
    const { signal } = listening
    element.addEventListener('pointerdown', onDown, { signal })
    element.addEventListener('pointermove', onMove, { signal })
    element.addEventListener('pointerup', forget, { signal })
    element.addEventListener('pointercancel', forget, { signal })
    element.addEventListener('click', onClick, { capture: true, signal })
    element.addEventListener('contextmenu', onMenu, { signal })
    return () => {
      forget()
      listening.abort()
    }
  }
}
