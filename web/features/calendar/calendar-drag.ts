import { parseDate } from '@internationalized/date'
import styles from './calendar-drag.module.css'
import { timeOf } from './calendar-entry.ts'
import { dateOf, dayCell, entryOf } from './calendar-keyboard.ts'
import { dayTitle, stepMinutes } from './calendar-range.ts'
import { longPressMs } from './long-press.ts'

/** Pixels that a mouse moves before a press becomes a drag, and that a finger may move during a long press. */
const dragThreshold = 6
/** Dragging closer than this to an edge scrolls the container, by this many pixels a step. */
const scrollEdge = 44
const scrollStep = 14
const dayMinutes = 24 * 60
/** After a move by key, the grid has rendered the entry again within this time. */
const rerenderMs = 500

/** Where an entry is dropped. `minutes` since midnight; null: only the day changes. */
export type DropTarget = { day: string; minutes: number | null }

export type Dragging = {
  isMovable: (id: string) => boolean
  onMove: (id: string, to: DropTarget) => void
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
  target?: DropTarget
  cell?: HTMLElement
}

/** The time of day at a height in a day's column, rounded to `stepMinutes`, in minutes since midnight. */
export function minutesAt(height: number, columnHeight: number): number {
  const step = Math.round(((height / columnHeight) * dayMinutes) / stepMinutes) * stepMinutes
  return Math.min(dayMinutes - stepMinutes, Math.max(0, step))
}

/** How far Alt with an arrow key moves an entry; undefined for other keys. Up and down: a week in the month, otherwise `stepMinutes`. */
export function nudgeOf(key: string, isMonth: boolean): { days: number; minutes: number } | undefined {
  const by = (days: number, minutes = 0) => ({ days, minutes })
  if (key === 'ArrowLeft') return by(-1)
  if (key === 'ArrowRight') return by(1)
  if (key === 'ArrowUp') return isMonth ? by(-7) : by(0, -stepMinutes)
  if (key === 'ArrowDown') return isMonth ? by(7) : by(0, stepMinutes)
  return undefined
}

/**
 * Makes entries of the grid movable to another day or hour: by mouse, by finger after a long press, and by Alt with an arrow key.
 * Escape cancels a drag. Returns a function that removes all listeners.
 */
