import { platforms } from '@flashsheet/contracts/networks'
import { postTargets, publishAttempts } from '@flashsheet/db/schema/posts'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { asc, eq } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import { postThroughKill, startKillFixture, type Hold, type KillFixture } from '../../testing/kill.ts'
import {
  fault,
  heldMs,
  postNow,
  readPost,
  untilSettled,
  shownAt,
  timesHit,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { control, eventually } from '../../testing/sandbox.ts'

let fixture: KillFixture
beforeAll(async () => {
  fixture = await startKillFixture()
})
afterAll(async () => await fixture.stop())

/** The one irreversible call of each network, for a short wide video. */
const pointsOfNoReturn: Record<(typeof platforms)[number], Hold> = {
  // After the start and the only chunk.
  facebook: { service: 'facebook', method: 'POST', path: '/videos', skip: 2 },
  instagram: { service: 'instagram', method: 'POST', path: '/media_publish' },
  tiktok: { service: 'tiktok', method: 'PUT', path: '.' },
  youtube: { service: 'youtube', method: 'PUT', path: '.' },
  linkedin: { service: 'linkedin', method: 'POST', path: '/rest/posts' },
}

/** A sample; `kill.test-long.ts` kills at every request of every adapter. */
describe('a worker killed during the irreversible calls of all networks at once', () => {
  test.each([
    ['killed, and the call still takes effect', 'slow', 'kill'],
    ['cut off from the database, and the call still takes effect', 'slow', 'disconnect'],
  ] as const)('%s: each page shows the post exactly once', async (_name, kind, end) => {
    const artist = await createArtist(fixture.app)
    const message = `Survivor ${randomUUID()}`
    const variants = []
    for (const platform of platforms)
      variants.push(...variantsOf(await connect(fixture.app, artist, platform), { message, title: message }))
    const mediaIds = [
      await uploadFile(artist, { name: 'sleeve.mp4', type: 'video/mp4', bytes: videoFixture('landscape-5s.mp4') }),
    ]
    const post = await postThroughKill(
      fixture,
      artist,
      Object.values(pointsOfNoReturn),
      kind,
      { mediaIds, variants },
      end,
    )
    expect(post?.variants.map((variant) => [variant.platform, variant.status, variant.errorMessage])).toEqual(
      platforms.map((platform) => [platform, 'posted', null]),
    )
    for (const { platform, pageId } of variants)
      expect([platform, await shownAt(fixture.app, platform, pageId, message)]).toMatchObject([
        platform,
        [{ text: expect.anything() }],
      ])
  })
})

describe('targets of a killed worker', () => {
  test('are claimed before their leases end: at once, or after the grace period with a confirm if it was in the irreversible call', async () => {
    const artist = await createArtist(fixture.app)
    const [facebook, linkedin] = [
      await connect(fixture.app, artist, 'facebook'),
      await connect(fixture.app, artist, 'linkedin'),
    ]
    const message = `Taken over ${randomUUID()}`
    await fixture.startWorker()
    const holds = [
      await fault(fixture.app, 'facebook', 'slow', '/feed', { method: 'POST', delayMs: heldMs }),
      await fault(fixture.app, 'linkedin', 'slow', 'initializeUpload', { method: 'POST', skip: 1, delayMs: heldMs }),
    ]
    const id = await postNow(artist, {
      mediaIds: await uploadPictures(artist, 3),
      variants: [...variantsOf(facebook, { message }), ...variantsOf(linkedin, { message })],
    })
    await eventually('both calls to be under way', async () =>
      (await Promise.all(holds.map(async (hold) => await timesHit(fixture.app, hold)))).every((hits) => hits > 0),
    )
    await fixture.killWorker()
    const left = await targetsOf(id)
    expect(left).toMatchObject([
      { platform: 'facebook', phase: 'publishing', leaseHolder: expect.any(Number) },
      { platform: 'linkedin', phase: 'preparing', leaseHolder: expect.any(Number) },
    ])
    await control(fixture.app, 'DELETE', '/faults')
    await fixture.startWorker()
    await eventually('LinkedIn to have it', async () => (await targetsOf(id))[1]?.phase === 'posted')
    expect((await targetsOf(id))[0]).toMatchObject({ phase: 'publishing', leaseToken: left[0]?.leaseToken })
    await fixture.expireGracePeriod()
    expect((await untilSettled(artist, id)).status).toBe('posted')
    const attempts = await fixture.app.client.db
      .select({ at: publishAttempts.startedAt, from: publishAttempts.fromPhase })
      .from(publishAttempts)
      .innerJoin(postTargets, eq(postTargets.id, publishAttempts.targetId))
      .where(eq(postTargets.postId, id))
    expect(new Set(attempts.map((one) => one.from))).toEqual(new Set(['claimed', 'preparing', 'publishing']))
    // By the database's clock, which is this machine's.
    for (const { at } of attempts)
      expect(at.getTime()).toBeLessThan(Math.min(...left.map((one) => one.leaseUntil?.getTime() ?? 0)))
    for (const { platform, pages } of [facebook, linkedin])
      expect(await shownAt(fixture.app, platform, pages[0]?.pageId ?? '', message)).toMatchObject([
        { media: [{}, {}, {}] },
      ])
  })
})

async function targetsOf(postId: string) {
  return await fixture.app.client.db
    .select()
    .from(postTargets)
    .where(eq(postTargets.postId, postId))
    .orderBy(asc(postTargets.platform))
}

describe('a worker asked to stop', () => {
  test('finishes its step, lets the next worker continue, and exits with 0', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const message = `Handed over ${randomUUID()}`
    await fixture.startWorker()
    const slow = await fault(fixture.app, 'facebook', 'slow', '/photos', { method: 'POST', delayMs: heldMs })
    const id = await postNow(artist, {
      mediaIds: await uploadPictures(artist, 1),
      variants: variantsOf(account, { message }),
    })
    await eventually('the upload to be under way', async () => (await timesHit(fixture.app, slow)) === 1)
    const worker = fixture.worker()
    const ended = fixture.endWorker('SIGTERM')
    await worker.receivedSigterm()
    await control(fixture.app, 'DELETE', '/faults')
    expect(await ended).toBe(0)
    expect((await readPost(artist, id)).variants[0]).toMatchObject({ status: 'scheduled' })
    expect(await shownAt(fixture.app, 'facebook', account.pages[0]?.pageId ?? '', message)).toEqual([])
    await fixture.startWorker()
    expect((await untilSettled(artist, id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', account.pages[0]?.pageId ?? '', message)).toHaveLength(1)
  })
})
