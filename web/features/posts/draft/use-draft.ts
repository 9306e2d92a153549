import { useSyncExternalStore } from 'react'
import type { DraftStore } from './draft-store.ts'
import type { Draft } from './draft.ts'

/** What every step is given: the draft as it is, and the way to change it. */
export type StepProps = { draft: Draft; update: (change: (draft: Draft) => Draft) => void }

/** The draft as it is now. */
export function useDraft(store: DraftStore): Draft {
  return useSyncExternalStore(store.subscribe, store.get)
}
