import { hasPassed } from '@flashsheet/contracts/time'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { useQueryClient } from '@tanstack/react-query'
import { failureOf } from '../../../lib/failure.ts'
import { formatScheduled } from '../../../lib/format.ts'
import { showFailureToast } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/toast.tsx'
import type { Dragging } from '../../calendar/calendar-drag.ts'
import { useDebouncedMoves } from '../../calendar/use-debounced-moves.ts'
import type { CalendarEntry } from './calendar-entries.ts'
import { moveCachedPost, applyPostsChange } from './calendar-posts.ts'
import { droppedAt, nudgedAt } from './move-post.ts'
import { useUpdatePost } from './use-update-post.ts'

/** Moves scheduled posts optimistically; a refused one moves back, with a toast. */
export function useMovePost(entries: readonly CalendarEntry[]): Dragging {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const update = useUpdatePost()
  const show = (id: string, at: number): void => moveCachedPost(queryClient, id, new Date(at).toISOString())

  const save = async (id: string, { from, to }: { from: number; to: number }, undo?: () => void): Promise<void> => {
    try {
      const saved = await update({ postId: id, scheduledAt: new Date(to).toISOString() })
      applyPostsChange(queryClient, utils, { posts: [saved], gone: [] })
      toast
        .about(`post ${id}`)
        .success(
          postMessages.rescheduled,
          formatScheduled(saved.scheduledAt),
          undo && !hasPassed(from, Date.now()) ? { label: 'Undo', onPress: undo } : undefined,
        )
    } catch (error) {
      show(id, from)
      const failure = failureOf(error, postMessages.rescheduleFailed)
      showFailureToast(failure)
      // Its publishing may have begun, or it may be deleted.
      const current = await utils.posts.get.fetch({ postId: id }, { staleTime: 0 }).catch(() => undefined)
      if (current) applyPostsChange(queryClient, utils, { posts: [current], gone: [] })
      else if (failure.code === 'notFound') applyPostsChange(queryClient, utils, { posts: [], gone: [id] })
    }
  }
  return useDebouncedMoves<CalendarEntry, number>({
    entries,
    isMovable: (entry) => entry.status === 'scheduled',
    placeOf: (entry) => entry.at,
    isSame: (one, other) => one === other,
    droppedAt,
    nudgedAt,
    isAllowed: (at) => {
      const isPast = hasPassed(at, Date.now())
      if (isPast) toast.error(postMessages.schedulePast)
      return !isPast
    },
    show,
    save,
  })
}
