import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Failure } from '../../../lib/failure.ts'
import type { trpc } from '../../../lib/trpc.ts'
import { connectedPages } from '../../social/connected-pages.ts'
import type { DraftStore } from './draft-store.ts'
import { pageKey, removeDisconnectedPages } from './draft.ts'

/** Follows the server's message about what is gone. */
export const leftOutText = 'They are left out now. Please look at the post again before you send it.'

/** Whether the server refused media or pages that another device has deleted or disconnected. */
export const isAboutGone = ({ message }: Failure): boolean =>
  message === postMessages.mediaUnknown || message === postMessages.pageUnknown

/** Removes what the server refused for being gone. The draft stays as it is if that cannot be read. */
export async function removeGone(
  store: DraftStore,
  utils: ReturnType<typeof trpc.useUtils>,
  failure: Failure,
): Promise<void> {
  if (!isAboutGone(failure)) return
  const reads = [
    utils.media.list.fetch(undefined, { staleTime: 0 }),
    utils.social.accounts.fetch(undefined, { staleTime: 0 }),
  ] as const
  const [library, accounts] = await Promise.all(reads).catch(() => [])
  if (!library || !accounts) return
  const mediaIds = new Set(library.map(({ _id }) => _id))
  const pages = new Set(connectedPages(accounts).map(pageKey))
  store.update((draft) => {
    const media = draft.media.filter(({ mediaId }) => mediaId === null || mediaIds.has(mediaId))
    return removeDisconnectedPages({ ...draft, media }, pages)
  })
}
