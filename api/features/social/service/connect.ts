import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { PlatformParam } from '@flashsheet/contracts/social/schema'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { Platform } from '@flashsheet/contracts/networks'
import { createHash } from 'node:crypto'
import { notifyLive } from '@flashsheet/db/live'
import type { RequestCtx, SubscriberCtx, System } from '../../../core/context.ts'
import { newToken, seal, sha256, unseal } from '../../../core/crypto.ts'
import { type AppError, full, invalid, notFound, toAppError, unauthenticated, upstream } from '../../../core/errors.ts'
import { withInteractiveTimeout } from '../../../core/leases.ts'
import { requireSubscriber, sessionIdOf } from '../../../core/guards.ts'
import { newId } from '../../../core/ids.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import { NetworkError, type Connection } from '../../../gateways/networks/adapter.ts'
import {
  countAccounts,
  findAccount,
  insertAccount,
  listAccountRows,
  listPageRows,
  lockAccountOf,
  lockArtist,
  renewAccount,
  upsertPage,
} from '../queries/accounts.ts'
import { insertState, consumeState } from '../queries/states.ts'
import { isFull, stateMinutes, isCancellation } from '../rules.ts'
import { disconnectPage, revokeAccess } from './accounts.ts'
import { enqueuePictureCopies } from './page-pictures.ts'
import { sealPageToken } from './token-encryption.ts'
import { connectStepsOf, emitAccount, sealTokens, notifyRestored } from './tokens.ts'

const screen = '/social-accounts'

/** The query of a network's redirect, which anybody can forge. */
export type CallbackInput = {
  platform: string
  code?: string | undefined
  state?: string | undefined
  error?: string | undefined
}

/**
 * Where /api/social-connect/:platform redirects to: the network, or back to the screen with a message. For a client
 * other than a browser it throws the refusal instead.
 */
export async function startConnecting(
  ctx: RequestCtx,
  input: { platform: string; isBrowser: boolean },
): Promise<string> {
  try {
    const subscriber = requireSubscriber(ctx)
    const { platform } = PlatformParam.parse({ platform: input.platform })
    return await authorizeUrl(subscriber, platform)
  } catch (thrown) {
    const error = toAppError(thrown)
    if (!input.isBrowser && error.kind !== 'full')
      throw error.kind === 'invalid' ? notFound(socialMessages.unknownPlatform) : thrown
    return errorRedirect(ctx, error, thrown)
  }
}

/** Where the callback redirects to: always a screen, with the result in its query. */
export async function finishConnecting(ctx: RequestCtx, input: CallbackInput): Promise<string> {
  try {
    const subscriber = requireSubscriber(ctx)
    const { platform } = PlatformParam.parse({ platform: input.platform })
    await connect(subscriber, platform, input)
    return `${screen}?${new URLSearchParams({ connected: platform }).toString()}`
  } catch (thrown) {
    return errorRedirect(ctx, toAppError(thrown), thrown)
  }
}

function errorRedirect(ctx: RequestCtx, error: AppError, thrown: unknown): string {
  if (error.kind === 'internal')
    ctx.log.error({ err: thrown, requestId: ctx.requestId }, 'connecting an account failed')
  if (error.kind === 'unauthenticated')
    return `/login?${new URLSearchParams({ error: socialMessages.loginFirst }).toString()}`
  const message = error.kind === 'internal' ? socialMessages.connectFailed : error.message
  return `${screen}?${new URLSearchParams({ error: message }).toString()}`
}

function redirectUri(system: System, platform: Platform): string {
  return `${system.config.publicUrl}/api/social-connect/${platform}/callback`
}

/**
 * Starts an OAuth flow, with a single-use state bound to this session, and PKCE where the network supports it. Throws
 * notFound, full and tooMany.
 */
async function authorizeUrl(ctx: SubscriberCtx, platform: Platform): Promise<string> {
  const steps = ctx.gateways.networks[platform]?.connect
  if (!steps) throw notFound(socialMessages.unknownPlatform)
  const accounts = await listAccountRows(ctx.db, ctx.owner)
  // Without an account at this network it cannot be a reconnection, so it is refused before the consent screen.
  if (isFull(accounts.length) && !accounts.some((account) => account.platform === platform))
    throw full(socialMessages.limit)
  await consumeRateLimit(ctx, 'connectsPerArtist', ctx.owner)
  const state = newToken()
  const hash = sha256(state)
  const codeVerifier = steps.usesPkce ? newToken() + newToken() : null
  await insertState(ctx.db, ctx.owner, {
    hash,
    sessionId: sha256(sessionIdOf(ctx)),
    platform,
    codeVerifier: codeVerifier === null ? null : seal(ctx.config, `oauth_states ${hash}`, codeVerifier),
    expiresAt: new Date(ctx.now().getTime() + stateMinutes * 60_000),
  })
  const codeChallenge = codeVerifier === null ? null : createHash('sha256').update(codeVerifier).digest('base64url')
  return steps.authorizeUrl({ state, redirectUri: redirectUri(ctx, platform), codeChallenge })
}

