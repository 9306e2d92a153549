import { platformNames } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { NetworkError } from '../../../gateways/networks/adapter.ts'
import { notifyArtist } from '../../notices/service.ts'
import { profileQueue, refreshQueue } from '../jobs.ts'
import { listAccountRows, type AccountRow, type Login } from '../queries/accounts.ts'
import { listEnding, listSharers, listTokenCare } from '../queries/token-care.ts'
import {
  daysAhead,
  endsAt,
  expiringPlatforms,
  hasEnded,
  keepAliveDue,
  reconnectBy,
  revokesAllGrants,
  tokenCareAt,
} from '../rules.ts'
import { checkTokens, markReconnect, refreshIdle, tokenFacts } from './tokens.ts'

const day = 24 * 3_600_000

/** Finds tokens that are unused for long or expire soon, and queues a job for each; records expired ones. */
export async function refreshIdleTokens(system: System): Promise<void> {
  const now = system.now()
  const accounts = await listTokenCare(system.db, everyoneScope(), tokenCareAt(now))
  for (const account of accounts) {
    const facts = tokenFacts(account)
    if (keepAliveDue(facts, now))
      await system.jobs.send(system.db, refreshQueue, { owner: account.userId, accountId: account.id })
    else if (hasEnded(facts, now)) await markReconnect(system, ownerScope(account.userId), account.id)
  }
}

/** Warns artists of expiring accounts, a week and a day ahead, once each (notice and mail). */
export async function warnOfExpiry(system: System): Promise<void> {
  const now = system.now()
  for (const account of await listEnding(
    system.db,
    everyoneScope(),
    expiringPlatforms,
    new Date(now.getTime() + 7 * day),
  )) {
    const end = reconnectBy(tokenFacts(account), now)
    if (end !== null && end > now) await warnOfEnd(system, account, end, daysAhead(end, now))
  }
}

async function warnOfEnd(system: System, account: AccountRow, end: Date, days: 7 | 1): Promise<void> {
  const network = platformNames[account.platform]
  const when = days === 1 ? 'within a day' : 'within a week'
  await system.db.transaction(
    async (tx) =>
      await notifyArtist(system, tx, ownerScope(account.userId), {
        kind: 'account_reconnect',
        dedupeKey: `account ${account.id} ends ${end.getTime()} ${days}`,
        title: `${network} will close the door ${when}`,
        text: `${network} lets Flashsheet in only for so long, and the time for ${account.providerName} is up ${when}. Connect it again before, and everything you planned goes on.`,
        link: '/social-accounts',
        action: 'Connect again',
      }),
  )
}

/** An account that will not work for a scheduled post: since now (`endsAt` null), or from then on. */
export type EndingAccount = {
  accountId: string
  platform: AccountRow['platform']
  providerName: string
  endsAt: Date | null
}

/** The artist's accounts that will not work for a scheduled post unless the artist reconnects them. */
export async function expiringAccounts(db: Tx, owner: OwnerId, now: Date): Promise<EndingAccount[]> {
  return (await listAccountRows(db, owner)).flatMap((account) => {
    const end = account.health === 'reconnect' ? now : endsAt(tokenFacts(account), now)
    if (end === null) return []
    const { id: accountId, platform, providerName } = account
    return [{ accountId, platform, providerName, endsAt: end > now ? end : null }]
  })
}

/** Refreshes one account, then how its pages are shown. An unavailable network makes the job retry. */
export async function keepAlive(system: System, job: { owner: string; accountId: string }): Promise<void> {
  await unlessOver(refreshIdle(system, ownerScope(job.owner), job.accountId))
  await system.jobs.send(system.db, profileQueue, { ...job, asks: true })
}

/** OAuth flows last at most this long, so an account connected within it may have the revoked permission. */
const atTheDoorMs = 15 * 60_000

/**
 * After a permission was revoked while others may have been connecting the same login: the revocation ends every
 * permission issued by then. Checks each recently connected account at the network; an artist who has to reconnect is
 * notified at once instead of at the next post.
 */
export async function recheckSharers(system: System, login: Omit<Login, 'id'>): Promise<void> {
  const since = new Date(system.now().getTime() - atTheDoorMs)
  for (const { id, userId, refreshedAt } of await listSharers(
    system.db,
    everyoneScope(),
    { ...login, id: null },
    revokesAllGrants(login.platform),
  )) {
    if (refreshedAt >= since) await unlessOver(checkTokens(system, ownerScope(userId), id))
  }
}

/** Recorded already; checking again would not help. */
async function unlessOver(asking: Promise<void>): Promise<void> {
  try {
    await asking
  } catch (error) {
    if (
      error instanceof NetworkError &&
      (error.class === 'reconnect' || error.class === 'permanent' || error.class === 'config')
    )
      return
    throw error
  }
}
