import { socialLimits } from '@flashsheet/contracts/social/limits'
import type { Platform } from '@flashsheet/contracts/networks'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Minutes an OAuth walk may take. */
export const stateMinutes = 15

/** What a decision about an account's tokens needs to know. */
export type TokenFacts = {
  platform: Platform
  hasRefreshToken: boolean
  accessExpiresAt: Date | null
  refreshExpiresAt: Date | null
  refreshedAt: Date
}

/** Whether the network takes a refresh now: Instagram's token must be a day old, Facebook has none. */
export function canRefresh(account: TokenFacts, now: Date): boolean {
  if (account.platform === 'facebook') return false
  if (account.platform === 'instagram')
    return !hasEnded(account, now) && now.getTime() - account.refreshedAt.getTime() >= day
  return account.hasRefreshToken
}

/** Whether the access token is past its end. Facebook's pages have tokens of their own, which have none. */
export function hasEnded(account: TokenFacts, now: Date): boolean {
  return account.platform !== 'facebook' && account.accessExpiresAt !== null && account.accessExpiresAt <= now
}

/** Whether a refresh makes the refresh token before it worthless (docs/networks/tiktok.md). */
export function rotatesRefreshTokens(platform: Platform): boolean {
  return platform === 'tiktok'
}

/** How early a refresh is due: minutes before the end for short tokens, a week for long ones. */
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

/** Whether a token nobody has used for long is refreshed all the same, lest the network drop it. */
export function keepAliveDue(account: TokenFacts, now: Date): boolean {
  const idle = now.getTime() - account.refreshedAt.getTime()
  const short = account.platform === 'tiktok' || account.platform === 'youtube'
  return short ? account.hasRefreshToken && idle >= 30 * day : refreshDue(account, now)
}

/**
 * The instant after which only the artist can mend the account; null while its tokens renew themselves. Instagram's and
 * TikTok's move on with each refresh: one whose end is near has not been refreshed for long.
 */
export function endsAt(account: TokenFacts, now: Date): Date | null {
  if (account.platform === 'facebook') return null
  const end = account.hasRefreshToken ? account.refreshExpiresAt : account.accessExpiresAt
  const renews = account.platform === 'instagram' || account.platform === 'tiktok'
  return renews && end !== null && !isNear(end, now) ? null : end
}

/** The instant by which the artist must connect again; null while no end is near. */
export function reconnectBy(account: TokenFacts, now: Date): Date | null {
  const end = endsAt(account, now)
  return end !== null && isNear(end, now) ? end : null
}

/** How early an artist is told that an account is about to end: days, the last one that is reached (issue: 7 and 1). */
export function daysAhead(end: Date, now: Date): 7 | 1 {
  return end.getTime() - now.getTime() <= day ? 1 : 7
}

function isNear(end: Date, now: Date): boolean {
  return end.getTime() - now.getTime() <= 7 * day
}

/** Whether one more account is one too many. */
export function isFull(connected: number): boolean {
  return connected >= socialLimits.accounts
}

/** Answers of a consent page that mean the person said no. */
export function wasCancelled(error: string): boolean {
  return ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login', 'user_denied'].includes(error)
}

/** The public address of a page, made from what its network calls it; undefined where a name is needed and none is known. */
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
