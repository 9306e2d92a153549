import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { SocialAccount, SocialAccountParam } from '@flashsheet/contracts/social/schema'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { AppError, conflict, notFound, upstream } from '../../../core/errors.ts'
import { whilePersonWaits, withLease } from '../../../core/leases.ts'
import { countAgainst } from '../../../core/limits.ts'
import { ownerScope, type OwnerId } from '../../../core/scope.ts'
import { NetworkError, type ConnectSteps, type Tokens } from '../../../gateways/networks/adapter.ts'
import { notifyArtist } from '../../notices/service.ts'
import { emitEvent } from '../../webhooks/service/emit.ts'
import { profileQueue } from '../jobs.ts'
import {
  findAccount,
  findAnyAccount,
  isRefreshLost,
  listPageRows,
  lockAccount,
  noteRefreshLost,
  saveTokens,
  setHealth,
  type AccountRow,
  type TokenPair,
} from '../queries/accounts.ts'
import { canRefresh, hasEnded, reconnectBy, refreshDue, rotatesRefreshTokens, type TokenFacts } from '../rules.ts'
import { socialAccount } from '../view.ts'
import { openPageToken, openToken, sealToken, type Login } from './token-encryption.ts'

/** An account's decrypted tokens, with other facts for publishing. */
export type FreshTokens = { account: AccountRow; accessToken: string; scopes: string }

/**
 * The caller's reason: `early` refreshes only near the expiry; `rejected` when this access token is still the stored
 * one; `now` and `idle` always, unless somebody else did since `asked`.
 */
type Reason = { kind: 'early' } | ({ kind: 'rejected' } & Refused) | { kind: 'now' | 'idle'; asked: Date }

/**
 * The tokens that a network refused, as they were used; with a page's own token it was that one. They may no longer be
 * the stored ones.
 */
export type Refused = { accessToken: string; pageId?: string; pageAccessToken?: string | null }

export function tokenFacts(account: AccountRow): TokenFacts {
  return {
    platform: account.platform,
    hasRefreshToken: account.refreshToken !== null,
    accessExpiresAt: account.accessExpiresAt,
    refreshExpiresAt: account.refreshExpiresAt,
    refreshedAt: account.refreshedAt,
  }
}

export function openTokens(system: System, account: AccountRow): Tokens {
  const { config } = system
  return {
    accessToken: openToken(config, account, 'access_token', account.accessToken),
    refreshToken:
      account.refreshToken === null ? null : openToken(config, account, 'refresh_token', account.refreshToken),
    accessExpiresAt: account.accessExpiresAt,
    refreshExpiresAt: account.refreshExpiresAt,
    scopes: account.scopes,
  }
}

export function sealTokens(system: System, login: Login, tokens: Tokens): TokenPair {
  const { config } = system
  return {
    accessToken: sealToken(config, login, 'access_token', tokens.accessToken),
    refreshToken: tokens.refreshToken ? sealToken(config, login, 'refresh_token', tokens.refreshToken) : null,
    accessExpiresAt: tokens.accessExpiresAt,
    refreshExpiresAt: tokens.refreshExpiresAt,
    scopes: tokens.scopes,
  }
}

/**
 * Valid tokens, refreshed early if necessary. One refresh at a time per account, across all processes: others wait,
 * without a database connection, and read its result. Throws NetworkError; `reconnect` when only the artist can restore
 * access, which is then recorded.
 */
export async function freshTokens(system: System, owner: OwnerId, accountId: string): Promise<FreshTokens> {
  return await currentTokens(system, owner, accountId, await findAccount(system.db, owner, accountId))
}

/**
 * The stored tokens, nearly always; else `freshTokens`. So many posts of one account need no lock on its row to find
 * that its tokens are valid.
 */
export async function currentTokens(
  system: System,
  owner: OwnerId,
  accountId: string,
  account: AccountRow | undefined,
): Promise<FreshTokens> {
  if (account && !refreshDue(tokenFacts(account), system.now()) && !hasEnded(tokenFacts(account), system.now()))
    return opened(account, openTokens(system, account))
  return await careFor(system, owner, accountId, { kind: 'early' })
}

/**
 * The network refused `accessToken`: refreshes once. True: there are other tokens now, retry with them; false: the
 * account is marked and only the artist can restore it. Throws NetworkError when the network was unavailable.
 */
