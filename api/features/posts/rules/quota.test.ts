import { describe, expect, test } from 'vitest'
import {
  allowanceAt,
  bucketOf,
  quotaOf,
  forecastUsage,
  stricterAllowance,
  windowStart,
  type AllowanceUsage,
} from './quota.ts'

const now = new Date('2026-11-21T12:00:00Z')
const hour = 3_600_000
const ago = (hours: number) => new Date(now.getTime() - hours * hour)
const ahead = (hours: number) => new Date(now.getTime() + hours * hour)
const many = (count: number, at: Date) => Array<Date>(count).fill(at)
const usage = (bucket: string, facts: Partial<AllowanceUsage> = {}): AllowanceUsage => ({
  quota: quotaOf(bucket),
  drawn: [],
  reserved: 0,
  reported: undefined,
  fullUntil: null,
  ahead: 0,
  ...facts,
})

describe('the allowance of a post', () => {
  test.each([
    ['facebook', true, 'reels p'],
    ['facebook', false, null],
    ['instagram', false, 'instagram p'],
    ['tiktok', true, 'tiktok p'],
    ['youtube', true, 'youtube'],
    ['linkedin', false, null],
  ] as const)('%s, reel %s: %s', (platform, isReel, bucket) => {
    expect(bucketOf(platform, 'p', isReel)).toBe(bucket)
  })

  test.each([
    ['reels p', 30],
    ['tiktok p', 15],
    ['youtube', 100],
    ['instagram p', 50],
  ])('%s: %i a day', (bucket, limit) => {
    expect(quotaOf(bucket).limit).toBe(limit)
  })
})

describe('a day', () => {
  test.each([
    ['in winter', '2026-11-21T07:59:59Z', '2026-11-20T08:00:00.000Z', '2026-11-21T08:01:00.000Z'],
    ['at its first second', '2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000Z', '2026-11-22T08:01:00.000Z'],
    ['in summer', '2026-07-01T06:59:00Z', '2026-06-30T07:00:00.000Z', '2026-07-01T07:01:00.000Z'],
    ['of 23 hours', '2026-03-08T20:00:00Z', '2026-03-08T08:00:00.000Z', '2026-03-09T07:01:00.000Z'],
    ['of 25 hours', '2026-11-01T20:00:00Z', '2026-11-01T07:00:00.000Z', '2026-11-02T08:01:00.000Z'],
  ])('of YouTube is the one in California, %s', (_when, at, start, end) => {
    expect(windowStart(quotaOf('youtube'), new Date(at)).toISOString()).toBe(start)
    expect(allowanceAt(usage('youtube', { drawn: many(100, new Date(at)) }), new Date(at)).freesAt?.toISOString()).toBe(
      end,
    )
  })

  test('of the others is the last 24 hours', () => {
    expect(windowStart(quotaOf('reels p'), now)).toEqual(ago(24))
  })
})

