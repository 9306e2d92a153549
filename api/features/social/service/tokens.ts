import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { SocialAccount, SocialAccountParam } from '@flashsheet/contracts/social/schema'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { AppError, conflict, notFound, upstream } from '../../../core/errors.ts'
import { withInteractiveTimeout, withLease } from '../../../core/leases.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import { ownerScope, type OwnerId } from '../../../core/scope.ts'
import { isServedArtist } from '../../../core/served-artist.ts'
import { NetworkError, type ConnectSteps, type Tokens } from '../../../gateways/networks/adapter.ts'
import { notifyArtist, type ArtistNotice } from '../../notices/service.ts'
import { emitEvent } from '../../webhooks/service/emit.ts'
import { profileQueue } from '../jobs.ts'
import {
  findAccount,
  findAnyAccount,
  listPageRows,
  lockAccount,
  recordRefreshLost,
  saveTokens,
  setHealth,
  type AccountRow,
  type Login,
  type TokenPair,
} from '../queries/accounts.ts'
import {
  canRefresh,
  hasExpired,
  reconnectBy,
  isRefreshDue,
  isRefreshedToRevoke,
  rotatesRefreshTokens,
} from '../rules.ts'
import { socialAccount } from '../view.ts'
import { openPageToken, openToken, sealToken } from './token-encryption.ts'

/** An account with its decrypted access token. */
export type ValidTokens = { account: AccountRow; accessToken: string }

/**
 * When to refresh: `early` only near the expiry; `rejected` if the rejected token is still the stored one; `now` and
 * `idle` always, unless another caller has refreshed since `refreshedBefore`.
 */
type Reason =
  | { kind: 'early' }
  | ({ kind: 'rejected' } & RejectedTokens)
  | { kind: 'now' | 'idle'; refreshedBefore: Date }

/**
 * The tokens that a network rejected, which may no longer be the stored ones. With `pageAccessToken` it was the page's
 * own token.
 */
export type RejectedTokens = { accessToken: string; pageId?: string; pageAccessToken?: string | null }

export function openTokens(system: System, account: AccountRow): Tokens {
  const { config } = system
  const { accessToken, refreshToken, accessExpiresAt, refreshExpiresAt, scopes } = account
  return {
    accessToken: openToken(config, account, 'access_token', accessToken),
    refreshToken: refreshToken === null ? null : openToken(config, account, 'refresh_token', refreshToken),
    accessExpiresAt,
    refreshExpiresAt,
    scopes,
  }
}

export function sealTokens(system: System, login: Login, tokens: Tokens): TokenPair {
  const { config } = system
  return {
    ...tokens,
    accessToken: sealToken(config, login, 'access_token', tokens.accessToken),
    refreshToken: tokens.refreshToken ? sealToken(config, login, 'refresh_token', tokens.refreshToken) : null,
  }
}

/**
 * Valid tokens, refreshed first if they expire soon. An account has one refresh at a time, across all processes: other
 * callers wait, without a database connection, and get its result. Throws NetworkError; `reconnect` when only the
 * artist can restore access, which is then recorded.
 */
export async function validTokens(system: System, owner: OwnerId, accountId: string): Promise<ValidTokens> {
  return await validTokensOf(system, owner, accountId, await findAccount(system.db, owner, accountId))
}

/**
 * The tokens of `account` if they are valid, otherwise those of `validTokens`. Many concurrent posts of one account
 * need no lock on its row while its tokens are valid.
 */
export async function validTokensOf(
  system: System,
  owner: OwnerId,
  accountId: string,
  account: AccountRow | undefined,
): Promise<ValidTokens> {
  if (account && !isRefreshDue(account, system.now()) && !hasExpired(account, system.now()))
    return { account, accessToken: openTokens(system, account).accessToken }
  return await ensureTokens(system, owner, accountId, { kind: 'early' })
}

/**
 * Refreshes after the network rejected tokens. True: other tokens are stored now, so the caller may retry. False: only
 * the artist can restore access, which is recorded. Throws NetworkError when the network was unavailable.
 */
export async function refreshRejectedTokens(
  system: System,
  owner: OwnerId,
  accountId: string,
  rejected: RejectedTokens,
): Promise<boolean> {
  try {
    await ensureTokens(system, owner, accountId, { kind: 'rejected', ...rejected })
    return true
  } catch (error) {
    if (error instanceof NetworkError && error.class === 'reconnect') return false
    throw error
  }
}

/**
 * The tokens that revoke an account's grant, refreshed first if the network requires it. The caller holds the account's
 * lease. Throws NetworkError.
 */
export async function tokensToRevoke(system: System, owner: OwnerId, account: AccountRow): Promise<Tokens> {
  if (!isRefreshedToRevoke(account, system.now())) return openTokens(system, account)
  return openTokens(system, (await refreshIfNeeded(system, owner, account.id, { kind: 'early' })).account)
}

