import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Failure } from '../../../lib/failure.ts'
import type { trpc } from '../../../lib/trpc.ts'
import { connectedPages } from '../../social/connected-pages.ts'
import type { DraftStore } from './draft-store.ts'
import { pageKey, removeDisconnectedPages } from './draft.ts'

/** Whether the server refused media or pages that another device has deleted or disconnected. */
const isAboutGone = ({ message }: Failure): boolean =>
  message === postMessages.mediaUnknown || message === postMessages.pageUnknown

/** Follows the server's message once what is gone has been removed. */
export const leftOutText = 'They are left out now. Please look at the post again before you send it.'

/**
 * Removes what the server refused for being gone, and returns the failure to show. The draft and the failure stay as they are if what is
 * left cannot be read.
 */
export async function removeGone(
  store: DraftStore,
  utils: ReturnType<typeof trpc.useUtils>,
  failure: Failure,
): Promise<Failure> {
  if (!isAboutGone(failure)) return failure
  const reads = [
    utils.media.list.fetch(undefined, { staleTime: 0 }),
    utils.social.accounts.fetch(undefined, { staleTime: 0 }),
  ] as const
  const [library, accounts] = await Promise.all(reads).catch(() => [])
  if (!library || !accounts) return failure
  const mediaIds = new Set(library.map(({ _id }) => _id))
  const pages = new Set(connectedPages(accounts).map(pageKey))
  store.update((draft) => {
    const media = draft.media.filter(({ mediaId }) => mediaId === null || mediaIds.has(mediaId))
    return removeDisconnectedPages({ ...draft, media }, pages)
  })
  return { ...failure, detail: leftOutText }
}
