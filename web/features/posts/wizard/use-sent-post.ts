import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, PostsChange } from '@flashsheet/contracts/posts/schema'
import { useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { useSingleFlight } from '../../../lib/use-single-flight.ts'
import { toast } from '../../../ui/toast.tsx'
import type { DraftStore } from '../draft/draft-store.ts'
import type { Draft } from '../draft/draft.ts'
import { outcomeOf, pageStates, shownPost } from '../parts/outcome.ts'

/** Watches the post that was sent for now, and shows its outcome once, in a toast. */
export function useSentPost(store: DraftStore, draft: Draft) {
  const postId = draft.sent.find((one) => one.scheduledAt === 'now')?.postId
  const [latest, setLatest] = useState<{ postId: string; post: Post | 'gone' }>()

  /** Changes nothing if the artist has begun another post meanwhile. */
  const setAnnounced = (sentId: string, announced: boolean) =>
    store.update((now) => (now.sent.some((one) => one.postId === sentId) ? { ...now, announced } : now))

  const handleChange = (change: PostsChange) => {
    if (postId === undefined) return
    const post = change.gone.includes(postId) ? 'gone' : change.posts.find((one) => one._id === postId)
    if (!post) return
    setLatest((before) => ({
      postId,
      post: shownPost(draft, before?.postId === postId ? before.post : undefined, post),
    }))
    const now = store.get()
    const outcome = outcomeOf(pageStates(now, post))
    if (!outcome || now.announced) return
    setAnnounced(postId, true)
    toast[outcome.tone](outcome.text)
  }

  const watch = trpc.posts.watch.useSubscription(
    { postIds: postId === undefined ? [] : [postId] },
    { enabled: postId !== undefined, onData: handleChange },
  )
  const retrying = trpc.posts.retry.useMutation({
    // The stream shows what follows, and its outcome is announced again. After an error too, since the retry may have begun.
    onMutate: (input) => setAnnounced(input.postId, false),
    onError: (error) => toastFailure(error, postMessages.unanswered),
  })
  const retry = useSingleFlight(retrying.mutateAsync)
  return {
    /** The latest state; 'gone' if it was deleted before its outcome was seen; undefined while loading. */
    post: latest?.postId === postId ? latest?.post : undefined,
    /** The stream of live updates has ended; `restart` opens it again. */
    isStopped: watch.status === 'error',
    restart: () => watch.reset(),
    /** Retries the failed pages. */
    retry: () => postId !== undefined && retry({ postId }),
    isRetrying: retrying.isPending,
  }
}
