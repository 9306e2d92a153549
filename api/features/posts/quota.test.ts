import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { PageAllowance } from '@flashsheet/contracts/posts/schema'
import type { Platform } from '@flashsheet/contracts/networks'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { postTargets, posts } from '@flashsheet/db/schema/posts'
import { quotaBuckets, quotaUses } from '@flashsheet/db/schema/quotas'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import type { PublishJob, PublishSteps } from '../../gateways/networks/adapter.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import {
  fault,
  postNow,
  readPost,
  untilSettled,
  shownAt,
  timesHit,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { openSystem } from '../../testing/system.ts'
import { control, eventually } from '../../testing/sandbox.ts'
import { publishingFixture } from '../../testing/publishing.ts'
import type { ClaimedTarget } from './queries/leases.ts'
import { quotaSentence } from './rules/quota.ts'
import { settleAllowance, reserveAllowance } from './service/quota.ts'
import { sweepTargets } from './service/sweep.ts'

const noon = '2026-11-21T20:00:00.000Z'
const nextMidnight = '2026-11-22T08:01:00.000Z'

const fixture = publishingFixture({ startAt: noon })
let other: Awaited<ReturnType<typeof openSystem>>
beforeAll(async () => {
  other = await openSystem(fixture.app)
})
afterAll(async () => await other.close())
afterEach(async () => {
  // Posts that one test planned must not be published when the next one moves the clock.
  await fixture.app.client.db.delete(posts)
  await fixture.app.client.db.delete(quotaUses)
  await fixture.app.client.db.delete(quotaBuckets)
})

async function ready(
  platform: Platform,
): Promise<{ artist: Artist; account: SocialAccount; pageId: string; mediaIds: string[] }> {
  const artist = await createArtist(fixture.app)
  const account = await connect(fixture.app, artist, platform)
  const mediaIds = [
    await uploadFile(artist, { name: 'reel.mp4', type: 'video/mp4', bytes: videoFixture('portrait-5s.mp4') }),
  ]
  return { artist, account, pageId: account.pages[0]?.pageId ?? '', mediaIds }
}

/** Inserts uses that the network counted at `drawnAt`. */
async function used(
  bucketId: string,
  count: number,
  drawnAt = fixture.app.clock.now(),
  userId: string | null = null,
): Promise<void> {
  await fixture.app.client.db.insert(quotaBuckets).values({ id: bucketId }).onConflictDoNothing()
  await fixture.app.client.db.insert(quotaUses).values(
    Array.from({ length: count }, () => ({
      id: newId(),
      bucketId,
      userId,
      state: 'done' as const,
      since: drawnAt,
      drawnAt,
    })),
  )
}

async function passTime(until: string): Promise<void> {
  fixture.app.clock.set(new Date(Date.parse(until) + 11_000).toISOString())
  await sweepTargets(fixture.system)
}

async function uploadsAt(path: string): Promise<number> {
  const requests = await control<{ method: string; path: string }[]>(fixture.app, 'GET', '/requests?service=youtube')
  return requests.filter((request) => request.method === 'POST' && request.path.includes(path)).length
}

/** Scheduled targets of one artist, in the form of claimed ones. */
async function claimedTargets(platform: Platform, hours: readonly number[]): Promise<ClaimedTarget[]> {
  const { artist, account, mediaIds } = await ready(platform)
  for (const ahead of hours) {
    const scheduledAt = new Date(fixture.app.clock.now().getTime() + ahead * 3_600_000).toISOString()
    await artist.trpc.posts.schedule.mutate({ mediaIds, variants: variantsOf(account), scheduledAt })
  }
  const rows = await fixture.app.client.db
    .select()
    .from(postTargets)
    .innerJoin(posts, eq(posts.id, postTargets.postId))
    .where(eq(postTargets.userId, artist.id))
    .orderBy(posts.scheduledAt)
  return rows.map((row) => ({ ...row.post_targets, scheduledAt: row.posts.scheduledAt }))
}

