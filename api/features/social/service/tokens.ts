import { platformNames, socialMessages, type Platform, type SocialAccount, type SocialAccountParam } from '@flashsheet/contracts/social'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { conflict, notFound, upstream, type AppError } from '../../../core/errors.ts'
import { countAgainst } from '../../../core/limits.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { NetworkError, type ConnectSteps, type Tokens } from '../../../gateways/networks/adapter.ts'
import { tellArtist } from '../../notices/service.ts'
import { findAccount, listPageRows, lockAccount, saveTokens, setHealth, type AccountRow, type TokenPair } from '../queries/accounts.ts'
import { canRefresh, hasEnded, reconnectBy, refreshDue, type TokenFacts } from '../rules.ts'
import { socialAccount } from '../view.ts'
import { openPageToken, openToken, sealToken, type Login } from './seals.ts'

/** An account's tokens, opened, with what else a publisher needs to know of it. */
export type FreshTokens = { account: AccountRow; accessToken: string; scopes: string }

/**
 * Why somebody asks: `early` refreshes only when the end is near; `rejected` when this very access token is still the
 * stored one; `now` always, unless somebody else did so since `asked`.
 */
type Reason = { kind: 'early' } | ({ kind: 'rejected' } & Refused) | { kind: 'now'; asked: Date }

/** The tokens a network refused, as somebody used them; with a page's own token it was that one. They may not be the stored ones any more. */
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
    refreshToken: account.refreshToken === null ? null : openToken(config, account, 'refresh_token', account.refreshToken),
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
 * Tokens fit for use, refreshed early if need be (design 4). One refresh at a time per account, whoever asks and however
 * many: the others wait for the row and read what it brought. Throws NetworkError; `reconnect` when only the artist can
 * mend it, which is then on record.
 */
export async function freshTokens(system: System, owner: OwnerId, accountId: string): Promise<FreshTokens> {
  return await keptTokens(system, owner, accountId, await findAccount(system.db, owner, accountId))
}

/** The tokens as read, nearly always; else as `freshTokens`. Many posts of one account need not queue for its row to learn that they are fresh. */
export async function keptTokens(system: System, owner: OwnerId, accountId: string, account: AccountRow | undefined): Promise<FreshTokens> {
  if (account && !refreshDue(tokenFacts(account), system.now()) && !hasEnded(tokenFacts(account), system.now())) return opened(account, openTokens(system, account))
  return await careTogether(system, owner, accountId)
}

const underWay = new WeakMap<System, Map<string, Promise<FreshTokens>>>()

/**
 * Refreshes early, once for all of this process who want it at the same moment: each of them would hold a connection while it waits
 * for the account's row, and ask a network that is down once more when its turn comes.
 */
async function careTogether(system: System, owner: OwnerId, accountId: string): Promise<FreshTokens> {
  const all = underWay.get(system) ?? new Map<string, Promise<FreshTokens>>()
  underWay.set(system, all)
  const key = `${owner} ${accountId}`
  const care = all.get(key) ?? careFor(system, owner, accountId, { kind: 'early' }).finally(() => all.delete(key))
  all.set(key, care)
  return await care
}

/**
 * The network refused `accessToken`: refreshes once (platform-apis 4.8, 5.5, 6.8). True: other tokens are there, try
 * again with them; false: the account is marked and only the artist can mend it. Throws NetworkError when the network
 * could not be asked.
 */
export async function tokensAfterRejection(system: System, owner: OwnerId, accountId: string, refused: Refused): Promise<boolean> {
  try {
    await careFor(system, owner, accountId, { kind: 'rejected', ...refused })
    return true
  } catch (error) {
    if (error instanceof NetworkError && error.class === 'reconnect') return false
    throw error
  }
}

/** Refreshes tokens nobody asked for, unless somebody did within the last hour. Throws NetworkError. */
export async function refreshIdle(system: System, owner: OwnerId, accountId: string): Promise<void> {
  await careFor(system, owner, accountId, { kind: 'now', asked: new Date(system.now().getTime() - 3_600_000) })
}

/** Asks the network about tokens that may have died unheard: what only the artist can mend is then on record, and told. Throws NetworkError. */
export async function askAnew(system: System, owner: OwnerId, accountId: string): Promise<void> {
  await careFor(system, owner, accountId, { kind: 'now', asked: system.now() })
}

/** Puts on record that only the artist can mend this account, unless other tokens than the refused ones are stored by now. Running twice changes nothing. */
export async function markReconnect(system: System, owner: OwnerId, accountId: string, refused?: Refused): Promise<void> {
  await system.db.transaction(async (tx) => {
    const account = await lockAccount(tx, owner, accountId)
    if (account && (!refused || (await isStored(tx, system, owner, account, refused)))) await noteReconnect(tx, system, owner, accountId)
  })
}

