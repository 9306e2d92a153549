import { useSyncExternalStore, type ReactNode } from 'react'
import type { DraftStore } from './draft-store.ts'
import type { Draft } from './draft.ts'

/** What every step is given: the draft as it is, and the way to change it. `aside` stands beside the heading. */
export type StepProps = { draft: Draft; update: (change: (draft: Draft) => Draft) => void; aside?: ReactNode }

export function useDraft(store: DraftStore): Draft {
  return useSyncExternalStore(store.subscribe, store.get)
}
