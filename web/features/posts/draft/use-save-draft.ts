import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { failureOf } from '../../../lib/failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/toast.tsx'
import type { DraftStore } from './draft-store.ts'
import type { SaveCalls } from './save-draft.ts'
import type { runSave, SavePurpose } from './run-save.ts'

/** Saves what is being composed when the artist says so; one that was opened from the drafts also when they leave the screen. */
export function useSaveDraft(
  store: DraftStore,
  arrive: SaveCalls['arrive'],
  /** What saves is not needed to begin a post. */
  loadSave: () => Promise<typeof runSave>,
): { pending: boolean; save: (purpose: SavePurpose) => void } {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const [pending, setPending] = useState(false)
  const run = async (purpose: SavePurpose) => {
    setPending(true)
    try {
      const save = await loadSave()
      await save(purpose, { store, utils, arrive, showDrafts: async () => await navigate({ to: '/drafts' }) })
    } catch (error) {
      const { message, detail } = failureOf(error, 'The draft could not be saved')
      if (purpose !== 'leave') toast.error(message, detail)
    }
    setPending(false)
  }

  // Who leaves the screen, or the browser, need not think of saving. What was never stored stays in the composer as it is.
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
