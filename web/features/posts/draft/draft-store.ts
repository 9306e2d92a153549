import { newUuid } from '../../../lib/uuid.ts'
import { openStoredValue, storedValues, type KeyValueStorage, type StoredValue } from '../../../lib/stored-value.ts'
import { isSent } from './draft-request.ts'
import { restoreDraft } from './restore-draft.ts'
import { newDraft, type Draft } from './draft.ts'

/** One user's draft: in memory for the screen, in local storage for the next visit. */
export type DraftStore = Pick<StoredValue<Draft>, 'userId' | 'get' | 'update' | 'subscribe'>

/** A missing or unreadable draft is replaced by a new one. */
const format = { parse: (stored: string | null) => restoreDraft(stored) ?? newDraft(newUuid()), toText: JSON.stringify }

/** Opens the draft of one user from `storage`. */
export const openDraft = (userId: string, storage: KeyValueStorage) => openStoredValue('draft', userId, format, storage)

/** The draft of one user in this browser; the same object every time. Two tabs show the same draft. */
export const draftOf: (userId: string) => DraftStore = storedValues('draft', format)

/** Replaces a finished draft, whose outcome was shown, with an empty one. */
export function replaceFinishedDraft(store: DraftStore): void {
  store.update((draft) => (draft.announced && isSent(draft) ? newDraft(newUuid()) : draft))
}
