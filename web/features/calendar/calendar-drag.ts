import { parseDate } from '@internationalized/date'
import styles from './calendar-drag.module.css'
import { longPressMs } from './calendar-keyboard.ts'
import { dayTitle } from './calendar-range.ts'

/** Pixels that a mouse moves before a press becomes a drag, and that a finger may move during a long press. */
const threshold = 6
/** Minutes that an entry moves by in the week and day view. */
const dragStep = 30
/** The distance from an edge at which dragging scrolls the container, and the length of a scroll step, in pixels. */
const edge = 44
const scrollBy = 14
const dayMinutes = 24 * 60
/** The time in which the grid renders an entry again that was moved by key. */
const repaintMs = 500

/** The target of a drop. `minutes` since midnight; null: only the day changes. */
export type DropPlace = { day: string; minutes: number | null }

export type Dragging = {
  isMovable: (id: string) => boolean
  onMove: (id: string, to: DropPlace) => void
  /** Called for Alt with an arrow key. */
  onNudge: (id: string, by: { days: number; minutes: number }) => void
}

type Drag = {
  id: string
  entry: HTMLElement
  pointer: number
  x: number
  y: number
  grabX: number
  grabY: number
  ghost?: HTMLElement
  place?: DropPlace
  cell?: HTMLElement
}

const entryOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-event-id]') : null
const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })

/** "3:30 PM". */
const timeWords = (minutes: number) => clock.format(minutes * 60_000).replaceAll('\u202F', ' ')

/** The time of day at a height in a day's column, rounded to `dragStep`, in minutes since midnight. */
export function minutesAt(height: number, whole: number): number {
  const step = Math.round(((height / whole) * dayMinutes) / dragStep) * dragStep
  return Math.min(dayMinutes - dragStep, Math.max(0, step))
}

/** How far Alt with an arrow key moves an entry; undefined for other keys. Up and down are a week in the month, else `dragStep`. */
export function nudgeOf(key: string, isMonth: boolean): { days: number; minutes: number } | undefined {
  const by = (days: number, minutes = 0) => ({ days, minutes })
  if (key === 'ArrowLeft') return by(-1)
  if (key === 'ArrowRight') return by(1)
  if (key === 'ArrowUp') return isMonth ? by(-7) : by(0, -dragStep)
  if (key === 'ArrowDown') return isMonth ? by(7) : by(0, dragStep)
  return undefined
}

/**
 * Lets entries of the grid be moved to another day or hour: by mouse, by finger after a long press, and by Alt with an arrow key.
 * Escape cancels a drag. Returns a function that removes all listeners.
 */
