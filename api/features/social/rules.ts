import { socialLimits } from '@flashsheet/contracts/social/limits'
import { networks, platforms, type Platform } from '@flashsheet/contracts/networks'
import type { TokenCare } from './queries/token-care.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The maximum minutes of an OAuth flow. */
export const stateMinutes = 15

/** How a network's tokens live (docs/networks). Facebook's pages have tokens of their own, which end by events alone. */
type TokenLife = {
  /** By a refresh token of its own, by the access token itself once it is a day old, or not at all. */
  refreshedBy: 'refresh-token' | 'access-token' | null
  /** Milliseconds before its end at which an access token is refreshed; or after its last refresh. */
  refreshAt: { beforeEndMs: number } | { afterMs: number } | null
  /** An unused refresh token would lapse, so it is used after so long. */
  keepAliveMs?: number
  /** A refresh invalidates the refresh token before it. */
  rotates?: true
  /** Each refresh moves the end of the connection. */
  renews?: true
  /** Revoking one grant of a person ends all of them. */
  revokesAll?: true
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
  },
  youtube: {
    refreshedBy: 'refresh-token',
    refreshAt: { beforeEndMs: 10 * minute },
    keepAliveMs: 30 * day,
    revokesAll: true,
  },
  linkedin: { refreshedBy: 'refresh-token', refreshAt: { beforeEndMs: 7 * day } },
}

/** Networks whose access ends at a time that is known. */
export const expiringPlatforms: readonly Platform[] = platforms.filter(
  (platform) => tokenLives[platform].refreshedBy !== null,
)

/** Whether revoking a login ends every other grant of its person too. */
export function revokesAllGrants(platform: Platform): boolean {
  return tokenLives[platform].revokesAll === true
}

/** The tokens to refresh now although nobody uses them (`keepAliveDue`). */
export function tokenCareAt(now: Date): TokenCare[] {
  return platforms.flatMap((platform): TokenCare[] => {
    const { refreshAt, keepAliveMs } = tokenLives[platform]
    const rule = keepAliveMs === undefined ? refreshAt : { afterMs: keepAliveMs }
    if (rule === null) return []
    return 'afterMs' in rule
      ? [{ platform, refreshedBefore: new Date(now.getTime() - rule.afterMs) }]
      : [{ platform, expiresBefore: new Date(now.getTime() + rule.beforeEndMs) }]
  })
}

/** The facts for decisions about an account's tokens. */
export type TokenFacts = {
  platform: Platform
  hasRefreshToken: boolean
  accessExpiresAt: Date | null
  refreshExpiresAt: Date | null
  refreshedAt: Date
}

/** Whether the network accepts a refresh now. */
export function canRefresh(account: TokenFacts, now: Date): boolean {
  const { refreshedBy } = tokenLives[account.platform]
  if (refreshedBy === 'access-token') return !hasEnded(account, now) && idleMs(account, now) >= day
  return refreshedBy !== null && account.hasRefreshToken
}

/** Whether the access token has expired. */
export function hasEnded(account: TokenFacts, now: Date): boolean {
  if (tokenLives[account.platform].refreshedBy === null) return false
  return account.accessExpiresAt !== null && account.accessExpiresAt <= now
}

/** Whether a refresh invalidates the previous refresh token. */
export function rotatesRefreshTokens(platform: Platform): boolean {
  return tokenLives[platform].rotates === true
}

/** Whether a refresh is due: minutes before expiry for short-lived tokens, a week for long-lived ones. */
export function refreshDue(account: TokenFacts, now: Date): boolean {
  const { refreshAt } = tokenLives[account.platform]
  if (refreshAt === null || !canRefresh(account, now)) return false
  if ('afterMs' in refreshAt) return idleMs(account, now) >= refreshAt.afterMs
  return account.accessExpiresAt !== null && account.accessExpiresAt.getTime() - now.getTime() <= refreshAt.beforeEndMs
}

/** Whether an unused token is refreshed all the same, so that it does not expire. */
export function keepAliveDue(account: TokenFacts, now: Date): boolean {
  const { keepAliveMs } = tokenLives[account.platform]
  if (keepAliveMs === undefined) return refreshDue(account, now)
  return account.hasRefreshToken && idleMs(account, now) >= keepAliveMs
}

function idleMs(account: TokenFacts, now: Date): number {
  return now.getTime() - account.refreshedAt.getTime()
}

/**
 * When only the artist can restore access; null while tokens are refreshed. Where each refresh moves it on, an end that
 * is near has not been refreshed for long.
 */
export function endsAt(account: TokenFacts, now: Date): Date | null {
  const { refreshedBy, renews } = tokenLives[account.platform]
  if (refreshedBy === null) return null
  const end = account.hasRefreshToken ? account.refreshExpiresAt : account.accessExpiresAt
  return renews && end !== null && !isNear(end, now) ? null : end
}

/** When the artist must reconnect; null while no expiry is near. */
export function reconnectBy(account: TokenFacts, now: Date): Date | null {
  const end = endsAt(account, now)
  return end !== null && isNear(end, now) ? end : null
}

/** How early an artist is warned of an expiry: days, the last one reached (7 and 1). */
export function daysAhead(end: Date, now: Date): 7 | 1 {
  return end.getTime() - now.getTime() <= day ? 1 : 7
}

function isNear(end: Date, now: Date): boolean {
  return end.getTime() - now.getTime() <= 7 * day
}

/** Whether the limit of accounts is reached. */
export function isFull(connected: number): boolean {
  return connected >= socialLimits.accounts
}

/** Errors of a consent page that mean that the person declined. */
export function wasCancelled(error: string): boolean {
  return ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login', 'user_denied'].includes(error)
}

/** A page's public address, from its ids at the network; undefined where a handle is needed and unknown. */
export function profileUrl(page: { platform: Platform; pageId: string; username: string | null }): string | undefined {
  const { before, after, by } = networks[page.platform].profile
  const handle = by === 'id' ? undefined : page.username?.replace(/^@/, '')
  const name = handle ?? (by === 'handle' ? undefined : page.pageId)
  return name && `${before}${encodeURIComponent(name)}${after}`
}
