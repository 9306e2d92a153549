import { postMessages } from '@flashsheet/contracts/posts/messages'
import { formatMoment } from '../../../lib/format.ts'
import type { trpc } from '../../../lib/trpc.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { toast } from '../../../ui/toast.tsx'
import type { DraftStore } from './draft-store.ts'
import { submit, type SubmissionCalls } from './submit.ts'

export type SubmitSurroundings = {
  store: DraftStore
  utils: ReturnType<typeof trpc.useUtils>
  arrive: SubmissionCalls['arrive']
  /** Whether the wizard is seen, which shows by itself why it was not sent. */
  isShown: () => boolean
}

/** Sends the draft, and says how that ended. */
export async function runSubmit(
  toQueue: boolean,
  { store, utils, arrive, isShown }: SubmitSurroundings,
): Promise<void> {
  const stillSignedIn = () => utils.auth.me.getData()?._id === store.userId
  const calls: SubmissionCalls = {
    arrive,
    create: async (input) => await utils.client.posts.create.mutate(input),
    schedule: async (input) => await utils.client.posts.schedule.mutate(input),
    postDraft: async (input) => await utils.client.drafts.post.mutate(input),
    stillSignedIn,
    newId: newUuid,
    now: Date.now,
  }
  const outcome = await submit(store, calls, toQueue)
  // Whoever comes after a logout is not told how another person's post went.
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
  } else if (outcome !== 'posted' && !isShown()) toast.error(outcome.message, outcome.detail)
  await Promise.all([utils.posts.list.invalidate(), utils.posts.slotFor.invalidate(), utils.drafts.invalidate()])
}
