import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { platformNames } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { DeletionParam, DeletionStatus } from '@flashsheet/contracts/social/schema'
import { randomBytes } from 'node:crypto'
import type { RequestCtx, System } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { notFound } from '../../../core/errors.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import type { PersonCallback } from '../../../gateways/networks/callbacks.ts'
import { notifyArtist } from '../../notices/service.ts'
import { lockAccount } from '../queries/accounts.ts'
import { recheckQueue } from '../jobs.ts'
import {
  countAccountsLeft,
  findDeletion,
  findDeletionByKey,
  insertDeletion,
  listAccountsOfPerson,
} from '../queries/removals.ts'
import { startDisconnecting } from './accounts.ts'
import { markReconnect } from './tokens.ts'

/**
 * Handles that a person removed our app at the network: marks their accounts as to be reconnected, and notifies each
 * artist once. A callback older than an account's tokens is ignored: the account was reconnected since. Idempotent.
 */
export async function handleRevocation(system: System, { platform, userId, at }: PersonCallback): Promise<void> {
  // Callbacks have their time in whole seconds.
  const second = (date: Date) => Math.floor(date.getTime() / 1000)
  for (const account of await listAccountsOfPerson(system.db, everyoneScope(), platform, userId)) {
    const { id, userId: artist, providerUserId, refreshedAt } = account
    await markReconnect(system, ownerScope(artist), id, (stored) => second(stored.refreshedAt) < second(at))
    // Connected in the second of the removal: only the network knows which came last.
    if (second(refreshedAt) === second(at))
      await system.jobs.send(system.db, recheckQueue, { platform, providerUserId, userId: artist })
  }
}

/**
 * Handles a person's deletion request through Meta: disconnects their accounts as the app does, which deletes names,
 * tokens, scheduled posts, and the texts and links of published ones. Returns the address of the status page.
 * Idempotent.
 */
export async function handleDeletionRequest(
  system: System,
  { platform, userId, at }: PersonCallback,
): Promise<{ url: string; confirmation_code: string }> {
  const key = sha256(`${platform} ${userId} ${at.getTime()}`)
  const code = await retryOnDeadlock(system.db, async (tx) => {
    const accounts = await listAccountsOfPerson(tx, everyoneScope(), platform, userId)
    const request = {
      code: randomBytes(16).toString('hex'),
      key,
      platform,
      accountIds: accounts.map((account) => account.id),
      requestedAt: system.now(),
    }
    if (!(await insertDeletion(tx, everyoneScope(), request))) return await findDeletionByKey(tx, everyoneScope(), key)
    for (const { id, userId: artist } of accounts) {
      const owner = ownerScope(artist)
      const account = await lockAccount(tx, owner, id)
      if (!account || account.disconnectingAt !== null) continue
      await startDisconnecting(tx, system, owner, id)
      await notifyArtist(system, tx, owner, {
        kind: 'account_reconnect',
        dedupeKey: `account ${id} deletion ${key}`,
        // Does not contain the account's name, which is to be deleted.
        title: `A ${platformNames[platform]} account was disconnected`,
        text: socialMessages.deletionRequested(platform),
        link: '/social-accounts',
        action: 'Open accounts',
      })
    }
    return request.code
  })
  if (code === undefined) throw new Error('a deletion request was neither new nor known')
  return { url: `${system.config.publicUrl}/data-deletion/${code}`, confirmation_code: code }
}

/** The status of a deletion, for the holder of its code. Throws notFound. */
export async function getDeletionStatus(ctx: RequestCtx, input: DeletionParam): Promise<DeletionStatus> {
  const request = await findDeletion(ctx.db, everyoneScope(), input.code)
  if (!request) throw notFound(socialMessages.unknownDeletion)
  const remaining = await countAccountsLeft(ctx.db, everyoneScope(), request.accountIds)
  return {
    code: request.code,
    network: platformNames[request.platform],
    requestedAt: request.requestedAt.toISOString(),
    isDone: remaining === 0,
  }
}
