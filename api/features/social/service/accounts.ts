import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { Message } from '@flashsheet/contracts/auth/schema'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { platforms, type Platform } from '@flashsheet/contracts/networks'
import type {
  Network,
  PlatformDescriptor,
  SocialAccount,
  SocialAccountParam,
  SocialPageParam,
} from '@flashsheet/contracts/social/schema'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import { availablePlatforms } from '../../../core/config.ts'
import type { RequestCtx, SubscriberCtx, System } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { NotYet } from '../../../core/jobs.ts'
import { withLease } from '../../../core/leases.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { NetworkError, type Tokens } from '../../../gateways/networks/adapter.ts'
import { disconnectQueue, recheckQueue } from '../jobs.ts'
import {
  deleteAccount,
  findAccount,
  findAnyAccount,
  hasAccounts,
  hidePage,
  listAccountRows,
  listDisconnectingSince,
  listPageRows,
  lockAccount,
  markLeaving,
  type AccountRow,
  type Login,
} from '../queries/accounts.ts'
import { deleteRemovedPages, listPictures } from '../queries/pictures.ts'
import { deleteStates } from '../queries/states.ts'
import { listSharers } from '../queries/token-care.ts'
import { reconnectBy, revokesAllGrants } from '../rules.ts'
import { networkView, platformDescriptor, socialAccount } from '../view.ts'
import { enqueuePictureDeletion } from './page-pictures.ts'
import { openTokens, tokenFacts } from './tokens.ts'

const hour = 3_600_000

/** Networks that this installation can connect (one without keys is hidden). */
export function listPlatforms(ctx: SubscriberCtx): PlatformDescriptor[] {
  return availablePlatforms(ctx.config).map(platformDescriptor)
}

/** What each network takes, whether or not this installation can connect it. */
export function listNetworks(_ctx: RequestCtx): Network[] {
  return platforms.map(networkView)
}

/** The artist's accounts with their pages, oldest first. */
export async function listAccounts(ctx: SubscriberCtx): Promise<SocialAccount[]> {
  const [accounts, pages] = await Promise.all([listAccountRows(ctx.db, ctx.owner), listPageRows(ctx.db, ctx.owner)])
  return accounts.map((account) => socialAccount(account, pages, reconnectBy(tokenFacts(account), ctx.now())))
}

/** A page that a post may use. */
export type ConnectedPage = {
  accountId: string
  platform: Platform
  pageId: string
  name: string
  username: string | null
  health: AccountRow['health']
}

/** Every page the artist may post to, for validating a post's variants in the same transaction. */
export async function connectedPages(db: Tx, owner: OwnerId): Promise<ConnectedPage[]> {
  const accounts = new Map((await listAccountRows(db, owner)).map((account) => [account.id, account]))
  return (await listPageRows(db, owner)).flatMap(({ accountId, pageId, name, username }) => {
    const account = accounts.get(accountId)
    if (!account) return []
    const { platform, health } = account
    return [{ accountId, platform, pageId, name, username: username ?? account.username, health }]
  })
}

/**
 * Disconnects an account: unstarted targets are cancelled (hook), a running one finishes, then access is revoked and
 * the tokens are deleted. Throws notFound.
 */
export async function disconnect(ctx: SubscriberCtx, input: SocialAccountParam): Promise<Message> {
  await retryOnDeadlock(ctx.db, async (tx) => {
    const account = await lockAccount(tx, ctx.owner, input.id)
    if (!account || account.disconnectingAt !== null) throw notFound(socialMessages.unknownAccount)
    await startDisconnecting(tx, ctx, ctx.owner, account.id)
  })
  return { message: socialMessages.disconnected }
}

/** Removes one page; the last one disconnects its account. Throws notFound. */
export async function removePage(ctx: SubscriberCtx, input: SocialPageParam): Promise<Message> {
  await retryOnDeadlock(ctx.db, async (tx) => {
    const account = await lockAccount(tx, ctx.owner, input.accountId)
    if (!account || account.disconnectingAt !== null) throw notFound(socialMessages.unknownAccount)
    const pages = await listPageRows(tx, ctx.owner, account.id)
    if (!pages.some((page) => page.pageId === input.pageId)) throw notFound(socialMessages.pageGone)
    if (pages.length === 1) return await startDisconnecting(tx, ctx, ctx.owner, account.id)
    await disconnectPage(tx, ctx, ctx.owner, account.id, input.pageId, 'artist')
    await notifyLive(tx, { owner: ctx.owner, topic: 'social', id: account.id })
  })
  return { message: socialMessages.disconnected }
}

/** Runs the hook for a page, then hides it. */
export async function disconnectPage(
  tx: Tx,
  system: System,
  owner: OwnerId,
  accountId: string,
  pageId: string,
  because: 'artist' | 'network',
): Promise<void> {
  await system.hooks.run('socialPageLeaving', system, tx, { owner, accountId, pageId, because })
  await hidePage(tx, owner, accountId, pageId, system.now())
}

/**
 * Starts disconnecting an account in the caller's transaction; a job finishes it. The caller has locked the account.
 */
