import { tryStorage } from '../../../lib/try-storage.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { isSent } from './draft-request.ts'
import { restoreDraft } from './restore-draft.ts'
import { newDraft, type Draft } from './draft.ts'

/** One user's draft: in memory for the screen, in local storage for the next visit. */
export type DraftStore = {
  readonly userId: string
  get: () => Draft
  update: (change: (draft: Draft) => Draft) => void
  /** Called after every change, from this tab or another. */
  subscribe: (listener: (now: Draft, before: Draft) => void) => () => void
}

type KeyValue = Pick<Storage, 'getItem' | 'setItem'>

const keyOf = (userId: string) => `draft:${userId}`

/** Opens the draft of one user from `storage`; a missing or unreadable one is replaced by a new draft. */
export function openDraft(userId: string, storage: KeyValue): DraftStore & { adopt: (stored: string | null) => void } {
  const key = keyOf(userId)
  const listeners = new Set<(now: Draft, before: Draft) => void>()
  let draft = restoreDraft(tryStorage(() => storage.getItem(key)) ?? null) ?? newDraft(newUuid())

  const publish = (next: Draft) => {
    const before = draft
    if (next === before) return
    draft = next
    for (const listener of listeners) listener(next, before)
  }

  return {
    userId,
    get: () => draft,
    update(change) {
      const next = change(draft)
      if (next === draft) return
      // Stored before listeners run, because a request id must survive the tab that sends it. Without storage the draft ends with the tab.
      tryStorage(() => storage.setItem(key, JSON.stringify(next)))
      publish(next)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    adopt(stored) {
      publish(restoreDraft(stored) ?? newDraft(newUuid()))
    },
  }
}

const stores = new Map<string, DraftStore>()

/** The draft of one user in this browser; the same object every time. Two tabs show the same draft. */
export function draftOf(userId: string): DraftStore {
  const existing = stores.get(userId)
  if (existing) return existing
  const store = openDraft(userId, localStorage)
  window.addEventListener('storage', (event) => {
    if (event.key === keyOf(userId)) store.adopt(event.newValue)
  })
  stores.set(userId, store)
  return store
}

/** Replaces a finished draft, whose outcome was shown, with an empty one. */
export function replaceFinishedDraft(store: DraftStore): void {
  store.update((draft) => (draft.announced && isSent(draft) ? newDraft(newUuid()) : draft))
}
