import type { Platform } from '@flashsheet/contracts/networks'
import type { System } from '../../../core/context.ts'
import type { OwnerId, PublicSite } from '../../../core/scope.ts'
import { listPublicPages } from '../queries/accounts.ts'
import { profileUrl } from '../rules.ts'

/** `id` identifies the page at its network, and does not change with its name. */
export type PublicLink = { id: string; platform: Platform; name: string; url: string }

/** Links to the artist's connected pages, except those whose public address is unknown. */
export async function listPublicLinks(system: System, owner: OwnerId | PublicSite): Promise<PublicLink[]> {
  const links = (await listPublicPages(system.db, owner)).flatMap((page) => {
    const url = profileUrl(page)
    return url === undefined
      ? []
      : [{ id: `${page.platform}:${page.pageId}`, platform: page.platform, name: page.name, url }]
  })
  // Two logins may have the same page.
  return links.filter((link, i) => links.findIndex((other) => other.url === link.url) === i)
}