const silent = {} as PublishSteps
const job = {} as PublishJob
const takeFor = async (target: ClaimedTarget, nth = 0) =>
  await reserveAllowance((nth % 2 === 0 ? fixture : other).system, target, silent, job)

describe('the last of an allowance', () => {
  test('requested by many targets in two processes at once: it is reserved once', async () => {
    const targets = await claimedTargets('youtube', [1, 2, 3, 4, 5, 6, 7, 8])
    await used('youtube', 97)
    const answers = await Promise.all(targets.map(async (target, nth) => await takeFor(target, nth)))
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(3)
    const taken = await fixture.app.client.db
      .select()
      .from(quotaUses)
      .where(and(eq(quotaUses.bucketId, 'youtube'), eq(quotaUses.state, 'taken')))
    expect(taken).toHaveLength(3)
    // A target with a reservation may request again, as after a crash, and gets no second one.
    const again = await Promise.all(targets.map(async (target, nth) => await takeFor(target, nth + 1)))
    expect(again.map((answer) => answer === undefined)).toEqual(answers.map((answer) => answer === undefined))
  })

  test('goes to the target planned earlier, and is released when that fails', async () => {
    const [earlier, later, latest] = await claimedTargets('tiktok', [1, 2, 3])
    if (!earlier || !later || !latest) throw new Error('three targets were made')
    await used(earlier.quotaBucket ?? '', 15, new Date('2026-11-21T19:00:00.000Z'))
    const frees = new Date('2026-11-22T19:01:00.000Z')
    expect((await takeFor(later))?.freesAt).toEqual(frees)
    expect((await takeFor(earlier))?.freesAt).toEqual(frees)
    await fixture.app.client.db
      .delete(quotaUses)
      .where(and(eq(quotaUses.state, 'done'), eq(quotaUses.bucketId, earlier.quotaBucket ?? '')))
    await used(earlier.quotaBucket ?? '', 14)
    expect(await takeFor(later)).toBeDefined()
    expect(await takeFor(earlier)).toBeUndefined()
    await retryOnDeadlock(fixture.app.client.db, async (tx) => await settleAllowance(tx, earlier))
    expect(await takeFor(latest)).toBeDefined()
    expect(await takeFor(later)).toBeUndefined()
  })

  test('is not released when the post that used it is deleted', async () => {
    const [first, second] = await claimedTargets('youtube', [1, 2])
    if (!first || !second) throw new Error('two targets were made')
    await used('youtube', 99)
    expect(await takeFor(first)).toBeUndefined()
    await fixture.app.client.db.delete(postTargets).where(eq(postTargets.id, first.id))
    expect(await takeFor(second)).toBeDefined()
  })
})

describe("one artist's share of everybody's uploads to YouTube", () => {
  test("used up: the artist's targets wait in a queue of their own until midnight in California, while others continue", async () => {
    const crowd = await claimedTargets('youtube', [1, 2, 3])
    const [other] = await claimedTargets('youtube', [4])
    const artist = crowd[0]?.userId ?? ''
    if (!other) throw new Error('a target was made')
    await used('youtube', 18, fixture.app.clock.now(), artist)
    const answers = []
    for (const target of crowd.toReversed()) answers.push(await takeFor(target))
    expect(answers).toEqual([
      undefined,
      undefined,
      { freesAt: new Date(nextMidnight), message: quotaSentence('youtube-share x', 20) },
    ])
    // Eighty are left for all: targets that wait for their artist's share delay no others.
    await used('youtube', 79)
    expect(await takeFor(other)).toBeUndefined()
    await fixture.app.client.db.delete(quotaUses).where(eq(quotaUses.targetId, other.id))
    fixture.app.clock.set(nextMidnight)
    expect(await takeFor(crowd[0]!)).toBeUndefined()
    expect(
      await fixture.app.client.db
        .select({ bucket: quotaUses.bucketId })
        .from(quotaUses)
        .where(eq(quotaUses.targetId, crowd[0]!.id)),
    ).toEqual([{ bucket: 'youtube' }])
  })

  test('is shown to the artist before planning and on the waiting post', async () => {
    const { artist, account, pageId, mediaIds } = await ready('youtube')
    await used('youtube', 19, fixture.app.clock.now(), artist.id)
    await artist.trpc.posts.schedule.mutate({
      mediaIds,
      variants: variantsOf(account, { title: 'a' }),
      scheduledAt: '2026-11-22T01:00:00.000Z',
    })
    // What others plan does not use the artist's share.
    await claimedTargets('youtube', Array<number>(20).fill(15))
    const pages = [{ platform: 'youtube' as const, socialAccountId: account._id, pageId }]
    const [allowance] = await artist.trpc.posts.allowances.query({
      pages,
      mediaIds,
      scheduledAt: ['2026-11-22T02:00:00.000Z', '2026-11-22T12:00:00.000Z'],
    })
    expect(allowance).toMatchObject({
      limit: 20,
      shared: false,
      sentence: quotaSentence('youtube-share x', 20),
      at: [
        { left: 1, freesAt: null },
        { left: 0, freesAt: nextMidnight },
        { left: 20, freesAt: null },
      ],
    })
  })
})

