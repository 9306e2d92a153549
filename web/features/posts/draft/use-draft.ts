import { useSyncExternalStore } from 'react'
import type { DraftStore } from './draft-store.ts'
import type { Draft } from './draft.ts'

export type StepProps = { draft: Draft; update: (change: (draft: Draft) => Draft) => void }

export function useDraft(store: DraftStore): Draft {
  return useSyncExternalStore(store.subscribe, store.get)
}