/** Finishes an OAuth flow and stores the account. Throws invalid, full or upstream with a message for the artist. */
async function connect(ctx: SubscriberCtx, platform: Platform, input: CallbackInput): Promise<void> {
  const hash = sha256(input.state ?? '')
  const flow = await consumeState(ctx.db, ctx.owner, { hash, sessionId: sha256(sessionIdOf(ctx)), platform })
  if (!flow || flow.expiresAt <= ctx.now()) throw invalid(socialMessages.stateUnknown)
  if (input.error !== undefined)
    throw invalid(isCancellation(input.error) ? socialMessages.cancelled : socialMessages.signInRefused(platform))
  if (!input.code) throw invalid(socialMessages.signInRefused(platform))
  const connection = await exchange(
    ctx,
    platform,
    input.code,
    flow.codeVerifier === null ? null : unseal(ctx.config, `oauth_states ${hash}`, flow.codeVerifier),
  )
  if (connection.pages.length === 0 || connection.providerUserId === '') throw invalid(socialMessages.noPages(platform))
  const refusal = await storeConnection(ctx, platform, connection)
  if (refusal) {
    await revokeUnused(ctx, platform, connection)
    throw refusal
  }
}

async function exchange(ctx: SubscriberCtx, platform: Platform, code: string, codeVerifier: string | null) {
  try {
    const exchanging = connectStepsOf(ctx, platform).exchange({
      code,
      redirectUri: redirectUri(ctx, platform),
      codeVerifier,
      now: ctx.now(),
    })
    return await withInteractiveTimeout(ctx, exchanging, () => upstream(socialMessages.unreachable(platform)))
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    ctx.log.warn(
      { err: error, platform, errorClass: error.class, code: error.code, requestId: ctx.requestId },
      'a network could not be connected',
    )
    throw upstream(messageFor(platform, error), error)
  }
}

/** Errors whose message is the adapter's, because it says how the artist can resolve them. */
const codesWithOwnMessage = ['permission_declined', 'personal_account', 'youtubeSignupRequired']

function messageFor(platform: Platform, error: NetworkError): string {
  if (error.class === 'config' || error.class === 'later' || codesWithOwnMessage.includes(error.code))
    return error.message
  return error.class === 'retry' || error.class === 'unknown'
    ? socialMessages.unreachable(platform)
    : socialMessages.signInRefused(platform)
}

/** Inserts or updates the account with its pages, unless the artist has the maximum number of accounts or was deleted. */
async function storeConnection(
  ctx: SubscriberCtx,
  platform: Platform,
  connection: Connection,
): Promise<AppError | undefined> {
  return await retryOnDeadlock(ctx.db, async (tx) => {
    if (!(await lockArtist(tx, ctx.owner))) return unauthenticated()
    const existing = await lockAccountOf(tx, ctx.owner, platform, connection.providerUserId)
    // An account being disconnected counts as new, because another one may have taken its place.
    const isNew = !existing || existing.disconnectingAt !== null
    if (isNew && isFull(await countAccounts(tx, ctx.owner))) return full(socialMessages.limit)
    const now = ctx.now()
    const { tokens, pages, ...person } = connection
    const login = { userId: ctx.owner, platform, providerUserId: person.providerUserId }
    const account = {
      ...person,
      id: existing?.id ?? newId(),
      platform,
      appUserId: person.appUserId ?? null,
      ...sealTokens(ctx, login, tokens),
      refreshedAt: now,
      connectedAt: isNew ? now : existing.connectedAt,
    }
    if (existing) await renewAccount(tx, ctx.owner, account)
    else await insertAccount(tx, ctx.owner, account)
    for (const { accessToken: token, picture: pictureSource, ...page } of pages) {
      const accessToken = token === null ? null : sealPageToken(ctx.config, login, page.pageId, token)
      const row = { id: newId(), accountId: account.id, ...page, pictureSource, accessToken, connectedAt: now }
      await upsertPage(tx, ctx.owner, row, isNew)
    }
    const granted = new Set(pages.map((page) => page.pageId))
    for (const { pageId } of await listPageRows(tx, ctx.owner, account.id))
      if (!granted.has(pageId)) await disconnectPage(tx, ctx, ctx.owner, account.id, pageId, 'network')
    await enqueuePictureCopies(tx, ctx, ctx.owner, account.id, pages)
    const connected = await findAccount(tx, ctx.owner, account.id)
    if (connected) await emitAccount(ctx, tx, connected, 'account.connected')
    if (existing) await notifyRestored(tx, ctx, ctx.owner, account.id)
    else await notifyLive(tx, { owner: ctx.owner, topic: 'social', id: account.id })
    return undefined
  })
}

/** Revokes a permission that will not be used. A failure is only logged. */
async function revokeUnused(ctx: SubscriberCtx, platform: Platform, connection: Connection): Promise<void> {
  const { providerUserId, tokens } = connection
  try {
    await revokeAccess(ctx, { userId: ctx.owner, platform, providerUserId }, async () => await Promise.resolve(tokens))
  } catch (error) {
    ctx.log.warn({ err: error, platform, requestId: ctx.requestId }, 'an unused permission could not be revoked')
  }
}
