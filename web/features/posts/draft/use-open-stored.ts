import { trpc } from '../../../lib/trpc.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { connectedPages } from '../../social/connected-pages.ts'
import type { DraftStore } from './draft-store.ts'
import { openStored } from './stored-draft.ts'

const now = { staleTime: 0 }

/**
 * Replaces the composer's draft with a stored one. Reloads the draft, the library and the accounts first, because a program may have
 * changed the draft or uploaded media for it since they were loaded.
 */
export function useOpenStored(): (store: DraftStore, draftId: string) => Promise<void> {
  const utils = trpc.useUtils()
  return async (store, draftId) => {
    const [stored, library, accounts] = await Promise.all([
      utils.drafts.get.fetch({ draftId }, now),
      utils.media.list.fetch(undefined, now),
      utils.social.accounts.fetch(undefined, now),
    ])
    store.update(() => openStored(stored, library, connectedPages(accounts), newUuid(), Date.now()))
  }
}