/** Whether what was refused is what is stored: the artist may have connected again meanwhile. */
async function isStored(tx: Tx, system: System, owner: OwnerId, account: AccountRow, { accessToken, pageId, pageAccessToken }: Refused): Promise<boolean> {
  if (!pageAccessToken) return openTokens(system, account).accessToken === accessToken
  const page = (await listPageRows(tx, owner, account.id)).find((one) => one.pageId === pageId)
  return page !== undefined && openPageToken(system.config, account, page) === pageAccessToken
}

/**
 * Refreshes at the network now (wire: social-accounts/{id}/token), or asks whether the tokens still open where they cannot be refreshed.
 * Throws notFound, 409 with `reconnectUrl` when only the artist can mend it, upstream.
 */
export async function refreshToken(ctx: SubscriberCtx, input: SocialAccountParam): Promise<SocialAccount> {
  const known = await findAccount(ctx.db, ctx.owner, input.id)
  if (!known) throw notFound(socialMessages.unknownAccount)
  await countAgainst(ctx, 'tokenRefreshesPerArtist', ctx.owner)
  let account: AccountRow
  try {
    account = (await careFor(ctx, ctx.owner, input.id, { kind: 'now', asked: ctx.now() })).account
  } catch (error) {
    throw error instanceof NetworkError ? refusalOf(ctx, known.platform, error) : error
  }
  return socialAccount(account, await listPageRows(ctx.db, ctx.owner, account.id), reconnectBy(tokenFacts(account), ctx.now()))
}

/** A network's error as the doors answer it: 409 with the way to mend it, else 502. */
export function refusalOf(system: System, platform: Platform, error: NetworkError): AppError {
  if (error.class !== 'reconnect') return upstream(error.message, error)
  return conflict(error.message, { reconnectUrl: `${system.config.publicUrl}/api/social-connect/${platform}` })
}

/** The connecting half of a network. Throws NetworkError `config` when this installation has lost its keys. */
export function connectStepsOf(system: System, platform: Platform): ConnectSteps {
  const steps = system.gateways.networks[platform]?.connect
  if (!steps) throw new NetworkError('config', 'not_available', socialMessages.unknownPlatform)
  return steps
}

/** What care under the account's lock came to; a change of health is told once the lock is let go of. */
type Cared = { outcome: FreshTokens | NetworkError; seen?: AccountRow; health?: AccountRow['health'] }

async function careFor(system: System, owner: OwnerId, accountId: string, reason: Reason): Promise<FreshTokens> {
  const { outcome, seen, health } = await careUnderLock(system, owner, accountId, reason)
  if (seen && health) await putHealth(system, owner, seen, health)
  if (outcome instanceof NetworkError) throw outcome
  return outcome
}

/**
 * Asks the network under the account's lock, which is all this transaction ever locks: it can wait for another, and no other for
 * it in a circle. Of what was asked the answer is kept, so that it is not asked again should the database fail it: a refresh
 * token that rotates is worth nothing afterwards, and its successor is nowhere but here.
 */
async function careUnderLock(system: System, owner: OwnerId, accountId: string, reason: Reason): Promise<Cared> {
  let brought: Brought | undefined
  const ask: Ask = async (tx, account, tokens) => {
    if (brought?.of !== account.accessToken) brought = { of: account.accessToken, tokens: await askForNew(system, tx, owner, account, tokens, reason) }
    return brought.tokens
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await system.db.transaction(async (tx) => await careInside(tx, system, owner, accountId, reason, ask))
    } catch (error) {
      if (!brought || attempt === savingTries) throw error
      system.log.warn({ err: error, accountId }, 'new tokens could not be saved yet')
      await sleep(attempt * 200)
    }
  }
}

/** Times new tokens are written to a database that fails. */
const savingTries = 6

/** Asks the network for new tokens, or remembers what it gave. */
type Ask = (tx: Tx, account: AccountRow, tokens: Tokens) => Promise<Tokens>

/** What the network gave, and for which access token. */
type Brought = { of: string; tokens: Tokens }

