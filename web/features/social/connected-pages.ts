import type { SocialAccount } from '@flashsheet/contracts/social/schema'

/** The pages of all accounts, each with its account. */
export function connectedPages(accounts: readonly SocialAccount[]) {
  return accounts.flatMap(({ _id: socialAccountId, platform, providerName, health, pages }) =>
    pages.map((page) => ({ ...page, socialAccountId, platform, providerName, needsReconnect: health === 'reconnect' })),
  )
}
