import { hasPassed } from '@flashsheet/contracts/time'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { useQueryClient } from '@tanstack/react-query'
import { failureOf } from '../../../lib/failure.ts'
import { formatScheduled } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/toast.tsx'
import type { Dragging } from '../../calendar/calendar-drag.ts'
import { useDebouncedMoves } from '../../calendar/use-debounced-moves.ts'
import type { CalendarEntry } from './calendar-entries.ts'
import { moveCachedPost, applyPostsChange } from './calendar-posts.ts'
import { droppedAt, nudgedAt } from './move-post.ts'

const isAhead = (at: number): boolean => !hasPassed(at, Date.now())

/** Moves scheduled posts at once; a refused one moves back, with a toast. */
export function useMovePost(entries: readonly CalendarEntry[]): Dragging {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const show = (id: string, at: number): void => moveCachedPost(queryClient, id, new Date(at).toISOString())

  const save = async (id: string, from: number, to: number, isUndo = false): Promise<void> => {
    try {
      const saved = await utils.client.posts.update.mutate({ postId: id, scheduledAt: new Date(to).toISOString() })
      applyPostsChange(queryClient, utils, { posts: [saved], gone: [] })
      toast.success(
        postMessages.rescheduled,
        formatScheduled(saved.scheduledAt),
        isUndo || !isAhead(from) ? undefined : { label: 'Undo', onPress: () => undo(id, to, from) },
      )
    } catch (error) {
      show(id, from)
      const failure = failureOf(error, postMessages.rescheduleFailed)
      toast.error(failure.message, failure.detail)
      // It may have begun or be deleted: reload it.
      const current = await utils.posts.get.fetch({ postId: id }, { staleTime: 0 }).catch(() => undefined)
      if (current) applyPostsChange(queryClient, utils, { posts: [current], gone: [] })
      else if (failure.code === 'notFound') applyPostsChange(queryClient, utils, { posts: [], gone: [id] })
    }
  }
  const undo = (id: string, from: number, to: number): void => {
    show(id, to)
    void save(id, from, to, true)
  }

  return useDebouncedMoves<CalendarEntry, number>({
    entries,
    isMovable: (entry) => entry.status === 'scheduled',
    placeOf: (entry) => entry.at,
    isSame: (one, other) => one === other,
    droppedAt,
    nudgedAt,
    takes: (at) => {
      if (!isAhead(at)) toast.error(postMessages.schedulePast)
      return isAhead(at)
    },
    show,
    save: async (id, { from, to }) => await save(id, from, to),
  })
}
