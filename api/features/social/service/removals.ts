import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { DeletionParam, DeletionStatus } from '@flashsheet/contracts/social/schema'
import { randomBytes } from 'node:crypto'
import type { RequestCtx, System } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { notFound } from '../../../core/errors.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { notifyArtist } from '../../notices/service.ts'
import { lockAccount } from '../queries/accounts.ts'
import {
  countAccountsLeft,
  findDeletion,
  findDeletionByKey,
  insertDeletion,
  listAccountsOfPerson,
} from '../queries/removals.ts'
import { beginLeaving } from './accounts.ts'
import { markReconnect } from './tokens.ts'

/** What a network says of one person, and when. */
export type Said = { platform: Platform; userId: string; at: Date }

/**
 * A person took our permission away at the network: their accounts here need them again, which each artist is told once.
 * What is older than the account's tokens was said before it was connected again, and counts no more. Safe to hear twice.
 */
export async function noteRemoval(system: System, { platform, userId, at }: Said): Promise<void> {
  for (const account of await listAccountsOfPerson(system.db, everyoneScope(), platform, userId)) {
    // Networks tell their time in whole seconds.
    if (Math.floor(account.refreshedAt.getTime() / 1000) <= at.getTime() / 1000)
      await markReconnect(system, ownerScope(account.userId), account.id)
  }
}

/**
 * A person asks, through Meta, that what came from there is deleted: their accounts are disconnected as if they had pressed
 * it here, which takes names, tokens, planned posts and the texts and links of former ones. Answers where they can follow it.
 * Heard twice, it is one request.
 */
export async function forgetPerson(
  system: System,
  { platform, userId, at }: Said,
): Promise<{ url: string; confirmation_code: string }> {
  const key = sha256(`${platform} ${userId} ${at.getTime()}`)
  const code = await system.db.transaction(async (tx) => {
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
      if (!account || account.leavingAt !== null) continue
      await beginLeaving(tx, system, owner, id)
      await notifyArtist(system, tx, owner, {
        kind: 'account_reconnect',
        dedupeKey: `account ${id} deletion ${key}`,
        // Without the name, which was to be forgotten.
        title: `A ${platformNames[platform]} account was disconnected`,
        text: socialMessages.deletionAsked(platform),
        link: '/social-accounts',
        action: 'Open accounts',
      })
    }
    return request.code
  })
  if (code === undefined) throw new Error('a deletion request was neither new nor known')
  return { url: `${system.config.publicUrl}/data-deletion/${code}`, confirmation_code: code }
}

/** How far a deletion is, for whoever has its code. Throws notFound. */
export async function deletionStatus(ctx: RequestCtx, input: DeletionParam): Promise<DeletionStatus> {
  const request = await findDeletion(ctx.db, everyoneScope(), input.code)
  if (!request) throw notFound(socialMessages.unknownDeletion)
  const left = await countAccountsLeft(ctx.db, everyoneScope(), request.accountIds)
  return {
    code: request.code,
    network: platformNames[request.platform],
    requestedAt: request.requestedAt.toISOString(),
    isDone: left === 0,
  }
}
