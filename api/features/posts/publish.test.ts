import { postMessages } from '@flashsheet/contracts/posts/messages'
import { postTargets, publishAttempts } from '@flashsheet/db/schema/posts'
import { asc, eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  fault,
  heldMs,
  readPost,
  untilSettled,
  shownAt,
  timesHit,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { control, eventually } from '../../testing/sandbox.ts'
import { publishingFixture, targetOf } from '../../testing/publishing.ts'
import { publishTarget } from './service/publish.ts'
import { sweepTargets } from './service/sweep.ts'

const fixture = publishingFixture()
const { createPoster, post, untilIdle, advance, throughWaits } = fixture

async function attemptsOf(postId: string) {
  const target = await targetOf(fixture.app, postId)
  return await fixture.app.client.db
    .select()
    .from(publishAttempts)
    .where(eq(publishAttempts.targetId, target.id))
    .orderBy(asc(publishAttempts.startedAt))
}

async function feedCalls(pageId: string): Promise<number> {
  const requests = await control<{ method: string; path: string }[]>(fixture.app, 'GET', '/requests?service=facebook')
  return requests.filter((request) => request.method === 'POST' && request.path.endsWith(`/${pageId}/feed`)).length
}

describe('a lost response', () => {
  test('to a call that took effect: the post is found, and published once', async () => {
    const scene = await createPoster()
    const hit = await fault(fixture.app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    const id = await post(scene)
    const done = await untilSettled(scene.artist, id)
    expect(await timesHit(fixture.app, hit)).toBe(1)
    const shown = await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)
    expect(shown).toHaveLength(1)
    expect(done).toMatchObject({ status: 'posted', variants: [{ permalink: shown[0]?.permalink }] })
    expect((await attemptsOf(id)).map((one) => [one.fromPhase, one.toPhase, one.errorClass])).toEqual([
      ['claimed', 'unknown', 'unknown'],
      ['unknown', 'posted', null],
    ])
  })

  test('to a call that took effect, and no worker runs for more than a day: the post is found', async () => {
    const scene = await createPoster()
    await fault(fixture.app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    await fault(fixture.app, 'facebook', 'status', '/published_posts', { method: 'GET', times: 1000, status: 503 })
    const id = await post(scene)
    await untilIdle(id, 'unknown', 1)
    await control(fixture.app, 'DELETE', '/faults')
    await advance(25 * 3600)
    expect((await untilSettled(scene.artist, id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
  })

  test.each([
    ['an error', { status: 500 }],
    ['an answer without the post’s id', { status: 200, body: {} }],
  ])('%s after the effect counts as a lost response', async (_what, answer) => {
    const scene = await createPoster()
    const before = await feedCalls(scene.pageId)
    await fault(fixture.app, 'facebook', 'status-after-commit', '/feed', { method: 'POST', ...answer })
    expect((await untilSettled(scene.artist, await post(scene))).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
    expect(await feedCalls(scene.pageId)).toBe(before + 1)
  })

  test('photos that are already used prove that the call took effect', async () => {
    const scene = await createPoster()
    await fault(fixture.app, 'facebook', 'status-after-commit', '/feed', {
      method: 'POST',
      status: 400,
      body: { error: { message: 'Photos were already posted.', code: 1366051 } },
    })
    expect((await untilSettled(scene.artist, await post(scene))).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
  })

  test.each([
    ['a connection cut', 'drop', {}],
    ['a server error', 'status', { status: 500, body: { error: { message: 'x', code: 2 } } }],
    ['a duplicate that does not exist', 'ghost-duplicate', {}],
  ] as const)(
    'to a call without effect (%s): sent once more after 15 minutes of confirming, with the same photos',
    async (_name, kind, options) => {
      const scene = await createPoster()
      const before = await feedCalls(scene.pageId)
      await fault(fixture.app, 'facebook', kind, '/feed', { method: 'POST', ...options })
      const id = await post(scene, 2)
      const { checkpoint, lastPublishEndedAt } = await untilIdle(id, 'unknown')
      expect((await readPost(scene.artist, id)).status).toBe('scheduled')
      const [ended, gracePeriodMs] = [lastPublishEndedAt?.getTime() ?? 0, 15 * 60_000]
      await throughWaits(id, ({ phase, dueAt, unanswered }) => {
        // It waits only in `unknown` and at most until the end of the grace period.
        if (unanswered === 1) expect([phase, dueAt.getTime() <= ended + gracePeriodMs]).toEqual(['unknown', true])
      })
      expect((await untilSettled(scene.artist, id)).status).toBe('posted')
      const [shown, ...more] = await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)
      expect([shown?.media.length, more.length, await feedCalls(scene.pageId)]).toEqual([2, 0, before + 2])
      const { lastPublishAt, checkpoint: after } = await targetOf(fixture.app, id)
      expect(lastPublishAt?.getTime()).toBeGreaterThanOrEqual(ended + gracePeriodMs)
      expect(after['photos']).toEqual(checkpoint['photos'])
    },
  )

  test('and photos that are missing at the repetition: uploads them again, and still confirms by the former ones', async () => {
    const scene = await createPoster()
    const before = await feedCalls(scene.pageId)
    await fault(fixture.app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    await fault(fixture.app, 'facebook', 'status', '/feed', {
      method: 'POST',
      status: 400,
      body: { error: { message: 'Unsupported post request.', code: 100, error_subcode: 33 } },
    })
    await fault(fixture.app, 'facebook', 'status', '/published_posts', {
      method: 'GET',
      times: 1000,
      status: 200,
      body: { data: [] },
    })
    const id = await post(scene)
    const { checkpoint } = await untilIdle(id, 'unknown')
    const anHourAgo = new Date(fixture.app.clock.now().getTime() - 3_600_000)
    await fixture.app.client.db
      .update(postTargets)
      .set({ lastPublishEndedAt: anHourAgo, inconclusiveSince: anHourAgo })
      .where(eq(postTargets.postId, id))
    await advance(30)
    await eventually('the repetition', async () => (await feedCalls(scene.pageId)) === before + 2)
    expect(await untilIdle(id, 'unknown')).toMatchObject({
      checkpoint: { photos: [], formerPhotos: checkpoint['photos'] },
      idsLapsed: false,
    })
    await control(fixture.app, 'DELETE', '/faults')
    await throughWaits(id)
    expect((await readPost(scene.artist, id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
  })

  test('to a call that took effect, and a list longer than is read: nothing is sent again', async () => {
    const scene = await createPoster()
    const before = await feedCalls(scene.pageId)
    await fault(fixture.app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    const next = `${fixture.app.sandboxUrl}/graph.facebook.com/v26.0/${scene.pageId}/published_posts`
    await fault(fixture.app, 'facebook', 'status', '/published_posts', {
      method: 'GET',
      times: 1000,
      status: 200,
      body: { data: [], paging: { next } },
    })
    const id = await post(scene)
    await untilIdle(id, 'unknown', 1)
    const anHourAgo = new Date(fixture.app.clock.now().getTime() - 3_600_000)
    await fixture.app.client.db
      .update(postTargets)
      .set({ lastPublishEndedAt: anHourAgo, inconclusiveSince: anHourAgo })
      .where(eq(postTargets.postId, id))
    await advance(30)
    await untilIdle(id, 'unknown', 2)
    expect(await feedCalls(scene.pageId)).toBe(before + 1)
  })

  /** Ends the grace period of a lost call whose photos expire; returns the checkpoint that it had. */
  const expire = async (id: string) => {
    const { checkpoint } = await untilIdle(id, 'unknown')
    const ago = (hours: number) => new Date(fixture.app.clock.now().getTime() - hours * 3_600_000)
    await fixture.app.client.db
      .update(postTargets)
      .set({
        checkpoint: { ...checkpoint, photosSince: ago(21).toISOString() },
        lastPublishEndedAt: ago(1),
        inconclusiveSince: ago(1),
      })
      .where(eq(postTargets.postId, id))
    return checkpoint
  }

  test('to a call whose post is listed while its photos are uploaded again: nothing is sent again', async () => {
    const scene = await createPoster()
    const before = await feedCalls(scene.pageId)
    await fault(fixture.app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    await fault(fixture.app, 'facebook', 'status', '/published_posts', {
      method: 'GET',
      times: 1000,
      status: 200,
      body: { data: [] },
    })
    const id = await post(scene)
    await expire(id)
    const slow = await fault(fixture.app, 'facebook', 'slow', '/photos', { delayMs: heldMs })
    await advance(30)
    await eventually('the upload to be under way', async () => (await timesHit(fixture.app, slow)) === 1)
    fixture.app.clock.advance(31_000)
    await control(fixture.app, 'DELETE', '/faults')
    expect((await untilSettled(scene.artist, id)).status).toBe('posted')
    expect(await feedCalls(scene.pageId)).toBe(before + 1)
  })

  test('uploads expired photos again for a repetition', async () => {
    const scene = await createPoster()
    await fault(fixture.app, 'facebook', 'drop', '/feed', { method: 'POST' })
    const id = await post(scene)
    const checkpoint = await expire(id)
    await advance(30)
    expect((await untilSettled(scene.artist, id)).status).toBe('posted')
    const after = (await targetOf(fixture.app, id)).checkpoint
    expect(after['formerPhotos']).toEqual(checkpoint['photos'])
    expect(after['photos']).not.toEqual(checkpoint['photos'])
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
  })

  test.each(['preparing', 'unknown'] as const)(
    'left in `%s` by a release that counted no calls: confirmed before anything is sent',
    async (phase) => {
      const scene = await createPoster()
      const before = await feedCalls(scene.pageId)
      await fault(fixture.app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
      const hidden = await fault(fixture.app, 'facebook', 'status', '/published_posts', {
        method: 'GET',
        times: 1000,
        status: 503,
      })
      const id = await post(scene)
      await eventually('a check to fail', async () => (await timesHit(fixture.app, hidden)) > 0)
      await untilIdle(id, 'unknown')
      await fixture.app.client.db
        .update(postTargets)
        .set({
          phase,
          unanswered: 0,
          lastPublishEndedAt: null,
          inconclusiveSince: null,
          dueAt: fixture.app.clock.now(),
        })
        .where(eq(postTargets.postId, id))
      await advance(30)
      await eventually('the call to be counted', async () => (await targetOf(fixture.app, id)).unanswered === 1)
      await control(fixture.app, 'DELETE', '/faults')
      await advance(60)
      expect((await untilSettled(scene.artist, id)).status).toBe('posted')
      expect(await feedCalls(scene.pageId)).toBe(before + 1)
      expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
    },
  )

  test("twice, without effect: nothing is sent a third time, and the target fails as unclear with the page's address", async () => {
    const scene = await createPoster()
    const before = await feedCalls(scene.pageId)
    await fault(fixture.app, 'facebook', 'drop', '/feed', { method: 'POST', times: 5 })
    const id = await post(scene)
    await untilIdle(id, 'unknown')
    await throughWaits(id)
    expect(await feedCalls(scene.pageId)).toBe(before + 2)
    const done = await untilSettled(scene.artist, id)
    expect(done.variants[0]).toMatchObject({
      status: 'failed',
      errorMessage: postMessages.unclear('Facebook'),
      mayBeThere: 'unclear',
      pageUrl: `https://www.facebook.com/${scene.pageId}`,
    })
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toEqual([])
  })
})

describe('workers', () => {
  test('many for one target: it is published once', async () => {
    const scene = await createPoster()
    await fault(fixture.app, 'facebook', 'slow', '/photos', { delayMs: 300 })
    const id = await post(scene)
    const target = await targetOf(fixture.app, id)
    const noAbort = new AbortController().signal
    await Promise.all(Array.from({ length: 10 }, async () => await publishTarget(fixture.system, target.id, noAbort)))
    expect((await untilSettled(scene.artist, id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
    expect(await attemptsOf(id)).toHaveLength(1)
  })

  test.each(['posted', 'failed'] as const)('a %s target is not published again by a later alarm', async (phase) => {
    const scene = await createPoster()
    if (phase === 'failed')
      await fault(fixture.app, 'facebook', 'status', '/photos', {
        status: 400,
        body: { error: { message: 'Invalid parameter', code: 100 } },
      })
    const id = await post(scene)
    expect((await untilSettled(scene.artist, id)).status).toBe(phase)
    const before = [await targetOf(fixture.app, id), await attemptsOf(id)]
    await publishTarget(fixture.system, (await targetOf(fixture.app, id)).id, new AbortController().signal)
    expect([await targetOf(fixture.app, id), await attemptsOf(id)]).toEqual(before)
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(phase === 'posted' ? 1 : 0)
  })

  test('a worker that lost its lease writes and sends nothing more', async () => {
    const scene = await createPoster()
    const calls = await feedCalls(scene.pageId)
    const startedAt = Date.now()
    const slow = await fault(fixture.app, 'facebook', 'slow', '/photos', { delayMs: heldMs })
    const id = await post(scene)
    await eventually('the upload to be under way', async () => (await timesHit(fixture.app, slow)) === 1)
    const otherToken = '018f0000-0000-7000-8000-00000000000f'
    await fixture.app.client.db.update(postTargets).set({ leaseToken: otherToken }).where(eq(postTargets.postId, id))
    await control(fixture.app, 'DELETE', '/faults')
    await eventually('the upload to be answered', async () => {
      const requests = await control<{ method: string; path: string; at: string }[]>(
        fixture.app,
        'GET',
        `/requests?service=facebook&since=${startedAt}`,
      )
      return requests.some(({ method, path }) => method === 'POST' && path.endsWith(`/${scene.pageId}/photos`))
    })
    expect(await targetOf(fixture.app, id)).toMatchObject({ phase: 'claimed', leaseToken: otherToken, checkpoint: {} })
    expect(await feedCalls(scene.pageId)).toBe(calls)
    // The new lease holder dies as well; the sweep gives the target to the next worker.
    await fixture.app.client.db
      .update(postTargets)
      .set({ leaseUntil: sql`now() - interval '1 second'` })
      .where(eq(postTargets.postId, id))
    await advance(11)
    expect((await untilSettled(scene.artist, id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
  })

  test('after a worker died in the irreversible call, the next one confirms first', async () => {
    const scene = await createPoster()
    await fault(fixture.app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    // Confirming fails until the worker is dead.
    await fault(fixture.app, 'facebook', 'status', '/published_posts', { method: 'GET', times: 1000, status: 503 })
    const id = await post(scene)
    await untilIdle(id, 'unknown')
    // The state after a kill: the phase written before the call, and a lease that is not renewed.
    await fixture.app.client.db
      .update(postTargets)
      .set({
        phase: 'publishing',
        leaseToken: '018f0000-0000-7000-8000-00000000000e',
        leaseUntil: sql`now() - interval '1 second'`,
      })
      .where(eq(postTargets.postId, id))
    await control(fixture.app, 'DELETE', '/faults')
    await advance(12)
    expect((await untilSettled(scene.artist, id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
    expect((await attemptsOf(id)).at(-1)).toMatchObject({ fromPhase: 'publishing', toPhase: 'posted' })
  })

  test('after a lost alarm the sweep enqueues one, however often it runs', async () => {
    const scene = await createPoster()
    const scheduledAt = new Date(fixture.app.clock.now().getTime() + 3_600_000).toISOString()
    const mediaIds = await uploadPictures(scene.artist)
    const scheduled = await scene.artist.trpc.posts.schedule.mutate({
      mediaIds,
      variants: variantsOf(scene.account, { message: scene.message }),
      scheduledAt,
    })
    const { id } = await targetOf(fixture.app, scheduled._id)
    await fixture.app.client.sql`delete from pgboss.job where name = 'posts.publish' and data->>'targetId' = ${id}`
    await sweepTargets(fixture.system)
    expect((await readPost(scene.artist, scheduled._id)).variants[0]?.phase).toBe('scheduled')
    fixture.app.clock.advance(3_611_000)
    await Promise.all([sweepTargets(fixture.system), sweepTargets(fixture.system)])
    expect((await untilSettled(scene.artist, scheduled._id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
  })
})
