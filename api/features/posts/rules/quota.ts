import { networks, platforms, type DailyAllowance, type Platform } from '@flashsheet/contracts/networks'
import { Temporal } from 'temporal-polyfill'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** A network's clock differs from ours: this long after a reset by our clock it has happened there too. */
const resetMarginMs = minute
/** A network counts a post this long after it was published at the latest. */
const countingLagMs = minute
/** How soon an allowance is checked again when it is unknown what frees it. */
const unknownEndMs = hour
/** How soon a reservation that the network has not counted yet is either used or released. */
const reservationMs = 15 * minute

/** A network's allowance, or an artist's share of one for the whole installation. */
export type Quota = Pick<DailyAllowance, 'limit' | 'days' | 'drawnBy' | 'usedUp'> & {
  whose: 'page' | 'artist' | 'everyone'
  /** Codes of a network's refusals that mean this allowance; undefined: all do. */
  refusals?: readonly string[] | undefined
}

/** Codes of a network's refusals that mean its whole shared allowance; any other means one page. */
const sharedRefusals: Partial<Record<Platform, readonly string[]>> = {
  youtube: ['quotaExceeded', 'dailyLimitExceeded'],
}

/** By the first word of a bucket's name. */
const quotas = new Map<string, Quota>(
  platforms.flatMap((platform): (readonly [string, Quota])[] => {
    const { allowance } = networks[platform]
    if (!allowance) return []
    const { bucket, shared } = allowance
    if (!shared) return [[bucket, { ...allowance, whose: 'page' }]]
    return [
      [bucket, { ...allowance, whose: 'everyone', refusals: sharedRefusals[platform] }],
      [`${bucket}-share`, { ...allowance, limit: shared.artistLimit, usedUp: shared.usedUp, whose: 'artist' }],
    ]
  }),
)

/** The name of the daily allowance that a post to this page uses; null where the network has none. */
export function bucketOf(platform: Platform, pageId: string, isReel: boolean): string | null {
  const { allowance } = networks[platform]
  if (!allowance || (allowance.of === 'reels' && !isReel)) return null
  return allowance.shared ? allowance.bucket : `${allowance.bucket} ${pageId}`
}

/** The name of an artist's share of a shared allowance; null for any other. */
export function shareBucketOf(bucket: string, userId: string): string | null {
  return quotaOf(bucket).whose === 'everyone' ? `${bucket}-share ${userId}` : null
}

/** The name of the allowance that a share is part of; null when `bucket` is no share. */
export function sharedBucketOf(bucket: string): string | null {
  const [kind = ''] = bucket.split(' ')
  return kind.endsWith('-share') ? kind.slice(0, -'-share'.length) : null
}

/** The allowance with this name, which `bucketOf` or `shareBucketOf` returned. Throws for an unknown name. */
export function quotaOf(bucket: string): Quota {
  const [kind = ''] = bucket.split(' ')
  const quota = quotas.get(kind)
  if (!quota) throw new Error(`there is no allowance ${bucket}`)
  return quota
}

/** When the window begins whose uses count at `at`: 24 hours before, or at the last midnight in California. */
export function windowStart(quota: Pick<Quota, 'days'>, at: Date): Date {
  if (quota.days === 'rolling') return new Date(at.getTime() - day)
  return new Date(pacificDay(at).toZonedDateTime('America/Los_Angeles').epochMilliseconds)
}

/** The next midnight in California after `at`, `days` later, with the margin. */
function pacificMidnight(at: Date, days: number): Date {
  return new Date(
    pacificDay(at)
      .add({ days: days + 1 })
      .toZonedDateTime('America/Los_Angeles').epochMilliseconds + resetMarginMs,
  )
}

function pacificDay(at: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO('America/Los_Angeles').toPlainDate()
}

/** A network's own report, which includes other apps that use the same allowance. */
type ReportedUsage = { limit: number; used: number; at: Date }