export function addDragging(frame: HTMLElement, dragging: Dragging): () => void {
  let drag: Drag | undefined
  let resting: ReturnType<typeof setTimeout> | undefined
  let scrolling: ReturnType<typeof setInterval> | undefined
  let swallows = false
  /** The entry that was moved by key last. Until it is rendered again nothing has the focus, and further keys are meant for it. */
  let nudged: { id: string; isMonth: boolean; at: number } | undefined

  const isMonth = () => frame.querySelector('.sx__month-grid-wrapper') !== null

  const begin = (): void => {
    if (!drag) return
    const { entry } = drag
    const ghost = document.createElement('div')
    const look = getComputedStyle(entry)
    ghost.className = styles['ghost'] ?? ''
    ghost.style.setProperty('--width', `${entry.getBoundingClientRect().width}px`)
    ghost.style.setProperty('--ground', look.backgroundColor)
    ghost.style.setProperty('--text', look.color)
    ghost.style.setProperty('--size', look.fontSize)
    const inside = entry.querySelector('span')?.cloneNode(true)
    if (inside instanceof HTMLElement) {
      inside.querySelector('img')?.remove()
      ghost.append(inside)
    }
    const label = document.createElement('output')
    label.className = styles['label'] ?? ''
    ghost.append(label)
    document.body.append(ghost)
    entry.dataset['dragged'] = ''
    frame.classList.add(styles['dragging'] ?? '')
    drag.ghost = ghost
    scrolling = setInterval(scroll, 30)
    follow()
  }

  /** Moves the dragged copy and its label to the pointer. */
  const follow = (): void => {
    if (!drag?.ghost) return
    const { ghost, x, y, grabX, grabY } = drag
    ghost.style.setProperty('--x', `${x - grabX}px`)
    ghost.style.setProperty('--y', `${y - grabY}px`)
    const under = document.elementFromPoint(x, y)
    const cell =
      under && frame.contains(under) ? under.closest<HTMLElement>('.sx__month-grid-day, .sx__time-grid-day') : null
    if (drag.cell && drag.cell !== cell) delete drag.cell.dataset['drop']
    delete drag.cell
    delete drag.place
    const day = cell?.dataset['date'] ?? cell?.dataset['timeGridDate']
    if (cell && day !== undefined) {
      cell.dataset['drop'] = ''
      drag.cell = cell
      const column = cell.getBoundingClientRect()
      drag.place = {
        day,
        minutes: cell.matches('.sx__time-grid-day') ? minutesAt(y - grabY - column.top, column.height) : null,
      }
    }
    const label = ghost.querySelector('output')
    if (label)
      label.textContent = drag.place
        ? drag.place.minutes === null
          ? dayTitle(parseDate(drag.place.day))
          : timeWords(drag.place.minutes)
        : ''
  }

  const scroll = (): void => {
    if (!drag?.ghost) return
    const hours = frame.querySelector<HTMLElement>('.sx__view-container')
    const box = hours && hours.scrollHeight > hours.clientHeight ? hours : undefined
    const { top, bottom } = box?.getBoundingClientRect() ?? { top: 0, bottom: window.innerHeight }
    const by = drag.y < top + edge ? -scrollBy : drag.y > bottom - edge ? scrollBy : 0
    if (by === 0) return
    if (box) box.scrollTop += by
    else window.scrollBy(0, by)
    follow()
  }

  const end = (): void => {
    clearTimeout(resting)
    clearInterval(scrolling)
    if (!drag) return
    drag.ghost?.remove()
    delete drag.entry.dataset['dragged']
    if (drag.cell) delete drag.cell.dataset['drop']
    frame.classList.remove(styles['dragging'] ?? '')
    drag = undefined
  }

  const onDown = (event: PointerEvent): void => {
    end()
    nudged = undefined
    const entry = entryOf(event.target)
    const id = entry?.dataset['eventId']
    if (!entry || id === undefined || !event.isPrimary || event.button !== 0 || !dragging.isMovable(id)) return
    const box = entry.getBoundingClientRect()
    drag = {
      id,
      entry,
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      grabX: event.clientX - box.left,
      grabY: event.clientY - box.top,
    }
    if (event.pointerType === 'touch') resting = setTimeout(begin, longPressMs)
  }

  const onMove = (event: PointerEvent): void => {
    if (!drag || event.pointerId !== drag.pointer) return
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > threshold
    if (!drag.ghost && far) {
      // A finger that moves before the long press scrolls the page.
      if (event.pointerType === 'touch') return end()
      begin()
    }
    if (!drag.ghost) return
    drag.x = event.clientX
    drag.y = event.clientY
    follow()
  }

  const onUp = (event: PointerEvent): void => {
    if (!drag || event.pointerId !== drag.pointer) return
    const { id, place, ghost } = drag
    if (ghost) {
      // The click after a drop must not open the entry.
      swallows = true
      setTimeout(() => {
        swallows = false
      })
    }
    end()
    if (ghost && place) dragging.onMove(id, place)
  }

  const onClick = (event: MouseEvent): void => {
    if (!swallows) return
    event.preventDefault()
    event.stopPropagation()
  }

  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && drag?.ghost) {
      event.preventDefault()
      event.stopPropagation()
      return end()
    }
    if (!event.altKey || event.ctrlKey || event.metaKey) return
    const between =
      nudged && event.target === document.body && event.timeStamp - nudged.at < repaintMs ? nudged : undefined
    if (!between && !frame.contains(event.target as Node)) return
    const id = between?.id ?? entryOf(event.target)?.dataset['eventId']
    const month = between?.isMonth ?? isMonth()
    const by = nudgeOf(event.key, month)
    if (id === undefined || !by || !dragging.isMovable(id)) return
    event.preventDefault()
    nudged = { id, isMonth: month, at: event.timeStamp }
    dragging.onNudge(id, by)
  }

  const onFocus = (event: FocusEvent): void => {
    const entry = entryOf(event.target)
    const id = entry?.dataset['eventId']
    if (id !== nudged?.id) nudged = undefined
    if (id !== undefined && dragging.isMovable(id))
      entry?.setAttribute('aria-keyshortcuts', 'Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown')
  }

  const hold = (event: Event): void => {
    if (drag?.ghost) event.preventDefault()
  }
  const never = (event: Event): void => event.preventDefault()

  const listening = new AbortController()
  const { signal } = listening
  frame.addEventListener('pointerdown', onDown, { signal })
  window.addEventListener('pointermove', onMove, { signal })
  window.addEventListener('pointerup', onUp, { signal })
  window.addEventListener('pointercancel', end, { signal })
  frame.addEventListener('click', onClick, { capture: true, signal })
  frame.addEventListener('touchmove', hold, { passive: false, signal })
  frame.addEventListener('contextmenu', hold, { signal })
  // Prevents the browser's own dragging of pictures.
  frame.addEventListener('dragstart', never, { signal })
  frame.addEventListener('focusin', onFocus, { signal })
  window.addEventListener('keydown', onKey, { capture: true, signal })
  return () => {
    end()
    listening.abort()
  }
}
