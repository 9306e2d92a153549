import { useSyncExternalStore } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { useIsMounted } from '../../../lib/use-is-mounted.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { subscribeToSubmissions, submissionOf, type Submission } from '../draft/submission.ts'

/** Sends the draft, and returns the state of the submission. It continues when the screen is left, and reports the outcome. */
export function useSubmit(
  store: DraftStore,
  awaitUploads: (ids: readonly string[]) => Promise<void>,
): { submission: Submission; send: () => void; enqueue: () => void } {
  const utils = trpc.useUtils()
  const submission = useSyncExternalStore(subscribeToSubmissions, () => submissionOf(store.userId))
  // While the wizard is on screen it shows a failure itself; otherwise a toast does.
  const isShown = useIsMounted()
  const run = async (toQueue: boolean) => {
    // Already loaded: it is in the same chunk as the step with the button.
    const { runSubmit } = await import('./lazy-parts.ts')
    await runSubmit(toQueue, { store, utils, awaitUploads, isShown })
  }
  return { submission, send: () => void run(false), enqueue: () => void run(true) }
}
