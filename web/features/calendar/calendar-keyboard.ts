import { parseDate } from '@internationalized/date'
import type { FreePlace } from './calendar-entry.ts'
import { dayTitle, stepMinutes } from './calendar-range.ts'

/** Milliseconds a finger rests before it counts as a long press. */
export const longPressMs = 250
/** Pixels a finger may tremble meanwhile. */
const tremble = 10

export type CalendarInteraction = {
  onOpenDay: (day: string) => void
  onTurn: (by: -1 | 1) => void
  /** An empty day of the month, or an empty half hour, was clicked; nothing of the past. */
  onFree: (place: FreePlace) => void
  /** CSS image that shades the hours of a day in which nobody works. */
  shadeOf: (day: string) => string
  /** An entry is about to be opened. */
  onApproach: (id: string) => void
  /** The grid has days to show. */
  onPaint: () => void
  /** What a day holds, for its name: "3 posts". */
  count: (day: string) => string
  /** The present day and its hour, in the zone of the calendar. */
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
 * Teaches the grid what it lacks: names and roles for screen readers, one stop for the Tab key with arrows from there on, days
 * that open by click, key and long press, and a line at the present time. It works on the painted grid and is told of every
 * new painting, before the browser shows it. Answers how to stop.
 */
export function addCalendarInteraction(frame: HTMLElement, interaction: CalendarInteraction): () => void {
  let stop: HTMLElement | null = null
  /** Where the focus is inside the grid, in words that outlive a painting. */
  let held: Place | undefined
  let turned = false

  const tidy = () => {
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
    // Hours without anything in them are still to be scrolled by key.
    const hours = frame.querySelector<HTMLElement>('.sx__view-container:has(.sx__week-grid)')
    if (hours && stops().length === 0) {
      hours.tabIndex = 0
      hours.setAttribute('role', 'group')
      hours.setAttribute('aria-label', 'Hours')
    } else hours?.removeAttribute('tabindex')
    markNow()
    keepHold()
    rove()
    if (!frame.querySelector(dayCell)) return
    interaction.onPaint()
    // The page was turned by key, and what had the focus went with it.
    if (turned && document.activeElement === document.body) stop?.focus()
    turned = false
  }

  /** The number of each day; in the week as in the month it opens the day. */
  const dateHeads = () =>
    frame.querySelectorAll<HTMLElement>('.sx__month-grid-day__header-date, .is-week-view .sx__week-grid__date-number')

  /** What the keyboard stops at, day by day, each from top to bottom. */
  const stops = (): HTMLElement[][] => {
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
   * A painting takes away what had the focus, or draws another entry into the same element: give the focus back to the same
   * entry, else to the head of its day.
   */
  const keepHold = () => {
    const lost = document.activeElement === document.body && !stop?.isConnected
    const swapped = stop !== null && document.activeElement === stop && entryOf(stop) !== held?.entry
    if (!held || !(lost || swapped)) return
    const { entry, day } = held
    const all = stops()
    const again =
      all.flat().find((element) => entry !== undefined && entryOf(element) === entry) ??
      all.find((elements) => dayOf(elements[0]) === day)?.[0]
    again?.focus({ preventScroll: true })
  }

  /** Exactly one of them is in the order of the Tab key: the last one used, else today's, else the first. */
  const rove = () => {
    const all = stops().flat()
    if (!stop || !stop.isConnected)
      stop =
        frame.querySelector<HTMLElement>('.sx__is-today, .sx__week-grid__date--is-today [role="button"]') ??
        all[0] ??
        null
    if (stop && !all.includes(stop)) stop = all[0] ?? null
    for (const element of all) element.tabIndex = element === stop ? 0 : -1
  }

  const move = (from: HTMLElement, key: string): HTMLElement | undefined => {
    const days = stops()
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
      turned = true
      interaction.onTurn(event.key === 'PageUp' ? -1 : 1)
      return
    }
    // The space bar presses; it must not scroll the page as well.
    if (event.key === ' ' && target.getAttribute('role') === 'button') event.preventDefault()
    if ((event.key === 'Enter' || event.key === ' ') && openDayOf(target)) return
    const next = move(target, event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  const onFocusIn = (event: FocusEvent) => {
    if (!(event.target instanceof HTMLElement) || !frame.contains(event.target)) return
    stop = event.target
    held = { entry: entryOf(stop), day: dayOf(stop) }
    rove()
    approach(event)
  }

  const onFocusOut = ({ target }: FocusEvent) => {
    // What is still there once it has lost the focus was left; what is gone was painted away.
    queueMicrotask(() => {
      if (target instanceof Element && target.isConnected && !frame.contains(document.activeElement)) held = undefined
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

  const painted = new MutationObserver(tidy)
  painted.observe(frame, { childList: true, subtree: true })
  const clock = setInterval(markNow, 60_000)
  frame.addEventListener('keydown', onKeyDown)
  frame.addEventListener('focusin', onFocusIn)
  frame.addEventListener('focusout', onFocusOut)
  frame.addEventListener('click', onClick)
  frame.addEventListener('pointerdown', approach)
  const letGo = press(frame)
  tidy()
  return () => {
    painted.disconnect()
    clearInterval(clock)
    frame.removeEventListener('keydown', onKeyDown)
    frame.removeEventListener('focusin', onFocusIn)
    frame.removeEventListener('focusout', onFocusOut)
    frame.removeEventListener('click', onClick)
    frame.removeEventListener('pointerdown', approach)
    letGo()
  }
}

/** The step of the day, in minutes since midnight, in which a height of its column lies. */
function stepAt(height: number, whole: number): number {
  const steps = (24 * 60) / stepMinutes
  return Math.min(steps - 1, Math.max(0, Math.floor((height / whole) * steps))) * stepMinutes
}

/** Listens for a finger that rests on something inside an element. The click that would follow is swallowed. */
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
      if (Math.hypot(event.clientX - at.x, event.clientY - at.y) > tremble) forget()
    }
    const onClick = (event: MouseEvent) => {
      if (!pressed) return
      pressed = false
      event.preventDefault()
      event.stopPropagation()
    }
    // The browser's own menu for a long press would come on top.
    const onMenu = (event: MouseEvent) => {
      if (pressed) event.preventDefault()
    }
    element.addEventListener('pointerdown', onDown)
    element.addEventListener('pointermove', onMove)
    element.addEventListener('pointerup', forget)
    element.addEventListener('pointercancel', forget)
    element.addEventListener('click', onClick, { capture: true })
    element.addEventListener('contextmenu', onMenu)
    return () => {
      forget()
      element.removeEventListener('pointerdown', onDown)
      element.removeEventListener('pointermove', onMove)
      element.removeEventListener('pointerup', forget)
      element.removeEventListener('pointercancel', forget)
      element.removeEventListener('click', onClick, { capture: true })
      element.removeEventListener('contextmenu', onMenu)
    }
  }
}
