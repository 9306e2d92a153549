import type { Platform } from '@flashsheet/contracts/networks'
import { trpc } from '../../lib/trpc.ts'
import { handleOf } from './page-handle.tsx'

/** Picture and handle of a page; null if it is not connected, and until the accounts are loaded. */
export function usePageProfile(page: { platform: Platform; socialAccountId: string; pageId: string }): {
  picture: string | null
  handle: string | null
} {
  const account = trpc.social.accounts.useQuery().data?.find(({ _id }) => _id === page.socialAccountId)
  const connectedPage = account?.pages.find(({ pageId }) => pageId === page.pageId)
  return { picture: connectedPage?.picture ?? null, handle: handleOf(page.platform, connectedPage?.username ?? null) }
}
