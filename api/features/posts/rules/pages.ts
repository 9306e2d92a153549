import { hasUnknownPageNames, pageIn } from '@flashsheet/contracts/page-address'
import type { Platform } from '@flashsheet/contracts/networks'

type Page = { platform: Platform; pageId: string; username: string | null }

/** Whether a post's address names another page than the target's: a connected one, where the network has page names unknown to us. */
export function isOfAnotherPage(
  target: Pick<Page, 'platform' | 'pageId'>,
  address: string,
  connected: readonly Page[],
): boolean {
  const { platform, pageId } = target
  const named = pageIn(platform, address)
  if (named === undefined) return false
  const own = connected.filter((page) => page.platform === platform)
  const isNamed = (page: Page) =>
    [page.pageId, page.username?.replace(/^@/, '')].some((name) => name?.toLowerCase() === named)
  const targetPage = own.find((page) => page.pageId === pageId)
  if (targetPage && isNamed(targetPage)) return false
  if (!hasUnknownPageNames(platform) && targetPage && targetPage.username !== null) return true
  return own.some((page) => page.pageId !== pageId && isNamed(page))
}