describe('a used-up allowance', () => {
  test('of YouTube makes the post wait until midnight in California, with a notice and still editable; then it is published once', async () => {
    const { artist, account, pageId, mediaIds } = await ready('youtube')
    await used('youtube', 100)
    const before = await uploadsAt('/upload/youtube')
    const id = await postNow(artist, {
      mediaIds,
      variants: variantsOf(account, { title: 'Held back', message: 'first words' }),
    })
    const held = await eventually('the target to wait', async () => {
      const post = await readPost(artist, id)
      return post.variants.some((variant) => variant.nextTryAt !== null) && post
    })
    expect(held).toMatchObject({
      status: 'scheduled',
      variants: [{ phase: 'scheduled', errorMessage: quotaSentence('youtube', 100), nextTryAt: nextMidnight }],
    })
    await artist.trpc.posts.update.mutate({
      postId: id,
      variants: [{ _id: held.variants[0]?._id ?? '', message: 'second words' }],
    })
    const [notice, ...more] = (await artist.trpc.notices.list.query()).notices
    expect(notice).toMatchObject({
      kind: 'post_waiting',
      link: `/scheduled-posts?post=${id}`,
      text: expect.stringContaining(quotaSentence('youtube', 100)),
    })
    expect(more).toEqual([])
    await passTime('2026-11-22T07:59:00.000Z')
    expect((await readPost(artist, id)).variants[0]).toMatchObject({ phase: 'scheduled', nextTryAt: nextMidnight })
    expect(await uploadsAt('/upload/youtube')).toBe(before)
    await passTime(nextMidnight)
    expect((await untilSettled(artist, id)).variants[0]).toMatchObject({
      status: 'posted',
      errorMessage: null,
      nextTryAt: null,
    })
    expect(
      (await shownAt(fixture.app, 'youtube', pageId))
        .filter((post) => post.title === 'Held back')
        .map((post) => post.text),
    ).toEqual(['second words'])
    const rows = await fixture.app.client.db.select().from(quotaUses).where(eq(quotaUses.state, 'done'))
    expect(rows.filter((row) => (row.drawnAt?.toISOString() ?? '') >= nextMidnight)).toHaveLength(1)
  })

  test('reported only by the network: after one refusal no other target tries before its end', async () => {
    const { artist, account, mediaIds } = await ready('youtube')
    const refusal = await fault(fixture.app, 'youtube', 'status', '/upload/youtube', {
      method: 'POST',
      times: 1000,
      status: 403,
      body: { error: { code: 403, errors: [{ reason: 'quotaExceeded' }] } },
    })
    const first = await postNow(artist, { mediaIds, variants: variantsOf(account, { title: 'One', message: '' }) })
    const waiting = async (id: string) =>
      await eventually('the target to wait', async () => (await readPost(artist, id)).variants[0]?.nextTryAt)
    expect(await waiting(first)).toBe('2026-11-22T08:00:00.000Z')
    const second = await postNow(artist, { mediaIds, variants: variantsOf(account, { title: 'Two', message: '' }) })
    expect(await waiting(second)).toBe('2026-11-22T08:00:00.000Z')
    expect(await timesHit(fixture.app, refusal)).toBe(1)
    await control(fixture.app, 'DELETE', '/faults')
    await passTime('2026-11-22T08:00:00.000Z')
    expect([(await untilSettled(artist, first)).status, (await untilSettled(artist, second)).status]).toEqual([
      'posted',
      'posted',
    ])
  })

  test('of Instagram is read from Instagram before anything is created there', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'instagram')
    const asked = await fault(fixture.app, 'instagram', 'status', 'content_publishing_limit', {
      status: 200,
      body: { data: [{ quota_usage: 50, config: { quota_total: 50, quota_duration: 86_400 } }] },
    })
    const made = await fault(fixture.app, 'instagram', 'slow', '/media$', { method: 'POST', times: 100, delayMs: 1 })
    const id = await postNow(artist, { mediaIds: await uploadPictures(artist), variants: variantsOf(account) })
    const held = await eventually('the target to wait', async () => {
      const [variant] = (await readPost(artist, id)).variants
      return variant !== undefined && variant.nextTryAt !== null && variant
    })
    expect(held.errorMessage).toBe('Instagram takes 50 posts a day from an account, and they are used up.')
    expect([await timesHit(fixture.app, asked), await timesHit(fixture.app, made)]).toEqual([1, 0])
    await passTime(held.nextTryAt ?? '')
    expect((await untilSettled(artist, id)).status).toBe('posted')
  })

  test("of a page's reels is rolling: each use is free after a day, and other videos are published", async () => {
    const { artist, account, pageId, mediaIds } = await ready('facebook')
    await used(`reels ${pageId}`, 29, new Date('2026-11-21T10:00:00.000Z'))
    await used(`reels ${pageId}`, 1, new Date('2026-11-20T21:00:00.000Z'))
    const wide = await uploadFile(artist, {
      name: 'wide.mp4',
      type: 'video/mp4',
      bytes: videoFixture('landscape-5s.mp4'),
    })
    const id = await postNow(artist, { mediaIds, variants: variantsOf(account, { message: 'A reel too many' }) })
    expect(
      (await untilSettled(artist, await postNow(artist, { mediaIds: [wide], variants: variantsOf(account) }))).status,
    ).toBe('posted')
    expect(await eventually('the reel to wait', async () => (await readPost(artist, id)).variants[0]?.nextTryAt)).toBe(
      '2026-11-21T21:01:00.000Z',
    )
    await passTime('2026-11-21T21:01:00.000Z')
    expect((await untilSettled(artist, id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', pageId, 'A reel too many')).toHaveLength(1)
  })

  test('is no longer shown once the post was moved to another time', async () => {
    const { artist, account, mediaIds } = await ready('youtube')
    await used('youtube', 100)
    const id = await postNow(artist, { mediaIds, variants: variantsOf(account, { title: 'Moved' }) })
    await eventually('the target to wait', async () => (await readPost(artist, id)).variants[0]?.nextTryAt)
    const moved = await artist.trpc.posts.update.mutate({ postId: id, scheduledAt: '2026-11-25T12:00:00.000Z' })
    expect(moved.variants[0]).toMatchObject({ errorMessage: null, nextTryAt: null })
    expect(await fixture.app.client.db.select().from(quotaUses).where(eq(quotaUses.state, 'waiting'))).toEqual([])
  })
})

describe('what is left, before scheduling', () => {
  const ask = async (
    artist: Artist,
    account: SocialAccount,
    pageId: string,
    rest: { mediaIds?: string[]; scheduledAt?: string[] } = {},
  ): Promise<PageAllowance[]> =>
    await artist.trpc.posts.allowances.query({
      pages: [{ platform: account.platform, socialAccountId: account._id, pageId }],
      ...rest,
    })

  test("nothing is returned for another artist's page, an unknown one, or a network without an allowance", async () => {
    const { account, pageId, mediaIds } = await ready('youtube')
    const stranger = await createArtist(fixture.app)
    expect(await ask(stranger, account, pageId)).toEqual([])
    const { artist, account: own } = await ready('facebook')
    expect(await ask(artist, own, 'nowhere')).toEqual([])
    expect(await ask(artist, own, own.pages[0]?.pageId ?? '', { mediaIds })).toEqual([])
    await expect(artist.trpc.posts.allowances.query({ pages: [], scheduledAt: ['soon'] })).rejects.toThrow()
  })

  test('is returned for now, and for each given time after the posts planned until then', async () => {
    const { artist, account, pageId, mediaIds } = await ready('youtube')
    await used('youtube', 98)
    for (const title of ['a', 'b']) {
      await artist.trpc.posts.schedule.mutate({
        mediaIds,
        variants: variantsOf(account, { title }),
        scheduledAt: '2026-11-22T01:00:00.000Z',
      })
    }
    const scheduledAt = ['2026-11-21T23:00:00.000Z', '2026-11-22T02:00:00.000Z', '2026-11-22T12:00:00.000Z']
    expect(await ask(artist, account, pageId, { scheduledAt })).toEqual([
      {
        socialAccountId: account._id,
        pageId,
        limit: 100,
        shared: true,
        sentence: quotaSentence('youtube', 100),
        at: [
          { time: expect.any(String), left: 2, freesAt: null },
          { time: scheduledAt[0], left: 2, freesAt: null },
          { time: scheduledAt[1], left: 0, freesAt: nextMidnight },
          // One artist's share of the next day's hundred.
          { time: scheduledAt[2], left: 20, freesAt: null },
        ],
      },
    ])
  })

  test('at Instagram follows its own report, or our count while it does not answer', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'instagram')
    const pageId = account.pages[0]?.pageId ?? ''
    const hit = await fault(fixture.app, 'instagram', 'status', 'content_publishing_limit', { status: 500 })
    expect((await ask(artist, account, pageId))[0]?.limit).toBe(50)
    expect(await timesHit(fixture.app, hit)).toBe(1)
    const [allowance] = await ask(artist, account, pageId)
    expect(allowance?.limit).toBe(100)
    expect(allowance?.at[0]?.left).toBeLessThanOrEqual(100)
  })

  test('only upright videos count as reels', async () => {
    const { artist, account, pageId, mediaIds } = await ready('facebook')
    expect((await ask(artist, account, pageId, { mediaIds }))[0]).toMatchObject({
      limit: 30,
      shared: false,
      at: [{ left: 30 }],
    })
    expect(await ask(artist, account, pageId, { mediaIds: await uploadPictures(artist) })).toEqual([])
  })
})

