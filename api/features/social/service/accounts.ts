import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { Message } from '@flashsheet/contracts/auth/schema'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { platforms } from '@flashsheet/contracts/networks'
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
import { RetryLater } from '../../../core/jobs.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { NetworkError, type Tokens } from '../../../gateways/networks/adapter.ts'
import { disconnectQueue, recheckQueue } from '../jobs.ts'
import {
  deleteAccount,
  findAnyAccount,
  hasAccounts,
  hidePage,
  listAccountRows,
  listDisconnectingSince,
  listPageRows,
  lockAccount,
  markDisconnecting,
  type AccountRow,
  type Login,
  type PageRow,
} from '../queries/accounts.ts'
import { deletePages, deleteRemovedPages } from '../queries/pictures.ts'
import { deleteStates } from '../queries/states.ts'
import { listAccountsSharingGrant } from '../queries/token-maintenance.ts'
import { isTemporary, reconnectBy, revokesAllGrants } from '../rules.ts'
import { networkView, platformDescriptor, socialAccount } from '../view.ts'
import { enqueuePictureDeletion } from './page-pictures.ts'
import { tokensToRevoke, withAccountLease } from './tokens.ts'

const hour = 3_600_000

/** Networks that this installation can connect (one without keys is hidden). */
export function listPlatforms(ctx: SubscriberCtx): PlatformDescriptor[] {
  return availablePlatforms(ctx.config).map(platformDescriptor)
}

/** The limits of each network, also of those that this installation cannot connect. */
export function listNetworks(_ctx: RequestCtx): Network[] {
  return platforms.map(networkView)
}

/** The artist's accounts with their pages, oldest first. */
export async function listAccounts(ctx: SubscriberCtx): Promise<SocialAccount[]> {
  const [accounts, pages] = await Promise.all([listAccountRows(ctx.db, ctx.owner), listPageRows(ctx.db, ctx.owner)])
  return accounts.map((account) => socialAccount(account, pages, reconnectBy(account, ctx.now())))
}

/** A page that a post may use. */
export type ConnectedPage = Pick<PageRow, 'accountId' | 'pageId' | 'name' | 'username'> &
  Pick<AccountRow, 'platform' | 'health'>

/** Every page that the artist may post to. Slices validate a post's variants with it in their own transaction. */
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
 * Disconnects an account: a hook cancels targets that have not started, a running one finishes, then access is revoked
 * and the tokens are deleted. Throws notFound.
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
  await system.hooks.run('socialPageRemoving', system, tx, { owner, accountId, pageId, because })
  await hidePage(tx, owner, accountId, pageId, system.now())
}

/** Starts disconnecting an account in the caller's transaction; a job finishes it. The caller must lock the account. */
export async function startDisconnecting(tx: Tx, system: System, owner: OwnerId, accountId: string): Promise<void> {
  await system.hooks.run('socialAccountDisconnecting', system, tx, { owner, accountId })
  await markDisconnecting(tx, owner, accountId, system.now())
  await system.jobs.send(tx, disconnectQueue, { owner, accountId })
  await notifyLive(tx, { owner, topic: 'social', id: accountId })
}

/** Queues the disconnect job again, in the caller's transaction: the target that it waited for is finished. */
export async function resumeDisconnecting(system: System, tx: Tx, owner: OwnerId, accountId: string): Promise<void> {
  const account = await findAnyAccount(tx, owner, accountId)
  if (account?.disconnectingAt) await system.jobs.send(tx, disconnectQueue, { owner, accountId })
}

/**
 * Finishes a disconnection. Throws, so that the job is retried, while a post still uses the account, and for a day
 * while access cannot be revoked; after that the account is deleted nevertheless.
 */
export async function finishDisconnecting(system: System, job: { owner: string; accountId: string }): Promise<void> {
  const owner = ownerScope(job.owner)
  const lockUnused = async (tx: Tx): Promise<AccountRow | undefined> => {
    const account = await lockAccount(tx, owner, job.accountId)
    // Reconnected in the meantime, or finished already.
    if (!account || account.disconnectingAt === null) return undefined
    await system.hooks.run('socialAccountDeleting', system, tx, { owner, accountId: account.id })
    return account
  }
  if (!(await retryOnDeadlock(system.db, lockUnused))) return
  // Under the account's lease, so that no concurrent refresh stores tokens that outlive the revocation.
  await withAccountLease(system, job.accountId, async () => {
    const account = await findAnyAccount(system.db, owner, job.accountId)
    if (account?.disconnectingAt) await revokeOrGiveUp(system, owner, account, account.disconnectingAt)
  })
  await retryOnDeadlock(system.db, async (tx) => {
    if (!(await lockUnused(tx))) return
    await enqueuePictureDeletion(tx, system, await deletePages(tx, owner, job.accountId))
    await deleteAccount(tx, owner, job.accountId)
  })
}

async function revokeOrGiveUp(
  system: System,
  owner: OwnerId,
  account: AccountRow,
  disconnectingAt: Date,
): Promise<void> {
  try {
    await revokeAccess(system, account, async () => await tokensToRevoke(system, owner, account))
  } catch (error) {
    // Any error may pass, except a clear refusal. Tokens that no key decrypts may have their key again within a day.
    const mayPass = !(error instanceof NetworkError) || isTemporary(error)
    if (mayPass && system.now().getTime() - disconnectingAt.getTime() < 24 * hour) throw error
    system.log.warn(
      { err: error, platform: account.platform, accountId: account.id },
      'a network did not revoke the permission of an account',
    )
  }
}

/** By then, each OAuth flow whose consent was given before the revocation has stored its account. */
const recheckAfterMs = 2 * 60_000

/**
 * Revokes a login's permission, unless another account would lose access with it. A job checks accounts that connect
 * during the call (`recheckAccountsSharingGrant`). Throws NetworkError.
 */
export async function revokeAccess(
  system: System,
  login: Login & { id?: string },
  readTokens: () => Promise<Tokens>,
): Promise<void> {
  const { platform, providerUserId, userId } = login
  const { google, networks } = system.config
  // Revoking would also end the artist's sign-in with Google.
  if (google && google.clientId === networks[platform]?.clientId) return
  const revoke = system.gateways.networks[platform]?.connect.revoke
  if (
    !revoke ||
    (await listAccountsSharingGrant(system.db, everyoneScope(), login, revokesAllGrants(platform))).length > 0
  )
    return
  await system.jobs.send(system.db, recheckQueue, { platform, providerUserId, userId }, { startInMs: recheckAfterMs })
  await revoke({ providerUserId, tokens: await readTokens() })
}

/** Deletes expired OAuth states and, after a day, removed pages; queues lost disconnect jobs again. */
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

/** For the hook `accountClosing`: disconnects every account. */
export async function disconnectAll(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  for (const { id } of await listAccountRows(tx, fact.owner)) {
    // The usual lock order: the account's row, then rows that reference it.
    const account = await lockAccount(tx, fact.owner, id)
    if (account && account.disconnectingAt === null) await startDisconnecting(tx, system, fact.owner, id)
  }
}

/** For the hook `accountPurging`. Throws RetryLater until every account is disconnected. */
export async function refuseWhileConnected(_system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  if (await hasAccounts(tx, fact.owner)) throw new RetryLater('an account is still being disconnected at its network')
}
