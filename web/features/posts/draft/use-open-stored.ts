import { trpc } from '../../../lib/trpc.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { connectedPages } from '../../social/connected-pages.ts'
import type { Draft } from './draft.ts'
import { openStored } from './stored-draft.ts'

const now = { staleTime: 0 }

/**
 * The composer's draft for a stored one. Reloads the draft, the library and the accounts first, because a program may have changed the
 * draft or uploaded media for it since they were loaded.
 */
export function useOpenStored(): (draftId: string) => Promise<Draft> {
  const utils = trpc.useUtils()
  return async (draftId) => {
    const [stored, library, accounts] = await Promise.all([
      utils.drafts.get.fetch({ draftId }, now),
      utils.media.list.fetch(undefined, now),
      utils.social.accounts.fetch(undefined, now),
    ])
    return openStored(stored, library, connectedPages(accounts), newUuid(), Date.now())
  }
}
