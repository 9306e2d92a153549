import { postMessages } from '@flashsheet/contracts/posts/messages'
import { useQueryClient } from '@tanstack/react-query'
import { failureOf } from '../../../lib/failure.ts'
import { formatScheduled } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/toast.tsx'
import type { Dragging } from '../../calendar/calendar-drag.ts'
import { useDebouncedMoves } from '../../calendar/use-debounced-moves.ts'
import type { CalendarEntry } from './calendar-entries.ts'
import { shiftPost, takeChange } from './calendar-posts.ts'
import { droppedAt, nudgedAt } from './move-post.ts'

/**
 * Moves scheduled posts of the calendar to another instant. One that is refused goes back to where it was, and the artist is
 * told why.
 */
export function useMovePost(entries: readonly CalendarEntry[]): Dragging {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const show = (id: string, at: number): void => shiftPost(queryClient, id, new Date(at).toISOString())

  return useDebouncedMoves<CalendarEntry, number>({
    entries,
    isMovable: (entry) => entry.status === 'scheduled',
    placeOf: (entry) => entry.at,
    isSame: (one, other) => one === other,
    droppedAt,
    nudgedAt,
    takes: (at) => {
      const isAhead = at > Date.now()
      if (!isAhead) toast.error(postMessages.schedulePast)
      return isAhead
    },
    show,
    save: async (id, { from, to }) => {
      try {
        const saved = await utils.client.posts.update.mutate({ postId: id, scheduledAt: new Date(to).toISOString() })
        takeChange(queryClient, utils, { posts: [saved], gone: [] })
        toast.success(postMessages.rescheduled, formatScheduled(saved.scheduledAt))
      } catch (error) {
        show(id, from)
        const failure = failureOf(error, postMessages.rescheduleFailed)
        toast.error(failure.message, failure.detail)
        // It may be on its way, or gone: show what it is.
        const current = await utils.posts.get.fetch({ postId: id }, { staleTime: 0 }).catch(() => undefined)
        if (current) takeChange(queryClient, utils, { posts: [current], gone: [] })
        else if (failure.code === 'notFound') takeChange(queryClient, utils, { posts: [], gone: [id] })
      }
    },
  })
}
