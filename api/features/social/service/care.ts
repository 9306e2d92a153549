import type { System } from '../../../core/context.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { NetworkError } from '../../../gateways/networks/adapter.ts'
import { refreshQueue } from '../jobs.ts'
import { listTokenCare } from '../queries/accounts.ts'
import { hasEnded, keepAliveDue } from '../rules.ts'
import { markReconnect, refreshIdle, tokenFacts } from './tokens.ts'

const day = 24 * 3_600_000

/** Finds tokens that nobody used for long, or that near their end, and sends a job for each; what has ended is put on record. */
export async function careForTokens(system: System): Promise<void> {
  const now = system.now()
  const ago = (days: number) => new Date(now.getTime() - days * day)
  const accounts = await listTokenCare(system.db, everyoneScope(), { week: ago(7), month: ago(30) }, new Date(now.getTime() + 7 * day))
  for (const account of accounts) {
    const facts = tokenFacts(account)
    if (keepAliveDue(facts, now)) await system.jobs.send(system.db, refreshQueue, { owner: account.userId, accountId: account.id })
    else if (hasEnded(facts, now)) await markReconnect(system, ownerScope(account.userId), account.id)
  }
}

/** Refreshes one account that wants care. A network that does not answer makes the job come back. */
export async function keepAlive(system: System, job: { owner: string; accountId: string }): Promise<void> {
  try {
    await refreshIdle(system, ownerScope(job.owner), job.accountId)
  } catch (error) {
    // What only the artist can mend is on record; asking again would not help.
    if (error instanceof NetworkError && (error.class === 'reconnect' || error.class === 'permanent' || error.class === 'config')) return
    throw error
  }
}
