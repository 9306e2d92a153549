import { postMessages } from '@flashsheet/contracts/posts/messages'
import { formatMoment } from '../../../lib/format.ts'
import { showFailureToast } from '../../../lib/toast-failure.ts'
import type { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/toast.tsx'
import type { DraftStore } from './draft-store.ts'
import { removeGone } from './remove-gone.ts'
import { setSubmission, submissionOf } from './submission.ts'
import { submit, type SubmissionCalls } from './submit.ts'

export type SubmitEnvironment = {
  store: DraftStore
  utils: ReturnType<typeof trpc.useUtils>
  awaitUploads: SubmissionCalls['awaitUploads']
  /** Whether the wizard is on screen. It shows a failure itself. */
  isShown: () => boolean
}

/** Sends the draft and shows the outcome. */
export async function runSubmit(
  toQueue: boolean,
  { store, utils, awaitUploads, isShown }: SubmitEnvironment,
): Promise<void> {
  const stillSignedIn = () => utils.auth.me.getData()?._id === store.userId
  const calls: SubmissionCalls = {
    awaitUploads,
    create: async (input) => await utils.client.posts.create.mutate(input),
    schedule: async (input) => await utils.client.posts.schedule.mutate(input),
    postDraft: async (input) => await utils.client.drafts.post.mutate(input),
    stillSignedIn,
    now: Date.now,
  }
  const outcome = await submit(store, calls, toQueue)
  // After a logout the outcome must not be shown to another user.
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
    const failure = await removeGone(store, utils, outcome)
    if (submissionOf(store.userId).failure === outcome) setSubmission(store.userId, { stage: 'idle', failure })
    if (!isShown()) showFailureToast(failure)
  }
  await Promise.all([utils.posts.list.invalidate(), utils.posts.slotFor.invalidate(), utils.drafts.invalidate()])
}