export async function tokensAfterRejection(
  system: System,
  owner: OwnerId,
  accountId: string,
  refused: Refused,
): Promise<boolean> {
  try {
    await careFor(system, owner, accountId, { kind: 'rejected', ...refused })
    return true
  } catch (error) {
    if (error instanceof NetworkError && error.class === 'reconnect') return false
    throw error
  }
}

/** Refreshes unused tokens, unless somebody did within the last hour. Throws NetworkError. */
export async function refreshIdle(system: System, owner: OwnerId, accountId: string): Promise<void> {
  await careFor(system, owner, accountId, { kind: 'idle', asked: new Date(system.now().getTime() - 3_600_000) })
}

/**
 * Checks at the network whether tokens are still valid, and records and notifies when only the artist can restore
 * access. Throws NetworkError.
 */
export async function checkTokens(system: System, owner: OwnerId, accountId: string): Promise<void> {
  await careFor(system, owner, accountId, { kind: 'now', asked: system.now() })
}

/**
 * Records that only the artist can restore this account, unless other tokens than the refused ones are stored by now.
 * Idempotent.
 */
export async function markReconnect(
  system: System,
  owner: OwnerId,
  accountId: string,
  refused?: Refused,
): Promise<void> {
  await retryOnDeadlock(system.db, async (tx) => {
    const account = await lockAccount(tx, owner, accountId)
    if (account && (!refused || (await isStored(tx, system, owner, account, refused))))
      await noteReconnect(tx, system, owner, accountId)
  })
}

/** Whether the refused tokens are the stored ones: the artist may have reconnected meanwhile. */
async function isStored(
  tx: Tx,
  system: System,
  owner: OwnerId,
  account: AccountRow,
  { accessToken, pageId, pageAccessToken }: Refused,
): Promise<boolean> {
  if (!pageAccessToken) return openTokens(system, account).accessToken === accessToken
  const page = (await listPageRows(tx, owner, account.id)).find((one) => one.pageId === pageId)
  return page !== undefined && openPageToken(system.config, account, page) === pageAccessToken
}

/**
 * Refreshes at the network now (`/api/social-accounts/{id}/token`), or checks the tokens where they cannot be
 * refreshed. Throws notFound, 409 with `reconnectUrl` when only the artist can restore access, upstream.
 */
export async function refreshToken(ctx: SubscriberCtx, input: SocialAccountParam): Promise<SocialAccount> {
  const known = await findAccount(ctx.db, ctx.owner, input.id)
  if (!known) throw notFound(socialMessages.unknownAccount)
  await countAgainst(ctx, 'tokenRefreshesPerArtist', ctx.owner)
  let account: AccountRow
  try {
    const care = careFor(ctx, ctx.owner, input.id, { kind: 'now', asked: ctx.now() })
    account = (await whilePersonWaits(ctx, care, () => upstream(socialMessages.unreachable(known.platform)))).account
  } catch (error) {
    throw error instanceof NetworkError ? refusalOf(ctx, known.platform, error) : error
  }
  await ctx.jobs.send(ctx.db, profileQueue, { owner: ctx.owner, accountId: account.id, asks: true })
  return socialAccount(
    account,
    await listPageRows(ctx.db, ctx.owner, account.id),
    reconnectBy(tokenFacts(account), ctx.now()),
  )
}

/** Maps a network's error for the API: 409 with the address to reconnect, else 502. */
export function refusalOf(system: System, platform: Platform, error: NetworkError): AppError {
  if (error.class !== 'reconnect') return upstream(error.message, error)
  return conflict(error.message, { reconnectUrl: `${system.config.publicUrl}/api/social-connect/${platform}` })
}

/**
 * The connecting half of a network. Throws NetworkError `config` when this installation has no keys for it any more.
 */
export function connectStepsOf(system: System, platform: Platform): ConnectSteps {
  const steps = system.gateways.networks[platform]?.connect
  if (!steps) throw new NetworkError('config', 'not_available', socialMessages.unknownPlatform)
  return steps
}

/** The result of a refresh; a change of health is notified afterwards. */
type Cared = { outcome: FreshTokens | NetworkError; seen?: AccountRow; health?: AccountRow['health'] }

/** How long to wait for another refresh of the same account. */
const turnMs = 45_000

const underWay = new WeakMap<System['hooks'], Map<string, Promise<FreshTokens>>>()

