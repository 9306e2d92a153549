import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { failureOf } from '../../../lib/failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/toast.tsx'
import type { DraftStore } from './draft-store.ts'
import type { SaveCalls } from './save-draft.ts'
import type { runSave, SavePurpose } from './run-save.ts'

/** Saves the composer on request. An opened stored draft is also saved when the artist leaves the screen. */
export function useSaveDraft(
  store: DraftStore,
  awaitUploads: SaveCalls['awaitUploads'],
  /** Loads the code for saving, which is not in the first chunk. */
  loadSave: () => Promise<typeof runSave>,
): { pending: boolean; save: (purpose: SavePurpose) => void } {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const [pending, setPending] = useState(false)
  const run = async (purpose: SavePurpose) => {
    setPending(true)
    try {
      const save = await loadSave()
      await save(purpose, { store, utils, awaitUploads, showDrafts: async () => await navigate({ to: '/drafts' }) })
    } catch (error) {
      const { message, detail } = failureOf(error, 'The draft could not be saved')
      if (purpose !== 'leave') toast.error(message, detail)
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
