import type { Platform } from '@flashsheet/contracts/networks'
import type { System } from '../../../core/context.ts'
import type { OwnerId, PublicSite } from '../../../core/scope.ts'
import { listPublicPages } from '../queries/accounts.ts'
import { profileUrl } from '../rules.ts'

export type PublicLink = { platform: Platform; name: string; url: string }

/** Where an artist's connected pages can be seen by everybody; those without an address of their own are left out. */
export async function listPublicLinks(system: System, owner: OwnerId | PublicSite): Promise<PublicLink[]> {
  const links = (await listPublicPages(system.db, owner)).flatMap((page) => {
    const url = profileUrl(page)
    return url === undefined ? [] : [{ platform: page.platform, name: page.name, url }]
  })
  // Two logins may bring the same page.
  return links.filter((link, i) => links.findIndex((other) => other.url === link.url) === i)
}
