import { notices } from '@flashsheet/db/schema/notices'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
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
  variantsOf,
} from '../../testing/posting.ts'
import { eventually } from '../../testing/sandbox.ts'
import { publishingFixture, targetOf } from '../../testing/publishing.ts'
import { reconcileQueue } from './jobs.ts'
import { reconcilePosted } from './service/reconcile.ts'
import { sweepTargets } from './service/sweep.ts'

const fixture = publishingFixture()

const uploadSleeve = async (artist: Artist) => [
  await uploadFile(artist, { name: 'sleeve.mp4', type: 'video/mp4', bytes: videoFixture('landscape-5s.mp4') }),
]

async function passTime(seconds: number): Promise<void> {
  fixture.app.clock.advance(seconds * 1000)
  await sweepTargets(fixture.system)
}

describe('after posting', () => {
  test('a video that YouTube rejects later makes its post failed, with a notice', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'youtube')
    await fault(fixture.app, 'youtube', 'processing-fails', '.', {
      method: 'PUT',
      body: { rejectionReason: 'copyright' },
    })
    const id = await postNow(artist, {
      mediaIds: await uploadSleeve(artist),
      variants: variantsOf(account, { title: 'Borrowed music' }),
    })
    const posted = await untilSettled(artist, id)
    expect(posted).toMatchObject({ status: 'posted', variants: [{ permalink: expect.stringContaining('watch?v=') }] })
    // The first reconciliation may be refused, or find YouTube still processing.
    const refused = await fault(fixture.app, 'youtube', 'status', '/youtube/v3/videos', {
      method: 'GET',
      status: 401,
      times: 1,
    })
    const failed = await eventually('the rejection', async () => {
      await passTime(90)
      const post = await readPost(artist, id)
      return post.status === 'failed' && post
    })
    expect(await timesHit(fixture.app, refused)).toBe(1)
    expect(failed.variants[0]).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('YouTube rejected the video'),
      permalink: null,
    })
    const received = await fixture.app.client.db
      .select({ kind: notices.kind })
      .from(notices)
      .where(eq(notices.userId, artist.id))
      .orderBy(notices.createdAt)
    expect(received).toEqual([{ kind: 'post_posted' }, { kind: 'post_failed' }])
    expect((await targetOf(fixture.app, id)).reconcileAt).toBeNull()
    expect(await shownAt(fixture.app, 'youtube', account.pages[0]?.pageId ?? '', 'Borrowed music')).toEqual([])
  })

  test('reconciling ends once the network is done, and is repeated for an unreachable one', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'youtube')
    const id = await postNow(artist, {
      mediaIds: await uploadSleeve(artist),
      variants: variantsOf(account, { title: 'Own music' }),
    })
    await untilSettled(artist, id)
    const first = (await targetOf(fixture.app, id)).reconcileAt
    expect(first).not.toBeNull()
    await fault(fixture.app, 'youtube', 'drop', '/youtube/v3/videos', { method: 'GET' })
    await passTime(90)
    await eventually('the next reconciliation to be set', async () => {
      const next = (await targetOf(fixture.app, id)).reconcileAt
      return next !== null && first !== null && next > first
    })
    await passTime(120)
    await eventually('reconciling to end', async () => (await targetOf(fixture.app, id)).reconcileAt === null)
    expect((await readPost(artist, id)).status).toBe('posted')
  })

  test('reconciling ends after a day, also if the network never answered', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'youtube')
    const id = await postNow(artist, {
      mediaIds: await uploadSleeve(artist),
      variants: variantsOf(account, { title: 'Unreachable' }),
    })
    await untilSettled(artist, id)
    const { id: targetId, postedAt } = await targetOf(fixture.app, id)
    const unreachable = await fault(fixture.app, 'youtube', 'drop', '/youtube/v3/videos', { method: 'GET' })
    const dayLater = new Date((postedAt?.getTime() ?? 0) + 86_400_000)
    await reconcilePosted({ ...fixture.system, now: () => dayLater }, targetId, new AbortController().signal)
    expect(await timesHit(fixture.app, unreachable)).toBe(1)
    expect((await targetOf(fixture.app, id)).reconcileAt).toBeNull()
    expect((await readPost(artist, id)).status).toBe('posted')
  })

  test('an alarm that runs slightly early reads nothing, and is set again', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'youtube')
    const id = await postNow(artist, {
      mediaIds: await uploadSleeve(artist),
      variants: variantsOf(account, { title: 'Early' }),
    })
    await untilSettled(artist, id)
    const { id: targetId, reconcileAt } = await targetOf(fixture.app, id)
    const alarms = sql`from pgboss.job where name = ${reconcileQueue.name} and data->>'targetId' = ${targetId}`
    await fixture.app.client.db.execute(sql`delete ${alarms}`)
    const early = new Date((reconcileAt?.getTime() ?? 0) - 2)
    await reconcilePosted({ ...fixture.system, now: () => early }, targetId, new AbortController().signal)
    expect((await targetOf(fixture.app, id)).reconcileAt).toEqual(reconcileAt)
    // The worker may have handled it already, and set the next one.
    expect(await fixture.app.client.db.execute(sql`select id ${alarms}`)).not.toHaveLength(0)
  })
})