async function careInside(
  tx: Tx,
  system: System,
  owner: OwnerId,
  accountId: string,
  reason: Reason,
  ask: Ask,
): Promise<Cared> {
  const account = await lockAccount(tx, owner, accountId)
  if (!account) return { outcome: new NetworkError('permanent', 'account_gone', socialMessages.accountGone) }
  const tokens = openTokens(system, account)
  const ended = hasEnded(tokenFacts(account), system.now())
  const isNewer = reason.kind === 'rejected' && !(await isStored(tx, system, owner, account, reason))
  if (isNewer || !isWanted(account, reason, system.now())) {
    if (!ended) return { outcome: opened(account, tokens) }
    return { outcome: new NetworkError('reconnect', 'token_ended', socialMessages.reconnect(account.platform)), seen: account, health: 'reconnect' }
  }
  try {
    const fresh = await ask(tx, account, tokens)
    if (fresh !== tokens) await saveTokens(tx, owner, account.id, sealTokens(system, account, fresh), system.now())
    const seen = (await lockAccount(tx, owner, account.id)) ?? account
    return { outcome: opened({ ...seen, health: 'ok' }, fresh), seen, ...(account.health === 'ok' ? {} : { health: 'ok' as const }) }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    system.log.warn({ err: error, platform: account.platform, accountId, errorClass: error.class, code: error.code }, 'a token could not be refreshed')
    // One failed refresh takes nothing away from a token that still opens (design 4).
    const outcome = reason.kind === 'early' && !ended ? opened(account, tokens) : error
    return { outcome, seen: account, ...(error.class === 'reconnect' ? { health: 'reconnect' as const } : {}) }
  }
}

/** Puts on record, and tells, what came of the tokens `seen`; nothing if they are others by now. */
async function putHealth(system: System, owner: OwnerId, seen: AccountRow, health: AccountRow['health']): Promise<void> {
  await system.db.transaction(async (tx) => {
    const account = await lockAccount(tx, owner, seen.id)
    if (account?.accessToken !== seen.accessToken) return
    if (health === 'reconnect') await noteReconnect(tx, system, owner, seen.id)
    else if (await setHealth(tx, owner, seen.id, 'ok')) await tellRestored(tx, system, owner, seen.id)
  })
}

function isWanted(account: AccountRow, reason: Reason, now: Date): boolean {
  if (reason.kind === 'early') return refreshDue(tokenFacts(account), now)
  if (reason.kind === 'rejected') return true
  // Somebody else refreshed while this one waited for the row.
  return account.refreshedAt < reason.asked
}

/** New tokens, or the same where only their health could be asked for. Throws NetworkError. */
async function askForNew(system: System, tx: Tx, owner: OwnerId, account: AccountRow, tokens: Tokens, reason: Reason): Promise<Tokens> {
  const steps = connectStepsOf(system, account.platform)
  const now = system.now()
  if (!steps.refresh || !canRefresh(tokenFacts(account), now)) {
    if (reason.kind === 'rejected' || hasEnded(tokenFacts(account), now)) {
      throw new NetworkError('reconnect', 'cannot_refresh', socialMessages.reconnect(account.platform))
    }
    // On this connection: many who hold an account each, and wait for another one, would wait for each other for ever.
    const pages = await listPageRows(tx, owner, account.id)
    await steps.check({
      tokens,
      pages: pages.map((page) => ({ pageId: page.pageId, accessToken: openPageToken(system.config, account, page) })),
    })
    return tokens
  }
  const fresh = await steps.refresh(tokens, now)
  if (!fresh.accessToken) throw new NetworkError('retry', 'no_access_token', socialMessages.unreachable(account.platform))
  return fresh
}

function opened(account: AccountRow, tokens: Tokens): FreshTokens {
  return { account, accessToken: tokens.accessToken, scopes: tokens.scopes }
}

async function noteReconnect(tx: Tx, system: System, owner: OwnerId, accountId: string): Promise<void> {
  if (!(await setHealth(tx, owner, accountId, 'reconnect'))) return
  await notifyLive(tx, { owner, topic: 'social', id: accountId })
  const account = await findAccount(tx, owner, accountId)
  // One that is being disconnected needs nobody any more.
  if (!account) return
  await tellArtist(system, tx, owner, {
    kind: 'account_reconnect',
    dedupeKey: `account ${accountId} reconnect ${system.now().getTime()}`,
    title: `Connect ${platformNames[account.platform]} again (${account.providerName})`,
    text: socialMessages.reconnect(account.platform),
    link: '/social-accounts',
    action: 'Connect again',
  })
}

/** Whether an account lets us in, and since when it has its tokens, locked against whoever mends it; undefined: it is gone. */
export async function standingOfAccount(tx: Tx, owner: OwnerId, accountId: string): Promise<Pick<AccountRow, 'health' | 'refreshedAt' | 'leavingAt'> | undefined> {
  return await lockAccount(tx, owner, accountId)
}

/** What waited for this account may go on. */
export async function tellRestored(tx: Tx, system: System, owner: OwnerId, accountId: string): Promise<void> {
  await system.hooks.tell('socialAccountRestored', system, tx, { owner, accountId })
  await notifyLive(tx, { owner, topic: 'social', id: accountId })
}
