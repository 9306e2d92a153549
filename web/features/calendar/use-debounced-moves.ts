import { useEffect, useEffectEvent, useRef } from 'react'
import type { Dragging, DropTarget } from './calendar-drag.ts'

/** Key presses in quick succession are saved as one move. */
const debounceMs = 600

/** How a calendar moves its entries. `P` is the type of a position: an instant, or a day with a slot. */
export type MovableEntries<E extends { id: string }, P> = {
  entries: readonly E[]
  isMovable: (entry: E) => boolean
  /** The position of an entry in `entries`. */
  placeOf: (entry: E) => P
  isSame: (one: P, other: P) => boolean
  droppedAt: (from: P, to: DropTarget) => P
  nudgedAt: (from: P, by: { days: number; minutes: number }) => P
  /** Whether a position is allowed. Shows the reason if it is not. */
  isAllowed?: (place: P) => boolean
  /** Moves an entry on the screen, before it is saved. */
  show: (id: string, place: P) => void
  /** Saves a move and reports the outcome. A refused entry is moved back to `from`. `undo` moves it back later; absent for an undo. */
  save: (id: string, move: { from: P; to: P }, undo?: () => void) => Promise<void>
}

type Move<P> = { from: P; to: P; isUndo: boolean; timer: ReturnType<typeof setTimeout> }

/** Moves entries optimistically, and saves a move by key after `debounceMs` without another. */
export function useDebouncedMoves<E extends { id: string }, P>(moving: MovableEntries<E, P>): Dragging {
  const moves = useRef(new Map<string, Move<P>>())
  const savingIds = useRef(new Set<string>())

  const save = async (id: string): Promise<void> => {
    const move = moves.current.get(id)
    // Moves of one entry are saved one after the other, because the server may receive two requests in either order.
    if (!move || savingIds.current.has(id)) return
    moves.current.delete(id)
    clearTimeout(move.timer)
    const { from, to, isUndo } = move
    if (moving.isSame(from, to)) return
    savingIds.current.add(id)
    const undo = () => enqueue(id, { from: to, to: from, isUndo: true }, 0)
    await moving.save(id, move, isUndo ? undefined : undo)
    savingIds.current.delete(id)
    const next = moves.current.get(id)
    if (!next) return
    // The answer has shown the place that was saved.
    moving.show(id, next.to)
    await save(id)
  }

  /** Shows a move, and saves it after `waitMs` in place of one that is not saved yet. */
  const enqueue = (id: string, move: Omit<Move<P>, 'timer'>, waitMs: number): void => {
    const before = moves.current.get(id)
    clearTimeout(before?.timer)
    const timer = setTimeout(() => void save(id), waitMs)
    moves.current.set(id, { ...move, from: before?.from ?? move.from, timer })
    moving.show(id, move.to)
  }

  /** The position including moves that are not rendered or saved yet. */
  const placeOf = (entry: E): P => moves.current.get(entry.id)?.to ?? moving.placeOf(entry)

  const move = (entry: E, to: P, waitMs: number): void => {
    const from = placeOf(entry)
    if (moving.isSame(from, to) || moving.isAllowed?.(to) === false) return
    enqueue(entry.id, { from, to, isUndo: false }, waitMs)
  }

  // Saves pending moves when the screen is left.
  const flush = useEffectEvent(() => {
    for (const id of moves.current.keys()) void save(id)
  })
  useEffect(() => () => flush(), [])

  const find = (id: string) => moving.entries.find((entry) => entry.id === id)
  return {
    isMovable: (id) => {
      const entry = find(id)
      return entry !== undefined && moving.isMovable(entry)
    },
    onMove: (id, to) => {
      const entry = find(id)
      if (entry) move(entry, moving.droppedAt(placeOf(entry), to), 0)
    },
    onNudge: (id, by) => {
      const entry = find(id)
      if (entry) move(entry, moving.nudgedAt(placeOf(entry), by), debounceMs)
    },
  }
}