/** The usage of one allowance at a moment. */
export type AllowanceUsage = {
  quota: Quota
  /** When each use in the window was counted, the oldest first. */
  drawn: readonly Date[]
  /** Reserved but not counted by the network yet. */
  reserved: number
  reported: ReportedUsage | undefined
  fullUntil: Date | null
  /** How many targets wait before this one. */
  ahead: number
}

export type Allowance = {
  limit: number
  /** How many uses are left, without those that targets ahead wait for; never below 0. */
  left: number
  /** When the next use is free; null while some are left. */
  freesAt: Date | null
}

/** How many uses are left at `now`, and otherwise when the next is free. */
export function allowanceAt(usage: AllowanceUsage, now: Date): Allowance {
  const { quota, drawn, reserved, fullUntil, ahead } = usage
  const limit = usage.reported?.limit ?? quota.limit
  const used = drawn.length + reserved + usedElsewhere(usage)
  const closed = fullUntil !== null && fullUntil > now
  const left = closed ? 0 : Math.max(0, limit - used - ahead)
  if (left > 0) return { limit, left, freesAt: null }
  // The number of uses that must leave the window before ours fits.
  const before = ahead + used - limit
  const free = before < 0 ? now : nextFreeAt(usage, before, limit, now)
  return { limit, left: 0, freesAt: closed && fullUntil > free ? fullUntil : free }
}

/** How many uses are of other apps, by the network's report, which may lack our own last minute. */
function usedElsewhere({ drawn, reported }: Pick<AllowanceUsage, 'drawn' | 'reported'>): number {
  if (!reported) return 0
  const ownReported = drawn.filter((at) => at.getTime() < reported.at.getTime() - countingLagMs).length
  return Math.max(0, reported.used - ownReported)
}

function nextFreeAt(
  { quota, drawn, reserved, reported }: AllowanceUsage,
  before: number,
  limit: number,
  now: Date,
): Date {
  if (quota.days === 'pacific') return pacificMidnight(now, limit > 0 ? Math.floor(before / limit) : 0)
  const next = drawn[before]
  if (next) return new Date(next.getTime() + day + resetMarginMs)
  // The uses of other apps leave the window at an unknown time; our own uploads under way end soon.
  return new Date(
    now.getTime() + (reserved === 0 || usedElsewhere({ drawn, reported }) > 0 ? unknownEndMs : reservationMs),
  )
}

/** Of two allowances that a post needs, the one that limits it more. */
export function stricterAllowance(own: Allowance, all: Allowance): { allowance: Allowance; isOwn: boolean } {
  const isOwn = own.freesAt === null || all.freesAt === null ? own.left <= all.left : own.freesAt >= all.freesAt
  return { allowance: isOwn ? own : all, isOwn }
}

/** Why a post waits, for the artist. */
export function quotaSentence(bucket: string, limit: number): string {
  return quotaOf(bucket).usedUp.replace('#', String(limit))
}

/** The usage of an allowance at a later time, after the posts planned until then. */
export function forecastUsage(usage: AllowanceUsage, planned: readonly Date[], now: Date, time: Date): AllowanceUsage {
  const { quota, reported, fullUntil } = usage
  const start = windowStart(quota, time)
  // Reserved and waiting targets will have been counted by then.
  const soon = Array.from({ length: usage.reserved + usage.ahead }, () => now)
  const drawn = [...usage.drawn, ...soon, ...planned].filter((at) => at >= start && at <= time)
  // Uses of other apps leave the window within a day.
  const elsewhere = start < now ? usedElsewhere(usage) : 0
  return {
    quota,
    drawn: drawn.toSorted((a, b) => a.getTime() - b.getTime()),
    reserved: 0,
    ahead: 0,
    fullUntil,
    // An instant before any of our own uses, so that the figure counts other apps alone.
    reported: reported && { limit: reported.limit, used: elsewhere, at: new Date(0) },
  }
}