export function addDragging(frame: HTMLElement, dragging: Dragging): () => void {
  let drag: Drag | undefined
  let longPressTimer: ReturnType<typeof setTimeout> | undefined
  let scrollTimer: ReturnType<typeof setInterval> | undefined
  let suppressesClick = false
  /** The entry last moved by key. Nothing has the focus until it is rendered again, so further keys apply to it. */
  let lastNudge: { id: string; isMonth: boolean; at: number } | undefined

  const isMonth = () => frame.querySelector('.sx__month-grid-wrapper') !== null

  const startDrag = (): void => {
    if (!drag) return
    const { entry } = drag
    const ghost = document.createElement('div')
    const style = getComputedStyle(entry)
    ghost.className = styles['ghost'] ?? ''
    ghost.style.setProperty('--width', `${entry.getBoundingClientRect().width}px`)
    ghost.style.setProperty('--ground', style.backgroundColor)
    ghost.style.setProperty('--text', style.color)
    ghost.style.setProperty('--size', style.fontSize)
    const content = entry.querySelector('span')?.cloneNode(true)
    if (content instanceof HTMLElement) {
      content.querySelector('img')?.remove()
      ghost.append(content)
    }
    const label = document.createElement('output')
    label.className = styles['label'] ?? ''
    ghost.append(label)
    document.body.append(ghost)
    entry.dataset['dragged'] = ''
    frame.classList.add(styles['dragging'] ?? '')
    drag.ghost = ghost
    scrollTimer = setInterval(scroll, 30)
    follow()
  }

  /** Moves the dragged copy and its label to the pointer. */
  const follow = (): void => {
    if (!drag?.ghost) return
    const { ghost, x, y, grabX, grabY } = drag
    ghost.style.setProperty('--x', `${x - grabX}px`)
    ghost.style.setProperty('--y', `${y - grabY}px`)
    const under = document.elementFromPoint(x, y)
    const cell = under && frame.contains(under) ? under.closest<HTMLElement>(dayCell) : null
    if (drag.cell && drag.cell !== cell) delete drag.cell.dataset['drop']
    delete drag.cell
    delete drag.target
    const day = dateOf(cell)
    if (cell && day !== undefined) {
      cell.dataset['drop'] = ''
      drag.cell = cell
      const column = cell.getBoundingClientRect()
      drag.target = {
        day,
        minutes: cell.matches('.sx__time-grid-day') ? minutesAt(y - grabY - column.top, column.height) : null,
      }
    }
    const label = ghost.querySelector('output')
    if (label)
      label.textContent = drag.target
        ? drag.target.minutes === null
          ? dayTitle(parseDate(drag.target.day))
          : timeOf(drag.target.minutes * 60_000, 'UTC')
        : ''
  }

  const scroll = (): void => {
    if (!drag?.ghost) return
    const hours = frame.querySelector<HTMLElement>('.sx__view-container')
    const box = hours && hours.scrollHeight > hours.clientHeight ? hours : undefined
    const { top, bottom } = box?.getBoundingClientRect() ?? { top: 0, bottom: window.innerHeight }
    const by = drag.y < top + scrollEdge ? -scrollStep : drag.y > bottom - scrollEdge ? scrollStep : 0
    if (by === 0) return
    if (box) box.scrollTop += by
    else window.scrollBy(0, by)
    follow()
  }

  const end = (): void => {
    clearTimeout(longPressTimer)
    clearInterval(scrollTimer)
    if (!drag) return
    drag.ghost?.remove()
    delete drag.entry.dataset['dragged']
    if (drag.cell) delete drag.cell.dataset['drop']
    frame.classList.remove(styles['dragging'] ?? '')
    drag = undefined
  }

  const onDown = (event: PointerEvent): void => {
    end()
    lastNudge = undefined
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
    if (event.pointerType === 'touch') longPressTimer = setTimeout(startDrag, longPressMs)
  }

  const onMove = (event: PointerEvent): void => {
    if (!drag || event.pointerId !== drag.pointer) return
    const isPastThreshold = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > dragThreshold
    if (!drag.ghost && isPastThreshold) {
      // A finger that moves before the long press scrolls the page.
      if (event.pointerType === 'touch') return end()
      startDrag()
    }
    if (!drag.ghost) return
    drag.x = event.clientX
    drag.y = event.clientY
    follow()
  }

  const onUp = (event: PointerEvent): void => {
    if (!drag || event.pointerId !== drag.pointer) return
    const { id, target, ghost } = drag
    if (ghost) {
      // The click after a drop must not open the entry.
      suppressesClick = true
      setTimeout(() => {
        suppressesClick = false
      })
    }
    end()
    if (ghost && target) dragging.onMove(id, target)
  }

  const onClick = (event: MouseEvent): void => {
    if (!suppressesClick) return
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
    const pendingNudge =
      lastNudge && event.target === document.body && event.timeStamp - lastNudge.at < rerenderMs ? lastNudge : undefined
    if (!pendingNudge && !frame.contains(event.target as Node)) return
    const id = pendingNudge?.id ?? entryOf(event.target)?.dataset['eventId']
    const month = pendingNudge?.isMonth ?? isMonth()
    const by = nudgeOf(event.key, month)
    if (id === undefined || !by || !dragging.isMovable(id)) return
    event.preventDefault()
    lastNudge = { id, isMonth: month, at: event.timeStamp }
    dragging.onNudge(id, by)
  }

  const onFocus = (event: FocusEvent): void => {
    const entry = entryOf(event.target)
    const id = entry?.dataset['eventId']
    if (id !== lastNudge?.id) lastNudge = undefined
    if (id !== undefined && dragging.isMovable(id))
      entry?.setAttribute('aria-keyshortcuts', 'Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown')
  }

  const preventWhileDragging = (event: Event): void => {
    if (drag?.ghost) event.preventDefault()
  }
  const preventDefault = (event: Event): void => event.preventDefault()

  const listeners = new AbortController()
  const { signal } = listeners
  frame.addEventListener('pointerdown', onDown, { signal })
  window.addEventListener('pointermove', onMove, { signal })
  window.addEventListener('pointerup', onUp, { signal })
  window.addEventListener('pointercancel', end, { signal })
  frame.addEventListener('click', onClick, { capture: true, signal })
  frame.addEventListener('touchmove', preventWhileDragging, { passive: false, signal })
  frame.addEventListener('contextmenu', preventWhileDragging, { signal })
  // Prevents the browser's own dragging of pictures.
  frame.addEventListener('dragstart', preventDefault, { signal })
  frame.addEventListener('focusin', onFocus, { signal })
  window.addEventListener('keydown', onKey, { capture: true, signal })
  return () => {
    end()
    listeners.abort()
  }
}