/** Refreshes unused tokens, unless another caller did within the last hour. Throws NetworkError. */
export async function refreshIdle(system: System, owner: OwnerId, accountId: string): Promise<void> {
  const refreshedBefore = new Date(system.now().getTime() - 3_600_000)
  await ensureTokens(system, owner, accountId, { kind: 'idle', refreshedBefore })
}

/**
 * Refreshes tokens, or checks them at the network if they cannot be refreshed. When only the artist can restore access,
 * this is recorded and the artist notified. Throws NetworkError.
 */
export async function checkTokens(system: System, owner: OwnerId, accountId: string): Promise<void> {
  await ensureTokens(system, owner, accountId, { kind: 'now', refreshedBefore: system.now() })
}

/**
 * Records that only the artist can restore this account, unless the stored tokens are no longer the rejected ones, or
 * `because` is false of the stored account: it may have been reconnected since the caller read it. Idempotent.
 */
export async function markReconnect(
  system: System,
  owner: OwnerId,
  accountId: string,
  because?: RejectedTokens | ((account: AccountRow) => boolean),
): Promise<void> {
  await retryOnDeadlock(system.db, async (tx) => {
    const account = await lockAccount(tx, owner, accountId)
    if (!account) return
    const isLost =
      typeof because === 'function'
        ? because(account)
        : because === undefined || (await isStored(tx, system, owner, account, because))
    if (isLost) await recordReconnect(tx, system, owner, accountId)
  })
}

/** Whether the rejected tokens are still the stored ones: the artist may have reconnected in the meantime. */
async function isStored(
  tx: Tx,
  system: System,
  owner: OwnerId,
  account: AccountRow,
  { accessToken, pageId, pageAccessToken }: RejectedTokens,
): Promise<boolean> {
  if (!pageAccessToken) return openTokens(system, account).accessToken === accessToken
  const page = (await listPageRows(tx, owner, account.id)).find((one) => one.pageId === pageId)
  return page !== undefined && openPageToken(system.config, account, page) === pageAccessToken
}

/** An account of the artist that is not being disconnected. Throws notFound. */
export async function requireAccount(ctx: SubscriberCtx, accountId: string): Promise<AccountRow> {
  const account = await findAccount(ctx.db, ctx.owner, accountId)
  if (!account) throw notFound(socialMessages.unknownAccount)
  return account
}

/**
 * Refreshes an account's tokens now, or checks them if they cannot be refreshed (`/api/social-accounts/{id}/token`).
 * Throws notFound, 409 with `reconnectUrl` when only the artist can restore access, tooMany, and upstream.
 */
export async function refreshToken(ctx: SubscriberCtx, input: SocialAccountParam): Promise<SocialAccount> {
  const { platform } = await requireAccount(ctx, input.id)
  await consumeRateLimit(ctx, 'tokenRefreshesPerArtist', ctx.owner)
  let account: AccountRow
  try {
    const refresh = ensureTokens(ctx, ctx.owner, input.id, { kind: 'now', refreshedBefore: ctx.now() })
    account = (await withInteractiveTimeout(ctx, refresh, () => upstream(socialMessages.unreachable(platform)))).account
  } catch (error) {
    throw error instanceof NetworkError ? refusalOf(ctx, platform, error) : error
  }
  await ctx.jobs.send(ctx.db, profileQueue, { owner: ctx.owner, accountId: account.id, asks: true })
  return socialAccount(account, await listPageRows(ctx.db, ctx.owner, account.id), reconnectBy(account, ctx.now()))
}

/** Maps a network's error for the API: 409 with the address to reconnect, otherwise 502. */
export function refusalOf(system: System, platform: Platform, error: NetworkError): AppError {
  if (error.class !== 'reconnect') return upstream(error.message, error)
  return conflict(error.message, { reconnectUrl: `${system.config.publicUrl}/api/social-connect/${platform}` })
}

/** The connect steps of a network's adapter. Throws NetworkError `config` without keys for this network. */
export function connectStepsOf(system: System, platform: Platform): ConnectSteps {
  const steps = system.gateways.networks[platform]?.connect
  if (!steps) throw new NetworkError('config', 'not_available', socialMessages.unknownPlatform)
  return steps
}

/** Runs `work` under the account's lease, so that its tokens are refreshed and revoked one after the other. */
export async function withAccountLease<T>(system: System, accountId: string, work: () => Promise<T>): Promise<T> {
  return await withLease(system, `account:${accountId}`, 45_000, work)
}

const refreshesInProgress = new WeakMap<System['hooks'], Map<string, Promise<ValidTokens>>>()

