import { useSyncExternalStore, type ReactNode } from 'react'
import type { DraftStore } from './draft-store.ts'
import type { Draft } from './draft.ts'

/** The props of every step. `aside` is shown beside the heading. */
export type StepProps = { draft: Draft; update: (change: (draft: Draft) => Draft) => void; aside?: ReactNode }

export function useDraft(store: DraftStore): Draft {
  return useSyncExternalStore(store.subscribe, store.get)
}
