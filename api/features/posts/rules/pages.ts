import { hasUnknownPageNames, pageIn } from '@flashsheet/contracts/page-address'
import type { Platform } from '@flashsheet/contracts/networks'

type Page = { platform: Platform; pageId: string; username: string | null }

/**
 * Whether the address of a post names another page than the target's. Where a network has page names that we do not know, only another
 * connected page counts.
 */
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
