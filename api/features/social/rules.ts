import { socialLimits } from '@flashsheet/contracts/social/limits'
import { networks, platforms, type Platform } from '@flashsheet/contracts/networks'
import type { NetworkError } from '../../gateways/networks/adapter.ts'
import type { AccountRow } from './queries/accounts.ts'
import type { RefreshRule } from './queries/token-maintenance.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long an OAuth flow may take. */
export const stateMinutes = 15

/** How a network's tokens are refreshed and expire (docs/networks). Facebook's page tokens never expire by time. */
type TokenLife = {
  /** What the access token is refreshed with. An access token can refresh itself once it is a day old. */
  refreshedBy: 'refresh-token' | 'access-token' | null
  /** When an access token is refreshed: before it expires, or after its last refresh. */
  refreshAt: { beforeEndMs: number } | { afterMs: number } | null
  /** A refresh token is used after this time, because it would expire unused. */
  keepAliveMs?: number
  /** A refresh invalidates the previous refresh token. */
  rotates?: true
  /** Each refresh extends the access. */
  renews?: true
  /** Revoking one grant of a person ends all of them. */
  revokesAll?: true
  /** Only a valid access token revokes a grant. */
  revokedByAccessToken?: true
}

const tokenLives: Record<Platform, TokenLife> = {
  facebook: { refreshedBy: null, refreshAt: null },
  instagram: { refreshedBy: 'access-token', refreshAt: { afterMs: 7 * day }, renews: true },
  tiktok: {
    refreshedBy: 'refresh-token',
    refreshAt: { beforeEndMs: 10 * minute },
    keepAliveMs: 30 * day,
    rotates: true,
    renews: true,
    revokedByAccessToken: true,
  },
  youtube: {
    refreshedBy: 'refresh-token',
    refreshAt: { beforeEndMs: 10 * minute },
    keepAliveMs: 30 * day,
    revokesAll: true,
  },
  linkedin: { refreshedBy: 'refresh-token', refreshAt: { beforeEndMs: 7 * day }, revokedByAccessToken: true },
}

/** Networks whose access expires. */
export const expiringPlatforms: readonly Platform[] = platforms.filter(
  (platform) => tokenLives[platform].refreshedBy !== null,
)

/** Whether revoking one grant of a person ends all of them. */
export function revokesAllGrants(platform: Platform): boolean {
  return tokenLives[platform].revokesAll === true
}

/** Whether revoking an account's grant takes a refresh first. */
export function isRefreshedToRevoke(account: TokenFacts, now: Date): boolean {
  return tokenLives[account.platform].revokedByAccessToken === true && hasExpired(account, now)
}

/** Selects the unused tokens that may be due for a refresh (`isKeepAliveDue`). */
export function refreshRulesAt(now: Date): RefreshRule[] {
  return platforms.flatMap((platform): RefreshRule[] => {
    const { refreshAt, keepAliveMs } = tokenLives[platform]
    const rule = keepAliveMs === undefined ? refreshAt : { afterMs: keepAliveMs }
    if (rule === null) return []
    return 'afterMs' in rule
      ? [{ platform, refreshedBefore: new Date(now.getTime() - rule.afterMs) }]
      : [{ platform, expiresBefore: new Date(now.getTime() + rule.beforeEndMs) }]
  })
}

/** The facts for decisions about an account's tokens. */
export type TokenFacts = Pick<
  AccountRow,
  'platform' | 'refreshToken' | 'accessExpiresAt' | 'refreshExpiresAt' | 'refreshedAt'
>

/** Whether the network accepts a refresh now. */
export function canRefresh(account: TokenFacts, now: Date): boolean {
  const { refreshedBy } = tokenLives[account.platform]
  if (refreshedBy === 'access-token') return !hasExpired(account, now) && idleMs(account, now) >= day
  return refreshedBy !== null && account.refreshToken !== null
}

/** Whether the access token has expired. */
export function hasExpired(account: TokenFacts, now: Date): boolean {
  if (tokenLives[account.platform].refreshedBy === null) return false
  return account.accessExpiresAt !== null && account.accessExpiresAt <= now
}

/** Whether a refresh invalidates the previous refresh token. */
export function rotatesRefreshTokens(platform: Platform): boolean {
  return tokenLives[platform].rotates === true
}

/** Whether a token that is about to be used should be refreshed first. */
export function isRefreshDue(account: TokenFacts, now: Date): boolean {
  const { refreshAt } = tokenLives[account.platform]
  if (refreshAt === null || !canRefresh(account, now)) return false
  if ('afterMs' in refreshAt) return idleMs(account, now) >= refreshAt.afterMs
  return account.accessExpiresAt !== null && account.accessExpiresAt.getTime() - now.getTime() <= refreshAt.beforeEndMs
}

/** Whether an unused token should be refreshed, so that it does not expire. */
export function isKeepAliveDue(account: TokenFacts, now: Date): boolean {
  const { keepAliveMs } = tokenLives[account.platform]
  if (keepAliveMs === undefined) return isRefreshDue(account, now)
  return account.refreshToken !== null && idleMs(account, now) >= keepAliveMs
}

function idleMs(account: TokenFacts, now: Date): number {
  return now.getTime() - account.refreshedAt.getTime()
}

/**
 * When access ends unless the artist reconnects; null if refreshes extend it. Where each refresh extends the access, an
 * end that is near means that refreshes have failed for long.
 */
export function endsAt(account: TokenFacts, now: Date): Date | null {
  const { refreshedBy, renews } = tokenLives[account.platform]
  if (refreshedBy === null) return null
  const expiresAt = account.refreshToken !== null ? account.refreshExpiresAt : account.accessExpiresAt
  return renews && expiresAt !== null && !isNear(expiresAt, now) ? null : expiresAt
}

/** When the artist must reconnect at the latest; null while that is more than a week away. */
export function reconnectBy(account: TokenFacts, now: Date): Date | null {
  const expiresAt = endsAt(account, now)
  return expiresAt !== null && isNear(expiresAt, now) ? expiresAt : null
}

/** Which of the two warnings of an expiry is due: the one a week or the one a day ahead. */
export function daysAhead(expiresAt: Date, now: Date): 7 | 1 {
  return expiresAt.getTime() - now.getTime() <= day ? 1 : 7
}

function isNear(expiresAt: Date, now: Date): boolean {
  return expiresAt.getTime() - now.getTime() <= 7 * day
}

/** Whether a later call may succeed, without the artist and without a change of the settings. */
export function isTemporary(error: NetworkError): boolean {
  return error.class === 'retry' || error.class === 'later' || error.class === 'unknown'
}

/** Whether the artist has the maximum number of accounts. */
export function isFull(connected: number): boolean {
  return connected >= socialLimits.accounts
}

/** Whether the error of a consent page means that the person declined. */
export function isCancellation(error: string): boolean {
  return ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login', 'user_denied'].includes(error)
}

/** A page's public address. Undefined: the network's addresses need a handle, which is unknown. */
export function profileUrl(page: { platform: Platform; pageId: string; username: string | null }): string | undefined {
  const { before, after, by } = networks[page.platform].profile
  const handle = by === 'id' ? undefined : page.username?.replace(/^@/, '')
  const name = handle ?? (by === 'handle' ? undefined : page.pageId)
  return name && `${before}${encodeURIComponent(name)}${after}`
}