export async function startDisconnecting(tx: Tx, system: System, owner: OwnerId, accountId: string): Promise<void> {
  await system.hooks.run('socialAccountLeaving', system, tx, { owner, accountId })
  await markLeaving(tx, owner, accountId, system.now())
  await system.jobs.send(tx, disconnectQueue, { owner, accountId })
  await notifyLive(tx, { owner, topic: 'social', id: accountId })
}

/** Queues the job of a disconnected account again, in the caller's transaction, once what it waited for is over. */
export async function resumeDisconnecting(system: System, tx: Tx, owner: OwnerId, accountId: string): Promise<void> {
  const account = await findAnyAccount(tx, owner, accountId)
  if (account?.disconnectingAt) await system.jobs.send(tx, disconnectQueue, { owner, accountId })
}

/**
 * Finishes a disconnection. An unavailable network is retried for a day, then ignored: the artist's request counts.
 * Throws while a post still uses the account, so that the job is retried.
 */
export async function finishDisconnecting(system: System, job: { owner: string; accountId: string }): Promise<void> {
  const owner = ownerScope(job.owner)
  const removeAccount = async (tx: Tx): Promise<AccountRow | undefined> => {
    const account = await lockAccount(tx, owner, job.accountId)
    // Reconnected meanwhile, or finished already.
    if (!account || account.disconnectingAt === null) return undefined
    await system.hooks.run('socialAccountGone', system, tx, { owner, accountId: account.id })
    return account
  }
  if (!(await retryOnDeadlock(system.db, removeAccount))) return
  // No refresh may store tokens that outlive the revocation.
  await withLease(system, `account:${job.accountId}`, turnMs, async () => {
    const account = await findAnyAccount(system.db, owner, job.accountId)
    if (account?.disconnectingAt) await revokeIfAlone(system, account, account.disconnectingAt)
  })
  await retryOnDeadlock(system.db, async (tx) => {
    if (!(await removeAccount(tx))) return
    await enqueuePictureDeletion(tx, system, await listPictures(tx, owner, job.accountId))
    await deleteAccount(tx, owner, job.accountId)
  })
}

const turnMs = 45_000

async function revokeIfAlone(system: System, account: AccountRow, since: Date): Promise<void> {
  try {
    await revokeAccess(system, account, openTokens(system, account))
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const passing = error.class === 'retry' || error.class === 'later' || error.class === 'unknown'
    if (passing && system.now().getTime() - since.getTime() < 24 * hour) throw error
    system.log.warn(
      { err: error, platform: account.platform, accountId: account.id, code: error.code },
      'a network did not take back its permission',
    )
  }
}

/** By then, anybody whose OAuth flow was running, with a permission that has been revoked, is connected. */
const recheckAfterMs = 2 * 60_000

/**
 * Revokes a login's permission, unless another account uses it: that would lose access as well. Checked right before
 * the call; accounts that connect during it are checked later (`token-upkeep.ts`). Throws NetworkError.
 */
export async function revokeAccess(system: System, login: Login, tokens: Tokens): Promise<void> {
  const { platform, providerUserId, userId } = login
  const { google, networks } = system.config
  // Never the Google sign-in.
  if (google && google.clientId === networks[platform]?.clientId) return
  const revoke = system.gateways.networks[platform]?.connect.revoke
  if (!revoke || (await listSharers(system.db, everyoneScope(), login, revokesAllGrants(platform))).length > 0) return
  await system.jobs.send(system.db, recheckQueue, { platform, providerUserId, userId }, { startInMs: recheckAfterMs })
  await revoke({ providerUserId, tokens })
}

/** Deletes unused states and, after a day, removed pages; queues lost disconnections again. */
export async function cleanUpSocial(system: System): Promise<void> {
  const now = system.now().getTime()
  await deleteStates(system.db, everyoneScope(), new Date(now))
  await system.db.transaction(async (tx) => {
    await enqueuePictureDeletion(tx, system, await deleteRemovedPages(tx, everyoneScope(), new Date(now - 24 * hour)))
  })
  for (const account of await listDisconnectingSince(system.db, everyoneScope(), new Date(now - hour))) {
    await system.jobs.send(system.db, disconnectQueue, { owner: account.userId, accountId: account.id })
  }
}

/** Checks that an account is the artist's and connected. Throws notFound. */
export async function requireAccount(ctx: SubscriberCtx, accountId: string): Promise<AccountRow> {
  const account = await findAccount(ctx.db, ctx.owner, accountId)
  if (!account) throw notFound(socialMessages.unknownAccount)
  return account
}

/** For the hook `accountClosing`: disconnects every account. */
export async function disconnectAll(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  for (const { id } of await listAccountRows(tx, fact.owner)) {
    // In the usual lock order: the account's row, then its dependents.
    const account = await lockAccount(tx, fact.owner, id)
    if (account && account.disconnectingAt === null) await startDisconnecting(tx, system, fact.owner, id)
  }
}

/** For the hook `accountPurging`. Throws NotYet until every network was informed, or did not answer for a day. */
export async function refuseWhileConnected(_system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  if (await hasAccounts(tx, fact.owner)) throw new NotYet('an account at a network is still being let go')
}