/** Concurrent callers for one account in this process share one result, also an unavailable network. */
async function careFor(system: System, owner: OwnerId, accountId: string, reason: Reason): Promise<FreshTokens> {
  const all = underWay.get(system.hooks) ?? new Map<string, Promise<FreshTokens>>()
  underWay.set(system.hooks, all)
  const key = [owner, accountId, reason.kind, reason.kind === 'rejected' ? JSON.stringify(reason) : ''].join(' ')
  const known = all.get(key)
  if (known) return await known
  const care = careInTurn(system, owner, accountId, reason).finally(() => all.delete(key))
  all.set(key, care)
  return await care
}

async function careInTurn(system: System, owner: OwnerId, accountId: string, reason: Reason): Promise<FreshTokens> {
  const { outcome, seen, health } = await withLease(
    system,
    `account:${accountId}`,
    turnMs,
    async () => await care(system, owner, accountId, reason),
  ).catch((error: unknown) => {
    if (error instanceof AppError && error.kind === 'unavailable')
      throw new NetworkError('retry', 'turn_not_reached', error.message)
    throw error
  })
  if (seen && health) await putHealth(system, owner, seen, health)
  if (outcome instanceof NetworkError) throw outcome
  return outcome
}

/**
 * Reads, calls the network without a database connection, and stores the result unless the account was reconnected
 * meanwhile.
 */
async function care(system: System, owner: OwnerId, accountId: string, reason: Reason): Promise<Cared> {
  const account = await findAnyAccount(system.db, owner, accountId)
  if (!account) return { outcome: accountGone() }
  const tokens = openTokens(system, account)
  const ended = hasEnded(tokenFacts(account), system.now())
  const isNewer = reason.kind === 'rejected' && !(await isStored(system.db, system, owner, account, reason))
  if (isNewer || !isWanted(account, reason, system.now())) {
    if (!ended) return { outcome: opened(account, tokens) }
    return {
      outcome: new NetworkError('reconnect', 'token_ended', socialMessages.reconnect(account.platform)),
      seen: account,
      health: 'reconnect',
    }
  }
  try {
    const fresh = await askForNew(system, owner, account, tokens, reason)
    return await keepFresh(system, owner, account, tokens, fresh)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    system.log.warn(
      { err: error, platform: account.platform, accountId, errorClass: error.class, code: error.code },
      'a token could not be refreshed',
    )
    // The answer is lost, maybe with new tokens that invalidate the stored ones: recorded as the reason, should they be
    // refused later.
    if (error.class === 'retry' && rotatesRefreshTokens(account.platform))
      await noteRefreshLost(system.db, owner, account, system.now())
    // A failed refresh does not affect a token that is still valid.
    const outcome = reason.kind === 'early' && !ended ? opened(account, tokens) : error
    return { outcome, seen: account, ...(error.class === 'reconnect' ? { health: 'reconnect' as const } : {}) }
  }
}

/** How often storing new tokens is tried. */
const savingTries = 6

/**
 * Stores the network's new tokens, with retries if the database fails: the old rotating refresh token is invalid, and
 * the new one exists only here. Tokens of a reconnection meanwhile are newer, and stay.
 */
async function keepFresh(
  system: System,
  owner: OwnerId,
  account: AccountRow,
  tokens: Tokens,
  fresh: Tokens,
): Promise<Cared> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await system.db.transaction(async (tx): Promise<Cared> => {
        const stored = await lockAccount(tx, owner, account.id)
        if (!stored) return { outcome: accountGone() }
        // Compares decrypted tokens: the same one may have been encrypted anew during a key rotation.
        const now = openTokens(system, stored)
        if (now.accessToken !== tokens.accessToken) return { outcome: opened(stored, now) }
        if (fresh !== tokens) await saveTokens(tx, owner, account.id, sealTokens(system, account, fresh), system.now())
        const seen = (await lockAccount(tx, owner, account.id)) ?? stored
        return {
          outcome: opened({ ...seen, health: 'ok' }, fresh),
          seen,
          ...(stored.health === 'ok' ? {} : { health: 'ok' as const }),
        }
      })
    } catch (error) {
      if (fresh === tokens || attempt === savingTries) throw error
      system.log.warn({ err: error, accountId: account.id }, 'new tokens could not be saved yet')
      await sleep(attempt * 200)
    }
  }
}

