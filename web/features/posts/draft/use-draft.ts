import { useSyncExternalStore, type ReactNode } from 'react'
import type { DraftStore } from './draft-store.ts'
import type { Draft } from './draft.ts'

export type DraftProps = { draft: Draft; update: DraftStore['update'] }

/** The props of every step before sending. */
export type StepProps = DraftProps & {
  /** The heading gets the focus. */
  focused: boolean
  /** Shown beside the heading. */
  aside?: ReactNode
  incompleteReason: string | null
  onGo: (step: number) => void
}

export function useDraft(store: DraftStore): Draft {
  return useSyncExternalStore(store.subscribe, store.get)
}
