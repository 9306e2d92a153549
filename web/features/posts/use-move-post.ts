import { postMessages } from '@flashsheet/contracts/plain/posts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'
import type { Dragging } from '../calendar/calendar-drag.ts'
import type { CalendarEntry } from './calendar-entries.ts'
import { shiftPost, takeChange } from './calendar-posts.ts'
import { droppedAt, nudgedAt } from './move-post.ts'

/** Keys come in rows: the server is told where they ended. */
const settleMs = 600

type Move = { from: string; to: string; timer: ReturnType<typeof setTimeout> }

/**
 * Moves scheduled posts of the calendar: shown at once, then saved. One that is refused goes back to where it was, and the
 * artist is told why.
 */
export function useMovePost(entries: readonly CalendarEntry[]): Dragging {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const moves = useRef(new Map<string, Move>())

  const save = async (id: string): Promise<void> => {
    const move = moves.current.get(id)
    if (!move) return
    moves.current.delete(id)
    clearTimeout(move.timer)
    if (move.to === move.from) return
    try {
      const saved = await utils.client.posts.update.mutate({ postId: id, scheduledAt: move.to })
      takeChange(queryClient, utils, { posts: [saved], gone: [] })
      toast.success(postMessages.rescheduled, formatScheduled(saved.scheduledAt))
    } catch (error) {
      shiftPost(queryClient, id, move.from)
      const failure = failureOf(error, postMessages.rescheduleFailed)
      toast.error(failure.message, failure.detail)
      // It may be on its way, or gone: show what it is.
      const current = await utils.posts.get.fetch({ postId: id }, { staleTime: 0 }).catch(() => undefined)
      if (current) takeChange(queryClient, utils, { posts: [current], gone: [] })
      else if (failure.code === 'notFound') takeChange(queryClient, utils, { posts: [], gone: [id] })
    }
  }

  /** Where a post stands as far as it was moved: the screen shows it a moment later. */
  const placeOf = (entry: CalendarEntry): number => {
    const moved = moves.current.get(entry.id)
    return moved ? Date.parse(moved.to) : entry.at
  }

  const begin = (entry: CalendarEntry, at: number, waitMs: number): void => {
    const before = moves.current.get(entry.id)
    if (at === placeOf(entry)) return
    if (at <= Date.now()) {
      toast.error(postMessages.schedulePast)
      return
    }
    clearTimeout(before?.timer)
    const to = new Date(at).toISOString()
    const from = before?.from ?? new Date(entry.at).toISOString()
    moves.current.set(entry.id, { from, to, timer: setTimeout(() => void save(entry.id), waitMs) })
    shiftPost(queryClient, entry.id, to)
  }

  // What was moved last is saved although the screen is left.
  const flush = useRef(() => {})
  useEffect(() => {
    flush.current = () => {
      for (const id of moves.current.keys()) void save(id)
    }
  })
  useEffect(() => () => flush.current(), [])

  const find = (id: string) => entries.find((entry) => entry.id === id)
  return {
    isMovable: (id) => find(id)?.status === 'scheduled',
    onMove: (id, to) => {
      const entry = find(id)
      if (entry) begin(entry, droppedAt(placeOf(entry), to), 0)
    },
    onNudge: (id, by) => {
      const entry = find(id)
      if (entry) begin(entry, nudgedAt(placeOf(entry), by), settleMs)
    },
  }
}
