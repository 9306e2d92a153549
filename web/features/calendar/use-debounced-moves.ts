import { useEffect, useRef } from 'react'
import type { Dragging, DropPlace } from './calendar-drag.ts'

/** Keys come in rows: the server is told where they ended. */
const settleMs = 600

/** What is moved in a calendar, in places `P` of its own: an instant, or a day with its slot. */
export type Moving<E extends { id: string }, P> = {
  entries: readonly E[]
  isMovable: (entry: E) => boolean
  /** Where an entry stands by its own word. */
  placeOf: (entry: E) => P
  isSame: (one: P, other: P) => boolean
  droppedAt: (from: P, to: DropPlace) => P
  nudgedAt: (from: P, by: { days: number; minutes: number }) => P
  /** Whether a place can be taken; says so itself where it cannot. */
  takes?: (place: P) => boolean
  /** Shows an entry elsewhere, at once. */
  show: (id: string, place: P) => void
  /** Tells the server, and the artist what came of it; a refused one is shown at `from` again. */
  save: (id: string, move: { from: P; to: P }) => Promise<void>
}

type Move<P> = { from: P; to: P; timer: ReturnType<typeof setTimeout> }

/** Moves entries of a calendar: shown at once, then saved; several keys in a row are saved as one move. */
export function useDebouncedMoves<E extends { id: string }, P>(moving: Moving<E, P>): Dragging {
  const moves = useRef(new Map<string, Move<P>>())

  const save = async (id: string): Promise<void> => {
    const move = moves.current.get(id)
    if (!move) return
    moves.current.delete(id)
    clearTimeout(move.timer)
    if (!moving.isSame(move.from, move.to)) await moving.save(id, move)
  }

  /** Where an entry stands as far as it was moved: the screen shows it a moment later. */
  const placeOf = (entry: E): P => moves.current.get(entry.id)?.to ?? moving.placeOf(entry)

  const begin = (entry: E, to: P, waitMs: number): void => {
    const before = moves.current.get(entry.id)
    const now = placeOf(entry)
    if (moving.isSame(now, to) || moving.takes?.(to) === false) return
    clearTimeout(before?.timer)
    moves.current.set(entry.id, { from: before?.from ?? now, to, timer: setTimeout(() => void save(entry.id), waitMs) })
    moving.show(entry.id, to)
  }

  // What was moved last is saved although the screen is left.
  const flush = useRef(() => {})
  useEffect(() => {
    flush.current = () => {
      for (const id of moves.current.keys()) void save(id)
    }
  })
  useEffect(() => () => flush.current(), [])

  const find = (id: string) => moving.entries.find((entry) => entry.id === id)
  return {
    isMovable: (id) => {
      const entry = find(id)
      return entry !== undefined && moving.isMovable(entry)
    },
    onMove: (id, to) => {
      const entry = find(id)
      if (entry) begin(entry, moving.droppedAt(placeOf(entry), to), 0)
    },
    onNudge: (id, by) => {
      const entry = find(id)
      if (entry) begin(entry, moving.nudgedAt(placeOf(entry), by), settleMs)
    },
  }
}
