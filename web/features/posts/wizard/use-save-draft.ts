import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import type { SaveCalls } from '../draft/save-draft.ts'
import type { SavePurpose } from '../draft/run-save.ts'

/** Saves the composer on request. An opened stored draft is also saved when the artist leaves the screen. */
export function useSaveDraft(
  store: DraftStore,
  awaitUploads: SaveCalls['awaitUploads'],
): { pending: boolean; save: (purpose: SavePurpose) => void } {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const [pending, setPending] = useState(false)
  const run = async (purpose: SavePurpose) => {
    setPending(true)
    try {
      // The code for saving is not in the first chunk.
      const { runSave } = await import('./lazy-parts.ts')
      await runSave(purpose, { store, utils, awaitUploads, showDrafts: async () => await navigate({ to: '/drafts' }) })
    } catch (error) {
      if (purpose !== 'leave') toastFailure(error, 'The draft could not be saved')
    }
    setPending(false)
  }

  // A draft that was never stored stays in the composer, in local storage.
  const leave = useEffectEvent(() => {
    if (store.get().stored) void run('leave')
  })
  useEffect(() => {
    const hide = () => document.visibilityState === 'hidden' && leave()
    document.addEventListener('visibilitychange', hide)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      leave()
    }
  }, [])

  return { pending, save: (purpose) => void run(purpose) }
}