describe('the uses left', () => {
  test('are the limit minus counted and reserved uses', () => {
    expect(allowanceAt(usage('reels p', { drawn: many(20, ago(1)), reserved: 4 }), now)).toEqual({
      limit: 30,
      left: 6,
      freesAt: null,
    })
  })

  test('are none behind enough waiting targets', () => {
    const full = { drawn: [ago(23), ago(20), ...many(27, ago(1))], reserved: 0 }
    expect(allowanceAt(usage('reels p', full), now)).toEqual({ limit: 30, left: 1, freesAt: null })
    expect(allowanceAt(usage('reels p', { ...full, ahead: 1 }), now).freesAt).toEqual(
      new Date(ahead(1).getTime() + 60_000),
    )
    expect(allowanceAt(usage('reels p', { ...full, ahead: 2 }), now).freesAt).toEqual(
      new Date(ahead(4).getTime() + 60_000),
    )
  })

  test('of YouTube are free two days later for the 201st in the queue than for the first', () => {
    const full = { drawn: many(100, now) }
    const first = allowanceAt(usage('youtube', full), now).freesAt?.getTime() ?? 0
    expect(allowanceAt(usage('youtube', { ...full, ahead: 99 }), now).freesAt?.getTime()).toBe(first)
    expect(allowanceAt(usage('youtube', { ...full, ahead: 200 }), now).freesAt?.getTime()).toBe(first + 48 * hour)
  })

  test('of Instagram follow its report, which counts other apps, and count our own uses once', () => {
    const reported = { limit: 100, used: 60, at: now }
    expect(allowanceAt(usage('instagram p', { reported }), now)).toMatchObject({ limit: 100, left: 40 })
    expect(allowanceAt(usage('instagram p', { reported, drawn: many(10, ago(2)) }), now).left).toBe(40)
    expect(allowanceAt(usage('instagram p', { reported, drawn: many(10, now), reserved: 2 }), now).left).toBe(28)
    // The report may lack our own uses of its last minute.
    const justNow = new Date(now.getTime() - 30_000)
    expect(allowanceAt(usage('instagram p', { reported, drawn: many(10, justNow) }), now).left).toBe(30)
    // It is unknown when the posts of other apps leave the window.
    expect(allowanceAt(usage('instagram p', { reported: { ...reported, used: 100 } }), now)).toEqual({
      limit: 100,
      left: 0,
      freesAt: ahead(1),
    })
    // Our own upload under way might be released sooner, which frees nothing while other apps have used all.
    expect(
      allowanceAt(usage('instagram p', { reported: { ...reported, used: 100 }, reserved: 1 }), now).freesAt,
    ).toEqual(ahead(1))
  })

  test('with only reserved uses: some may be released soon', () => {
    expect(allowanceAt(usage('tiktok p', { reserved: 15 }), now).freesAt).toEqual(ahead(0.25))
  })

  test('are none while the network itself refuses, whatever was counted', () => {
    expect(allowanceAt(usage('youtube', { fullUntil: ahead(5) }), now)).toEqual({
      limit: 100,
      left: 0,
      freesAt: ahead(5),
    })
    expect(allowanceAt(usage('youtube', { fullUntil: now }), now).left).toBe(100)
  })
})

describe('at a later time', () => {
  const later = (base: AllowanceUsage, planned: Date[], time: Date) =>
    allowanceAt(forecastUsage(base, planned, now, time), time)

  test('counts posts planned until then, and no uses that have left the window', () => {
    const full = usage('reels p', { drawn: many(30, ago(2)) })
    expect(later(full, [], ahead(21)).freesAt).toEqual(new Date(ahead(22).getTime() + 60_000))
    expect(later(full, [], ahead(23)).left).toBe(30)
    expect(later(full, [ahead(1), ahead(22.5)], ahead(23)).left).toBe(28)
    expect(later(full, [ahead(23)], ahead(23)).left).toBe(29)
    expect(later(full, [ahead(24)], ahead(23)).left).toBe(30)
  })

  test('counts targets that are reserved or waiting now', () => {
    expect(later(usage('reels p', { reserved: 3, ahead: 2 }), [], ahead(2)).left).toBe(25)
    expect(later(usage('reels p', { reserved: 3, ahead: 2 }), [], ahead(25)).left).toBe(30)
  })

  test('counts other apps at Instagram for a day', () => {
    const base = usage('instagram p', { reported: { limit: 50, used: 50, at: now } })
    expect(later(base, [], ahead(1)).left).toBe(0)
    expect(later(base, [], ahead(25)).left).toBe(50)
  })
})

describe("of an artist's share and the whole allowance", () => {
  const free = (left: number) => ({ limit: 20, left, freesAt: null })
  const full = (freesAt: Date) => ({ limit: 20, left: 0, freesAt })

  test('the one with fewer uses left is stricter', () => {
    expect(stricterAllowance(free(3), free(4))).toEqual({ allowance: free(3), isOwn: true })
    expect(stricterAllowance(free(4), free(3))).toEqual({ allowance: free(3), isOwn: false })
    expect(stricterAllowance(free(1), full(ahead(1)))).toEqual({ allowance: full(ahead(1)), isOwn: false })
  })

  test('if both are used up, the one that is free later is stricter', () => {
    expect(stricterAllowance(full(ahead(2)), full(ahead(1)))).toEqual({ allowance: full(ahead(2)), isOwn: true })
    expect(stricterAllowance(full(ahead(1)), full(ahead(2)))).toEqual({ allowance: full(ahead(2)), isOwn: false })
  })
})
