import { useEffect, useRef, useSyncExternalStore } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { onSubmission, submissionOf, type Submission } from '../draft/submission.ts'

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
  const run = async (toQueue: boolean) => {
    // It came with the step that has the button.
    const { runSubmit } = await import('./later-parts.ts')
    await runSubmit(toQueue, { store, utils, arrive, isShown: () => shown.current })
  }
  return { submission, send: () => void run(false), enqueue: () => void run(true) }
}