const accountGone = () => new NetworkError('permanent', 'account_gone', socialMessages.accountGone)

/** Records, and notifies, the result for the tokens `seen`; nothing if others are stored by now. */
async function putHealth(
  system: System,
  owner: OwnerId,
  seen: AccountRow,
  health: AccountRow['health'],
): Promise<void> {
  await retryOnDeadlock(system.db, async (tx) => {
    const account = await lockAccount(tx, owner, seen.id)
    if (account?.accessToken !== seen.accessToken) return
    if (health === 'reconnect') await noteReconnect(tx, system, owner, seen.id)
    else if (await setHealth(tx, owner, seen.id, 'ok')) await notifyRestored(tx, system, owner, seen.id)
  })
}

function isWanted(account: AccountRow, reason: Reason, now: Date): boolean {
  if (reason.kind === 'early') return refreshDue(tokenFacts(account), now)
  if (reason.kind === 'rejected') return true
  // Somebody else refreshed while this call waited for the row.
  return account.refreshedAt < reason.asked
}

/** New tokens, or the same where they could only be checked. Throws NetworkError. */
async function askForNew(
  system: System,
  owner: OwnerId,
  account: AccountRow,
  tokens: Tokens,
  reason: Reason,
): Promise<Tokens> {
  const steps = connectStepsOf(system, account.platform)
  const now = system.now()
  if (!steps.refresh || !canRefresh(tokenFacts(account), now)) {
    if (reason.kind === 'rejected' || hasEnded(tokenFacts(account), now)) {
      throw new NetworkError('reconnect', 'cannot_refresh', socialMessages.reconnect(account.platform))
    }
    const pages = await listPageRows(system.db, owner, account.id)
    await steps.check({
      tokens,
      pages: pages.map((page) => ({ pageId: page.pageId, accessToken: openPageToken(system.config, account, page) })),
    })
    return tokens
  }
  const fresh = await steps.refresh(tokens, now)
  if (!fresh.accessToken)
    throw new NetworkError('retry', 'no_access_token', socialMessages.unreachable(account.platform))
  return fresh
}

function opened(account: AccountRow, tokens: Tokens): FreshTokens {
  return { account, accessToken: tokens.accessToken, scopes: tokens.scopes }
}

async function noteReconnect(tx: Tx, system: System, owner: OwnerId, accountId: string): Promise<void> {
  if (!(await setHealth(tx, owner, accountId, 'reconnect'))) return
  await notifyLive(tx, { owner, topic: 'social', id: accountId })
  const account = await findAccount(tx, owner, accountId)
  // An account being disconnected needs no notice.
  if (!account) return
  await emitAccount(system, tx, account, 'account.reconnect_needed')
  await notifyArtist(system, tx, owner, {
    kind: 'account_reconnect',
    dedupeKey: `account ${accountId} reconnect ${system.now().getTime()}`,
    title: `Connect ${platformNames[account.platform]} again (${account.providerName})`,
    text: (await isRefreshLost(tx, owner, accountId))
      ? socialMessages.refreshLost(account.platform)
      : socialMessages.reconnect(account.platform),
    link: '/social-accounts',
    action: 'Connect again',
  })
}

/** An account's health and the time of its tokens, locked against a concurrent reconnection; undefined: it is gone. */
export async function accountState(
  tx: Tx,
  owner: OwnerId,
  accountId: string,
): Promise<Pick<AccountRow, 'health' | 'refreshedAt' | 'disconnectingAt'> | undefined> {
  return await lockAccount(tx, owner, accountId)
}

/** Tells the artist's webhook endpoints what became of an account. */
export async function emitAccount(
  system: System,
  tx: Tx,
  account: AccountRow,
  type: 'account.connected' | 'account.reconnect_needed',
): Promise<void> {
  const owner = ownerScope(account.userId)
  await emitEvent(system, tx, owner, type, async () =>
    socialAccount(account, await listPageRows(tx, owner), reconnectBy(tokenFacts(account), system.now())),
  )
}

/** Releases what waited for this account. */
export async function notifyRestored(tx: Tx, system: System, owner: OwnerId, accountId: string): Promise<void> {
  await system.hooks.run('socialAccountRestored', system, tx, { owner, accountId })
  await notifyLive(tx, { owner, topic: 'social', id: accountId })
}
