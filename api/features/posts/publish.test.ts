import { postMessages } from '@flashsheet/contracts/posts/messages'
import { postTargets, publishAttempts } from '@flashsheet/db/schema/posts'
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import {
  bareSystem,
  fault,
  postNow,
  readPost,
  settled,
  shownAt,
  timesHit,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { control, eventually } from '../../testing/sandbox.ts'
import { publishTarget } from './service/publish.ts'
import { sweepTargets } from './service/sweep.ts'

let app: TestApp
let other: { system: System; stop: () => Promise<void> }
beforeAll(async () => {
  app = await startTestApp()
  other = await bareSystem(app)
})
afterAll(async () => {
  await other.stop()
  await app.stop()
})
afterEach(async () => {
  await control(app, 'DELETE', '/faults')
  app.clock.set(new Date().toISOString())
})

type Ready = { artist: Artist; account: Awaited<ReturnType<typeof connect>>; pageId: string; say: string }
let count = 0

async function ready(): Promise<Ready> {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'facebook')
  return { artist, account, pageId: account.pages[0]?.pageId ?? '', say: `Flash of the day ${++count}` }
}

async function post(scene: Ready, pictures = 1): Promise<string> {
  const mediaIds = await uploadPictures(scene.artist, pictures)
  return await postNow(scene.artist, { mediaIds, variants: variantsOf(scene.account, { message: scene.say }) })
}

async function targetOf(postId: string) {
  const [row] = await app.client.db.select().from(postTargets).where(eq(postTargets.postId, postId))
  if (!row) throw new Error('the post has no target')
  return row
}

async function attemptsOf(postId: string) {
  const target = await targetOf(postId)
  return await app.client.db
    .select()
    .from(publishAttempts)
    .where(eq(publishAttempts.targetId, target.id))
    .orderBy(asc(publishAttempts.startedAt))
}

/** Waits until nobody works on the post's target, in one of these phases, with this many tries. */
async function resting(postId: string, phase: string, tries?: number) {
  return await eventually(`the target to rest in ${phase}`, async () => {
    const target = await targetOf(postId)
    return (
      target.phase === phase && target.leaseToken === null && (tries === undefined || target.tries === tries) && target
    )
  })
}

/** Lets time pass for the product and wakes what is due. */
async function later(seconds: number): Promise<void> {
  app.clock.advance(seconds * 1000)
  await sweepTargets(other.system)
}

/** Lets the waits pass until the target is final; looks at each. */
async function throughWaits(
  postId: string,
  see: (target: Awaited<ReturnType<typeof targetOf>>) => void = () => {},
): Promise<void> {
  for (let n = 0; n < 100; n += 1) {
    const target = await eventually('the target to rest', async () => {
      const row = await targetOf(postId)
      return row.leaseToken === null && row.phase !== 'scheduled' && row.phase !== 'claimed' && row
    })
    if (target.phase === 'posted' || target.phase === 'failed') return
    see(target)
    app.clock.set(new Date(Math.max(app.clock.now().getTime(), target.dueAt.getTime()) + 11_000).toISOString())
    await sweepTargets(other.system)
    await eventually('the target to move', async () => (await targetOf(postId)).updatedAt > target.updatedAt)
  }
  throw new Error('the target came to no end')
}

async function feedCalls(pageId: string): Promise<number> {
  const requests = await control<{ method: string; path: string }[]>(app, 'GET', '/requests?service=facebook')
  return requests.filter((request) => request.method === 'POST' && request.path.endsWith(`/${pageId}/feed`)).length
}

