import { postMessages } from '@flashsheet/contracts/posts/messages'
import { platformNames } from '@flashsheet/contracts/networks'
import { isDatabaseUnavailable } from '@flashsheet/db/database-unavailable'
import type { System } from '../../../core/context.ts'
import { ownerScope } from '../../../core/scope.ts'
import { NetworkError } from '../../../gateways/networks/adapter.ts'
import type { AccountForPublish } from '../../social/service/publishing.ts'
import { markReconnect, refreshRejectedTokens } from '../../social/service/tokens.ts'
import type { ClaimedTarget } from '../queries/leases.ts'
import type { Refused } from '../rules/retry.ts'
import type { AttemptError, Run } from './conclude.ts'
import { LeaseLost, NotSent } from './lease.ts'

/**
 * Converts the error of a step for the rules. A NetworkError keeps its class, and a call that was not sent is `retry`. Any other error is our
 * own: it leaves the outcome of an irreversible call unknown, and every other step is retried.
 */
export function refusedBy(run: Run, thrown: unknown): Refused & AttemptError {
  const { system, target } = run
  const ourClass = target.phase === 'publishing' ? 'unknown' : 'retry'
  const isOurs = isDatabaseUnavailable(thrown) || (thrown instanceof NotSent && thrown.cause instanceof LeaseLost)
  if (thrown instanceof NotSent) {
    system.log.warn({ err: thrown, targetId: target.id }, 'an irreversible call was not sent')
    const message = isOurs ? '' : postMessages.failedFallback
    return { class: 'retry', code: 'not_sent', message, idsLapsed: false, isOurs }
  }
  if (isOurs) {
    system.log.warn(
      { err: thrown, targetId: target.id, phase: target.phase },
      'a publishing step could not reach the database',
    )
    return { class: ourClass, code: 'database_unavailable', message: '', idsLapsed: false, isOurs }
  }
  if (thrown instanceof NetworkError) {
    const { class: kind, code, message, retryAt, idsLapsed } = thrown
    if (kind === 'config')
      system.log.error({ err: thrown, platform: target.platform, code }, 'a network refuses our app')
    return { class: kind, code, message, retryAt, idsLapsed }
  }
  system.log.error({ err: thrown, targetId: target.id, phase: target.phase }, 'a publishing step failed')
  return { class: ourClass, code: 'internal', message: postMessages.failedFallback, idsLapsed: false }
}

export function networkNotConfigured(target: ClaimedTarget): Refused & AttemptError {
  const message = postMessages.networkGone(platformNames[target.platform])
  return { class: 'config', code: 'not_available', message, idsLapsed: false }
}

/** Refreshes rejected tokens. True: there are new ones; otherwise the refusal of the refresh itself, if the network gave one. */
export async function refreshLogin(
  system: System,
  target: ClaimedTarget,
  account: AccountForPublish | undefined,
): Promise<true | Refused | undefined> {
  if (target.accountId === null || !account) return undefined
  const owner = ownerScope(target.userId)
  try {
    if (await refreshRejectedTokens(system, owner, target.accountId, account)) return true
    await markReconnect(system, owner, target.accountId, account)
    return undefined
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { class: error.class, message: error.message, retryAt: error.retryAt, idsLapsed: false }
  }
}