/** Concurrent callers for one account in this process share one result, also an error. */
async function ensureTokens(system: System, owner: OwnerId, accountId: string, reason: Reason): Promise<ValidTokens> {
  const inProgress = refreshesInProgress.get(system.hooks) ?? new Map<string, Promise<ValidTokens>>()
  refreshesInProgress.set(system.hooks, inProgress)
  const key = [owner, accountId, reason.kind, reason.kind === 'rejected' ? JSON.stringify(reason) : ''].join(' ')
  const current = inProgress.get(key)
  if (current) return await current
  const refresh = refreshUnderLease(system, owner, accountId, reason).finally(() => inProgress.delete(key))
  inProgress.set(key, refresh)
  return await refresh
}

async function refreshUnderLease(
  system: System,
  owner: OwnerId,
  accountId: string,
  reason: Reason,
): Promise<ValidTokens> {
  return await withAccountLease(
    system,
    accountId,
    async () => await refreshIfNeeded(system, owner, accountId, reason),
  ).catch((error: unknown) => {
    if (error instanceof AppError && error.kind === 'unavailable')
      throw new NetworkError('retry', 'turn_not_reached', error.message)
    throw error
  })
}

/**
 * Refreshes at the network without a database connection, and stores the result unless the account was reconnected in
 * the meantime. Records whether only the artist can restore access.
 */
async function refreshIfNeeded(
  system: System,
  owner: OwnerId,
  accountId: string,
  reason: Reason,
): Promise<ValidTokens> {
  const account = await findAnyAccount(system.db, owner, accountId)
  if (!account) throw accountDeleted()
  const tokens = openTokens(system, account)
  const stored: ValidTokens = { account, accessToken: tokens.accessToken }
  const isExpired = hasExpired(account, system.now())
  const isReplaced = reason.kind === 'rejected' && !(await isStored(system.db, system, owner, account, reason))
  if (isReplaced || !needsRefresh(account, reason, system.now())) {
    if (!isExpired) return stored
    await recordHealth(system, owner, account, 'reconnect')
    throw new NetworkError('reconnect', 'token_ended', socialMessages.reconnect(account.platform))
  }
  let fresh: Tokens
  try {
    fresh = await refreshOrCheck(system, owner, account, tokens, reason)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    system.log.warn(
      { err: error, platform: account.platform, accountId, errorClass: error.class, code: error.code },
      'a token could not be refreshed',
    )
    // A lost answer may have contained new tokens that invalidate the stored ones. Recorded, because it explains a
    // later rejection.
    if (error.class === 'retry' && rotatesRefreshTokens(account.platform))
      await recordForTokens(system, owner, account, async (tx) => {
        await recordRefreshLost(tx, owner, accountId, system.now())
      })
    if (error.class === 'reconnect') await recordHealth(system, owner, account, 'reconnect')
    // A failed refresh does not affect a token that is still valid.
    if (reason.kind === 'early' && !isExpired) return stored
    throw error
  }
  const valid = await storeTokens(system, owner, account, tokens, fresh)
  // Newer tokens of a reconnection have their own health.
  if (valid.accessToken !== fresh.accessToken || valid.account.health === 'ok') return valid
  await recordHealth(system, owner, valid.account, 'ok')
  return { ...valid, account: { ...valid.account, health: 'ok' } }
}

const maxStoreTries = 6

/**
 * Stores the network's new tokens, and returns the stored ones. Retries if the database fails, because a rotated refresh
 * token exists only here. Does not overwrite the newer tokens of a reconnection.
 */
async function storeTokens(
  system: System,
  owner: OwnerId,
  account: AccountRow,
  tokens: Tokens,
  fresh: Tokens,
): Promise<ValidTokens> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await system.db.transaction(async (tx) => {
        const stored = await lockAccount(tx, owner, account.id)
        if (!stored) throw accountDeleted()
        const { accessToken } = openTokens(system, stored)
        // They are the new ones when the answer to the last attempt's commit was lost.
        if (accessToken !== tokens.accessToken) return { account: stored, accessToken }
        if (fresh !== tokens) await saveTokens(tx, owner, account.id, sealTokens(system, account, fresh), system.now())
        return { account: (await lockAccount(tx, owner, account.id)) ?? stored, accessToken: fresh.accessToken }
      })
    } catch (error) {
      if (error instanceof NetworkError || fresh === tokens || attempt === maxStoreTries) throw error
      system.log.warn({ err: error, accountId: account.id }, 'new tokens could not be saved yet')
      await sleep(attempt * 200)
    }
  }
}

const accountDeleted = () => new NetworkError('permanent', 'account_gone', socialMessages.accountGone)

/**
 * Runs `record` in a transaction, unless other tokens than those of `usedRow` are stored. Compares decrypted tokens,
 * because a key rotation may have encrypted the same token again.
 */