describe('an answer that never came', () => {
  test('to a call that did work: found again, posted once', async () => {
    const scene = await ready()
    const hit = await fault(app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    const id = await post(scene)
    const done = await settled(scene.artist, id)
    expect(await timesHit(app, hit)).toBe(1)
    const shown = await shownAt(app, 'facebook', scene.pageId, scene.say)
    expect(shown).toHaveLength(1)
    expect(done).toMatchObject({ status: 'posted', variants: [{ permalink: shown[0]?.permalink }] })
    expect((await attemptsOf(id)).map((one) => [one.fromPhase, one.toPhase, one.errorClass])).toEqual([
      ['claimed', 'unknown', 'unknown'],
      ['unknown', 'posted', null],
    ])
  })

  test('an error after the effect is no answer either', async () => {
    const scene = await ready()
    await fault(app, 'facebook', 'status-after-commit', '/feed', { method: 'POST', status: 500 })
    expect((await settled(scene.artist, await post(scene))).status).toBe('posted')
    expect(await shownAt(app, 'facebook', scene.pageId, scene.say)).toHaveLength(1)
  })

  test('photos that are used already were used by the call itself', async () => {
    const scene = await ready()
    await fault(app, 'facebook', 'status-after-commit', '/feed', {
      method: 'POST',
      status: 400,
      body: { error: { message: 'Photos were already posted.', code: 1366051 } },
    })
    expect((await settled(scene.artist, await post(scene))).status).toBe('posted')
    expect(await shownAt(app, 'facebook', scene.pageId, scene.say)).toHaveLength(1)
  })

  test.each([
    ['a connection cut', 'drop', {}],
    ['a server error', 'status', { status: 500, body: { error: { message: 'x', code: 2 } } }],
    ['a duplicate that does not exist', 'ghost-duplicate', {}],
  ] as const)(
    'to a call without effect (%s): sent again after a quarter of an hour of looks, once, with the same photos',
    async (_name, kind, options) => {
      const scene = await ready()
      const before = await feedCalls(scene.pageId)
      await fault(app, 'facebook', kind, '/feed', { method: 'POST', ...options })
      const id = await post(scene, 2)
      const { checkpoint, lastPublishEndedAt } = await resting(id, 'unknown')
      expect((await readPost(scene.artist, id)).status).toBe('scheduled')
      const [ended, patience] = [lastPublishEndedAt?.getTime() ?? 0, 15 * 60_000]
      await throughWaits(id, ({ phase, dueAt, unanswered }) => {
        // It never waits past the end of the patience, nor in any other phase.
        if (unanswered === 1) expect([phase, dueAt.getTime() <= ended + patience]).toEqual(['unknown', true])
      })
      expect((await settled(scene.artist, id)).status).toBe('posted')
      const [shown, ...more] = await shownAt(app, 'facebook', scene.pageId, scene.say)
      expect([shown?.media.length, more.length, await feedCalls(scene.pageId)]).toEqual([2, 0, before + 2])
      const { lastPublishAt, checkpoint: after } = await targetOf(id)
      expect(lastPublishAt?.getTime()).toBeGreaterThanOrEqual(ended + patience)
      expect(after['photos']).toEqual(checkpoint['photos'])
    },
  )

  test('photos too old to be posted again are made anew for it, and the former ones are looked for all the same', async () => {
    const scene = await ready()
    await fault(app, 'facebook', 'drop', '/feed', { method: 'POST' })
    const id = await post(scene)
    const { checkpoint } = await resting(id, 'unknown')
    const ago = (hours: number) => new Date(app.clock.now().getTime() - hours * 3_600_000)
    await app.client.db
      .update(postTargets)
      .set({
        checkpoint: { ...checkpoint, photosSince: ago(21).toISOString() },
        lastPublishEndedAt: ago(1),
        silentSince: ago(1),
      })
      .where(eq(postTargets.postId, id))
    await later(30)
    expect((await settled(scene.artist, id)).status).toBe('posted')
    const after = (await targetOf(id)).checkpoint
    expect(after['formerPhotos']).toEqual(checkpoint['photos'])
    expect(after['photos']).not.toEqual(checkpoint['photos'])
    expect(await shownAt(app, 'facebook', scene.pageId, scene.say)).toHaveLength(1)
  })

  test.each(['preparing', 'unknown'] as const)(
    'left in `%s` by a version that counted nothing: it is looked for before anything is sent',
    async (phase) => {
      const scene = await ready()
      const before = await feedCalls(scene.pageId)
      await fault(app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
      const hidden = await fault(app, 'facebook', 'status', '/published_posts', {
        method: 'GET',
        times: 1000,
        status: 503,
      })
      const id = await post(scene)
      await eventually('a look in vain', async () => (await timesHit(app, hidden)) > 0)
      await resting(id, 'unknown')
      await app.client.db
        .update(postTargets)
        .set({ phase, unanswered: 0, lastPublishEndedAt: null, silentSince: null, dueAt: app.clock.now() })
        .where(eq(postTargets.postId, id))
      await control(app, 'DELETE', '/faults')
      await later(30)
      expect((await settled(scene.artist, id)).status).toBe('posted')
      expect(await feedCalls(scene.pageId)).toBe(before + 1)
      expect(await shownAt(app, 'facebook', scene.pageId, scene.say)).toHaveLength(1)
    },
  )

  test('twice, without effect: nothing is sent a third time, and the artist is told where to look', async () => {
    const scene = await ready()
    const before = await feedCalls(scene.pageId)
    await fault(app, 'facebook', 'drop', '/feed', { method: 'POST', times: 5 })
    const id = await post(scene)
    await resting(id, 'unknown')
    await throughWaits(id)
    expect(await feedCalls(scene.pageId)).toBe(before + 2)
    const done = await settled(scene.artist, id)
    expect(done.variants[0]).toMatchObject({
      status: 'failed',
      errorMessage: postMessages.unclear('Facebook'),
      mayBeThere: 'unclear',
      pageUrl: `https://www.facebook.com/${scene.pageId}`,
    })
    expect(await shownAt(app, 'facebook', scene.pageId, scene.say)).toEqual([])
  })
})

describe('workers', () => {
  test('many for one target: one of them posts it, once', async () => {
    const scene = await ready()
    await fault(app, 'facebook', 'slow', '/photos', { delayMs: 300 })
    const id = await post(scene)
    const target = await targetOf(id)
    const never = new AbortController().signal
    await Promise.all(Array.from({ length: 10 }, async () => await publishTarget(other.system, target.id, never)))
    expect((await settled(scene.artist, id)).status).toBe('posted')
    expect(await shownAt(app, 'facebook', scene.pageId, scene.say)).toHaveLength(1)
    expect(await attemptsOf(id)).toHaveLength(1)
  })

  test.each(['posted', 'failed'] as const)('what is %s is over, whoever asks for it again', async (phase) => {
    const scene = await ready()
    if (phase === 'failed')
      await fault(app, 'facebook', 'status', '/photos', {
        status: 400,
        body: { error: { message: 'Invalid parameter', code: 100 } },
      })
    const id = await post(scene)
    expect((await settled(scene.artist, id)).status).toBe(phase)
    const before = [await targetOf(id), await attemptsOf(id)]
    await publishTarget(other.system, (await targetOf(id)).id, new AbortController().signal)
    expect([await targetOf(id), await attemptsOf(id)]).toEqual(before)
    expect(await shownAt(app, 'facebook', scene.pageId, scene.say)).toHaveLength(phase === 'posted' ? 1 : 0)
  })

  test('one that lost its lease writes nothing and sends nothing more', async () => {
    const scene = await ready()
    const calls = await feedCalls(scene.pageId)
    const slow = await fault(app, 'facebook', 'slow', '/photos', { delayMs: 700 })
    const id = await post(scene)
    await eventually('the upload to be under way', async () => (await timesHit(app, slow)) === 1)
    const thief = '018f0000-0000-7000-8000-00000000000f'
    await app.client.db.update(postTargets).set({ leaseToken: thief }).where(eq(postTargets.postId, id))
    const target = await targetOf(id)
    await eventually('the worker to be done with it', async () => {
      const jobs = await app.client
        .sql`select id from pgboss.job where name = 'posts.publish' and data->>'targetId' = ${target.id} and state = 'active'`
      return jobs.length === 0
    })
    expect(await targetOf(id)).toMatchObject({ phase: 'claimed', leaseToken: thief, checkpoint: {} })
    expect(await feedCalls(scene.pageId)).toBe(calls)
    // The thief dies as well; the sweep gives the target to the next worker.
    await app.client.db
      .update(postTargets)
      .set({ leaseUntil: sql`now() - interval '1 second'` })
      .where(eq(postTargets.postId, id))
    await later(11)
    expect((await settled(scene.artist, id)).status).toBe('posted')
    expect(await shownAt(app, 'facebook', scene.pageId, scene.say)).toHaveLength(1)
  })

  test('one that died in the irreversible call: the next one looks first', async () => {
    const scene = await ready()
    await fault(app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    const id = await post(scene)
    await resting(id, 'unknown')
    // As a killed process leaves it: the phase written before the call, a lease nobody renews.
    await app.client.db
      .update(postTargets)
      .set({
        phase: 'publishing',
        leaseToken: '018f0000-0000-7000-8000-00000000000e',
        leaseUntil: sql`now() - interval '1 second'`,
      })
      .where(eq(postTargets.postId, id))
    await later(12)
    expect((await settled(scene.artist, id)).status).toBe('posted')
    expect(await shownAt(app, 'facebook', scene.pageId, scene.say)).toHaveLength(1)
    expect((await attemptsOf(id)).at(-1)).toMatchObject({ fromPhase: 'publishing', toPhase: 'posted' })
  })

  test('a lost alarm: the sweep finds the target, and asks once however often it runs', async () => {
    const scene = await ready()
    const scheduledAt = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
    const mediaIds = await uploadPictures(scene.artist)
    const made = await scene.artist.trpc.posts.schedule.mutate({
      mediaIds,
      variants: variantsOf(scene.account, { message: scene.say }),
      scheduledAt,
    })
    const { id } = await targetOf(made._id)
    await app.client.sql`delete from pgboss.job where name = 'posts.publish' and data->>'targetId' = ${id}`
    await sweepTargets(other.system)
    expect((await readPost(scene.artist, made._id)).variants[0]?.phase).toBe('scheduled')
    app.clock.advance(3_611_000)
    await Promise.all([sweepTargets(other.system), sweepTargets(other.system)])
    expect((await settled(scene.artist, made._id)).status).toBe('posted')
    expect(await shownAt(app, 'facebook', scene.pageId, scene.say)).toHaveLength(1)
  })
})
