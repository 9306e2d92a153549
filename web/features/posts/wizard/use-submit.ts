import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { CreatePostInput, SchedulePostInput } from '@flashsheet/contracts/posts/schema'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { formatMoment } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { toast } from '../../../ui/toast.tsx'
import type { DraftStore } from '../draft/draft-store.ts'
import { onSubmission, submissionOf, submit, type Submission } from '../draft/submission.ts'

/** Sends the draft and returns its state; when the screen is left it continues and reports the outcome. */
export function useSubmit(
  store: DraftStore,
  arrive: (ids: readonly string[]) => Promise<void>,
): { submission: Submission; send: () => void; enqueue: () => void } {
  const utils = trpc.useUtils()
  const submission = useSyncExternalStore(onSubmission, () => submissionOf(store.userId))
  // The wizard shows the failure itself; a toast is for those who have left it.
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  const stillSignedIn = () => utils.auth.me.getData()?._id === store.userId
  const run = async (toQueue: boolean) => {
    const calls = {
      arrive,
      create: async (input: CreatePostInput) => await utils.client.posts.create.mutate(input),
      schedule: async (input: SchedulePostInput) => await utils.client.posts.schedule.mutate(input),
      stillSignedIn,
      newId: newUuid,
      now: Date.now,
    }
    const outcome = await submit(store, calls, toQueue)
    // The next person to log in must not see this outcome.
    if (outcome === 'busy' || !stillSignedIn()) return
    if (outcome === 'scheduled') {
      store.update((draft) => ({ ...draft, announced: true }))
      toast.success(
        postMessages.scheduled,
        store
          .get()
          .scheduledAt.toSorted()
          .map((time) => formatMoment(time))
          .join(', '),
      )
    } else if (outcome !== 'posted') {
      if (!shown.current) toast.error(outcome.message, outcome.detail)
    }
    const { storedId } = store.get()
    if ((outcome === 'scheduled' || outcome === 'posted') && storedId !== null) {
      // The draft is a post now, so a missing one is fine.
      await utils.client.drafts.remove.mutate({ draftId: storedId }).catch(() => undefined)
      await utils.drafts.list.invalidate()
    }
    await Promise.all([utils.posts.list.invalidate(), utils.posts.slotFor.invalidate()])
  }
  return { submission, send: () => void run(false), enqueue: () => void run(true) }
}
