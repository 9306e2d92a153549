import { platformNames } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { NetworkError } from '../../../gateways/networks/adapter.ts'
import { notifyArtist, type ArtistNotice } from '../../notices/service.ts'
import { profileQueue, refreshQueue } from '../jobs.ts'
import { listAccountRows, type AccountRow, type Login } from '../queries/accounts.ts'
import { listExpiring, listAccountsSharingGrant, listDueForRefresh } from '../queries/token-maintenance.ts'
import {
  daysAhead,
  endsAt,
  expiringPlatforms,
  hasExpired,
  isKeepAliveDue,
  isTemporary,
  reconnectBy,
  revokesAllGrants,
  refreshRulesAt,
} from '../rules.ts'
import { checkTokens, markReconnect, refreshIdle } from './tokens.ts'

const day = 24 * 3_600_000

/** Queues a refresh of tokens that are long unused or expire soon; records expired ones that cannot be refreshed. */
export async function refreshIdleTokens(system: System): Promise<void> {
  const now = system.now()
  const accounts = await listDueForRefresh(system.db, everyoneScope(), refreshRulesAt(now))
  for (const account of accounts) {
    if (isKeepAliveDue(account, now))
      await system.jobs.send(system.db, refreshQueue, { owner: account.userId, accountId: account.id })
    else if (hasExpired(account, now))
      await markReconnect(system, ownerScope(account.userId), account.id, (stored) => hasExpired(stored, now))
  }
}

/** Warns artists of expiring accounts a week and a day ahead, once each (notice and mail). */
export async function warnOfExpiry(system: System): Promise<void> {
  const now = system.now()
  const weekAhead = new Date(now.getTime() + 7 * day)
  for (const account of await listExpiring(system.db, everyoneScope(), expiringPlatforms, weekAhead)) {
    const expiresAt = reconnectBy(account, now)
    if (expiresAt !== null && expiresAt > now) await warnArtist(system, account, expiresAt, daysAhead(expiresAt, now))
  }
}

async function warnArtist(system: System, account: AccountRow, expiresAt: Date, days: 7 | 1): Promise<void> {
  const network = platformNames[account.platform]
  const when = days === 1 ? 'within a day' : 'within a week'
  const notice: ArtistNotice = {
    kind: 'account_reconnect',
    dedupeKey: `account ${account.id} ends ${expiresAt.getTime()} ${days}`,
    title: `Access to ${network} ends ${when}`,
    text: `${network} gives Flashsheet access for a limited time, and the access to ${account.providerName} ends ${when}. Connect it again before then, and everything you planned goes out as usual.`,
    link: '/social-accounts',
    action: 'Connect again',
  }
  await system.db.transaction(async (tx) => await notifyArtist(system, tx, ownerScope(account.userId), notice))
}

/** An account whose access has ended (`endsAt` null) or will end. */
export type EndingAccount = Pick<AccountRow, 'platform' | 'providerName'> & { accountId: string; endsAt: Date | null }

/** The artist's accounts that fail now, or at a known time, unless the artist reconnects them. */
export async function expiringAccounts(db: Tx, owner: OwnerId, now: Date): Promise<EndingAccount[]> {
  return (await listAccountRows(db, owner)).flatMap((account) => {
    const end = account.health === 'reconnect' ? now : endsAt(account, now)
    if (end === null) return []
    const { id: accountId, platform, providerName } = account
    return [{ accountId, platform, providerName, endsAt: end > now ? end : null }]
  })
}

/**
 * Refreshes an account's tokens, then queues an update of its pages. Throws, so that the job is retried, when the
 * network is unavailable.
 */
export async function keepAlive(system: System, job: { owner: string; accountId: string }): Promise<void> {
  await ignoringFinalErrors(refreshIdle(system, ownerScope(job.owner), job.accountId))
  await system.jobs.send(system.db, profileQueue, { ...job, asks: true })
}

/**
 * Checks the accounts of a login whose permission was revoked. They connected since, but the revocation may also have ended
 * permissions of before, when other artists were connecting. They are notified now instead of at their next post.
 */
export async function recheckAccountsSharingGrant(system: System, login: Login): Promise<void> {
  const endsAllGrants = revokesAllGrants(login.platform)
  for (const { id, userId } of await listAccountsSharingGrant(system.db, everyoneScope(), login, endsAllGrants))
    await ignoringFinalErrors(checkTokens(system, ownerScope(userId), id))
}

/** Ignores errors that are recorded already and that a retry of the job would not resolve. */
async function ignoringFinalErrors(refreshing: Promise<void>): Promise<void> {
  try {
    await refreshing
  } catch (error) {
    if (!(error instanceof NetworkError) || isTemporary(error)) throw error
  }
}