async function recordForTokens(system: System, owner: OwnerId, usedRow: AccountRow, record: (tx: Tx) => Promise<void>) {
  const used = openTokens(system, usedRow).accessToken
  await retryOnDeadlock(system.db, async (tx) => {
    const stored = await lockAccount(tx, owner, usedRow.id)
    if (stored && openTokens(system, stored).accessToken === used) await record(tx)
  })
}

/** Records the health of an account and notifies its artist, unless other tokens than those of `usedRow` are stored. */
async function recordHealth(system: System, owner: OwnerId, usedRow: AccountRow, health: AccountRow['health']) {
  await recordForTokens(system, owner, usedRow, async (tx) => {
    if (health === 'reconnect') await recordReconnect(tx, system, owner, usedRow.id)
    else if (await setHealth(tx, owner, usedRow.id, 'ok')) await notifyRestored(tx, system, owner, usedRow.id)
  })
}

function needsRefresh(account: AccountRow, reason: Reason, now: Date): boolean {
  if (reason.kind === 'early') return isRefreshDue(account, now)
  if (reason.kind === 'rejected') return true
  // Another caller may have refreshed while this one waited for the lease.
  return account.refreshedAt < reason.refreshedBefore
}

/** New tokens, or the same object where they could only be checked. Throws NetworkError. */
async function refreshOrCheck(
  system: System,
  owner: OwnerId,
  account: AccountRow,
  tokens: Tokens,
  reason: Reason,
): Promise<Tokens> {
  const steps = connectStepsOf(system, account.platform)
  const now = system.now()
  if (!steps.refresh || !canRefresh(account, now)) {
    if (reason.kind === 'rejected' || hasExpired(account, now)) {
      throw new NetworkError('reconnect', 'cannot_refresh', socialMessages.reconnect(account.platform))
    }
    const check = steps.check ?? steps.profiles
    await check({ tokens, pages: await pagesWithTokens(system, owner, account) })
    return tokens
  }
  const fresh = await steps.refresh(tokens, now)
  if (!fresh.accessToken)
    throw new NetworkError('retry', 'no_access_token', socialMessages.unreachable(account.platform))
  return fresh
}

/** The account's visible pages with their decrypted tokens, if they have any. */
export async function pagesWithTokens(system: System, owner: OwnerId, account: AccountRow) {
  const pages = await listPageRows(system.db, owner, account.id)
  return pages.map((page) => ({ pageId: page.pageId, accessToken: openPageToken(system.config, account, page) }))
}

async function recordReconnect(tx: Tx, system: System, owner: OwnerId, accountId: string): Promise<void> {
  if (!(await setHealth(tx, owner, accountId, 'reconnect'))) return
  await notifyScreens(tx, owner, accountId)
  const account = await findAccount(tx, owner, accountId)
  // An account being disconnected needs no notice.
  if (!account) return
  await emitAccount(system, tx, account, 'account.reconnect_needed')
  const notice: ArtistNotice = {
    kind: 'account_reconnect',
    dedupeKey: `account ${accountId} reconnect ${system.now().getTime()}`,
    title: `Connect ${platformNames[account.platform]} again (${account.providerName})`,
    text: account.refreshLostAt
      ? socialMessages.refreshLost(account.platform)
      : socialMessages.reconnect(account.platform),
    link: '/social-accounts',
    action: 'Connect again',
  }
  // To others the screen of the mail's button is closed; the notice waits for their return.
  await notifyArtist(system, tx, owner, notice, { mailed: await isServedArtist(tx, owner) })
}

/** An account with its health, locked against a concurrent reconnection. Undefined: it is deleted. */
export async function accountState(tx: Tx, owner: OwnerId, accountId: string): Promise<AccountRow | undefined> {
  return await lockAccount(tx, owner, accountId)
}

/** Emits an event about an account to the artist's webhook endpoints. */
export async function emitAccount(
  system: System,
  tx: Tx,
  account: AccountRow,
  type: 'account.connected' | 'account.reconnect_needed',
): Promise<void> {
  const owner = ownerScope(account.userId)
  await emitEvent(system, tx, owner, type, async () =>
    socialAccount(account, await listPageRows(tx, owner), reconnectBy(account, system.now())),
  )
}

/** Runs the hook that releases targets which wait for this account. */
export async function notifyRestored(tx: Tx, system: System, owner: OwnerId, accountId: string): Promise<void> {
  await system.hooks.run('socialAccountRestored', system, tx, { owner, accountId })
  await notifyScreens(tx, owner, accountId)
}

/** The calendar marks the posts that cannot be published without the account. */
async function notifyScreens(tx: Tx, owner: OwnerId, accountId: string): Promise<void> {
  await notifyLive(tx, { owner, topic: 'social', id: accountId })
  await notifyLive(tx, { owner, topic: 'posts' })
}
