import { socialLimits } from '@flashsheet/contracts/social/limits'
import type { Platform } from '@flashsheet/contracts/networks'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The maximum minutes of an OAuth flow. */
export const stateMinutes = 15

/** The facts for decisions about an account's tokens. */
export type TokenFacts = {
  platform: Platform
  hasRefreshToken: boolean
  accessExpiresAt: Date | null
  refreshExpiresAt: Date | null
  refreshedAt: Date
}

/** Whether the network accepts a refresh now: Instagram's token must be a day old, Facebook has none. */
export function canRefresh(account: TokenFacts, now: Date): boolean {
  if (account.platform === 'facebook') return false
  if (account.platform === 'instagram')
    return !hasEnded(account, now) && now.getTime() - account.refreshedAt.getTime() >= day
  return account.hasRefreshToken
}

/** Whether the access token has expired. Facebook's pages have tokens of their own, which do not expire. */
export function hasEnded(account: TokenFacts, now: Date): boolean {
  return account.platform !== 'facebook' && account.accessExpiresAt !== null && account.accessExpiresAt <= now
}

/** Whether a refresh invalidates the previous refresh token (docs/networks/tiktok.md). */
export function rotatesRefreshTokens(platform: Platform): boolean {
  return platform === 'tiktok'
}

/** How early a refresh is due: minutes before expiry for short-lived tokens, a week for long-lived ones. */
export function refreshDue(account: TokenFacts, now: Date): boolean {
  if (!canRefresh(account, now)) return false
  const left =
    account.accessExpiresAt === null ? Number.POSITIVE_INFINITY : account.accessExpiresAt.getTime() - now.getTime()
  switch (account.platform) {
    case 'facebook':
      return false
    case 'instagram':
      return now.getTime() - account.refreshedAt.getTime() >= 7 * day
    case 'linkedin':
      return left <= 7 * day
    case 'tiktok':
    case 'youtube':
      return left <= 10 * minute
  }
}

/** Whether an unused token is refreshed all the same, so that it does not expire. */
export function keepAliveDue(account: TokenFacts, now: Date): boolean {
  const idle = now.getTime() - account.refreshedAt.getTime()
  const short = account.platform === 'tiktok' || account.platform === 'youtube'
  return short ? account.hasRefreshToken && idle >= 30 * day : refreshDue(account, now)
}

/**
 * When only the artist can restore access; null while tokens are refreshed. Instagram's and TikTok's moves on with each
 * refresh: one that is near has not been refreshed for long.
 */
export function endsAt(account: TokenFacts, now: Date): Date | null {
  if (account.platform === 'facebook') return null
  const end = account.hasRefreshToken ? account.refreshExpiresAt : account.accessExpiresAt
  const renews = account.platform === 'instagram' || account.platform === 'tiktok'
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
  const name = page.username?.replace(/^@/, '')
  const part = (text: string) => encodeURIComponent(text)
  switch (page.platform) {
    case 'facebook':
      return `https://www.facebook.com/${part(name ?? page.pageId)}`
    case 'instagram':
      return name && `https://www.instagram.com/${part(name)}/`
    case 'tiktok':
      return name && `https://www.tiktok.com/@${part(name)}`
    case 'youtube':
      return `https://www.youtube.com/channel/${part(page.pageId)}`
    case 'linkedin':
      return `https://www.linkedin.com/company/${part(name ?? page.pageId)}/`
  }
}
