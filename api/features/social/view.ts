import type { Platform } from '@flashsheet/contracts/networks'
import type { PlatformDescriptor, SocialAccount } from '@flashsheet/contracts/social/schema'
import type { AccountRow, PageRow } from './queries/accounts.ts'

export function platformDescriptor(platform: Platform): PlatformDescriptor {
  return { _id: platform, platform }
}

/** An account as the outside sees one: never a token. */
export function socialAccount(account: AccountRow, pages: readonly PageRow[], reconnectBy: Date | null): SocialAccount {
  return {
    _id: account.id,
    platform: account.platform,
    providerName: account.providerName,
    providerUserId: account.providerUserId,
    health: account.health,
    reconnectBy: reconnectBy?.toISOString() ?? null,
    pages: pages
      .filter((page) => page.accountId === account.id)
      .map((page) => ({ pageId: page.pageId, name: page.name, connectedAt: page.connectedAt.toISOString() })),
  }
}