test('a post that fails for another reason releases its reservation', async () => {
  const { artist, account, pageId, mediaIds } = await ready('facebook')
  await fault(fixture.app, 'facebook', 'status', '/video_reels', {
    status: 400,
    body: { error: { message: 'x', code: 100, error_user_msg: 'No.' } },
  })
  const id = await postNow(artist, { mediaIds, variants: variantsOf(account) })
  expect((await untilSettled(artist, id)).status).toBe('failed')
  expect(
    await fixture.app.client.db
      .select()
      .from(quotaUses)
      .where(eq(quotaUses.bucketId, `reels ${pageId}`)),
  ).toEqual([])
  expect((await readPost(artist, id)).errorMessage).not.toContain(postMessages.missed)
})

test('a clear refusal of the counted call returns the use', async () => {
  const { artist, account, pageId, mediaIds } = await ready('facebook')
  await fault(fixture.app, 'facebook', 'status', '/video_reels', {
    method: 'POST',
    skip: 1,
    status: 400,
    body: { error: { message: 'x', code: 100, error_user_msg: 'No.' } },
  })
  const id = await postNow(artist, { mediaIds, variants: variantsOf(account) })
  expect((await untilSettled(artist, id)).variants[0]).toMatchObject({ status: 'failed', mayBeThere: null })
  expect(
    await fixture.app.client.db
      .select()
      .from(quotaUses)
      .where(eq(quotaUses.bucketId, `reels ${pageId}`)),
  ).toEqual([])
})
