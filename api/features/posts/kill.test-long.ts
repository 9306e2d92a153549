import type { Platform } from '@flashsheet/contracts/networks'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import { postThroughKill, startKillFixture, type KillFixture } from '../../testing/kill.ts'
import { postNow, untilSettled, shownAt, uploadFile, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { control } from '../../testing/sandbox.ts'

let fixture: KillFixture
beforeAll(async () => {
  // More posts to a page than a daily allowance permits.
  fixture = await startKillFixture({ NETWORK_QUOTAS: 'off' })
  await fixture.startWorker()
  await control(fixture.app, 'POST', '/limits', { quotas: false })
})
afterAll(async () => await fixture.stop())

/** A video with padding behind its last box, so that it takes several chunks; players skip unknown boxes. */
function heavy(video: Buffer, bytes: number): Buffer {
  const padding = Buffer.alloc(bytes - video.length)
  padding.writeUInt32BE(padding.length, 0)
  padding.write('free', 4, 'latin1')
  return Buffer.concat([video, padding])
}

const heavyBytes = 26 * 1_048_576
type Load = { name: string; platform: Platform; media: (artist: Artist) => Promise<string[]> }
const pictures = (count: number) => async (artist: Artist) => await uploadPictures(artist, count)
const video = (bytes: () => Buffer) => async (artist: Artist) => [
  await uploadFile(artist, { name: 'sleeve.mp4', type: 'video/mp4', bytes: bytes() }),
]

const loads: Load[] = [
  { name: 'Facebook pictures', platform: 'facebook', media: pictures(2) },
  { name: 'Facebook reel', platform: 'facebook', media: video(() => videoFixture('portrait-5s.mp4')) },
  { name: 'Facebook video', platform: 'facebook', media: video(() => videoFixture('landscape-5s.mp4')) },
  { name: 'Instagram picture', platform: 'instagram', media: pictures(1) },
  { name: 'Instagram carousel', platform: 'instagram', media: pictures(2) },
  { name: 'Instagram reel', platform: 'instagram', media: video(() => videoFixture('portrait-5s.mp4')) },
  { name: 'TikTok in one chunk', platform: 'tiktok', media: video(() => videoFixture('portrait-5s.mp4')) },
  {
    name: 'TikTok in chunks',
    platform: 'tiktok',
    media: video(() => heavy(videoFixture('portrait-5s.mp4'), heavyBytes)),
  },
  { name: 'YouTube in one chunk', platform: 'youtube', media: video(() => videoFixture('landscape-5s.mp4')) },
  {
    name: 'YouTube in chunks',
    platform: 'youtube',
    media: video(() => heavy(videoFixture('landscape-5s.mp4'), heavyBytes)),
  },
  { name: 'LinkedIn picture', platform: 'linkedin', media: pictures(1) },
  { name: 'LinkedIn pictures', platform: 'linkedin', media: pictures(2) },
  { name: 'LinkedIn video', platform: 'linkedin', media: video(() => videoFixture('landscape-5s.mp4')) },
]

/** How many requests an undisturbed post makes at its network. */
async function requestsOf(
  load: Load,
  artist: Artist,
  body: { mediaIds: string[]; variants: unknown[] },
): Promise<number> {
  const before = (await control<unknown[]>(fixture.app, 'GET', `/requests?service=${load.platform}`)).length
  expect((await untilSettled(artist, await postNow(artist, body))).status).toBe('posted')
  return (await control<unknown[]>(fixture.app, 'GET', `/requests?service=${load.platform}`)).length - before
}

describe.each(loads)('a worker killed during $name', (load) => {
  test.each(['slow', 'drop'] as const)(
    'at each of its requests (%s): the page shows the post exactly once',
    async (kind) => {
      const artist = await createArtist(fixture.app)
      const account = await connect(fixture.app, artist, load.platform)
      const pageId = account.pages[0]?.pageId ?? ''
      const mediaIds = await load.media(artist)
      await fixture.startWorker()
      const requests = await requestsOf(load, artist, {
        mediaIds,
        variants: variantsOf(account, { message: 'Undisturbed' }),
      })
      expect(requests).toBeGreaterThan(1)
      const outcomes: unknown[] = []
      for (let skip = 0; skip < requests; skip++) {
        const message = `Killed at request ${skip + 1} of ${requests} ${randomUUID()}`
        const variants = variantsOf(account, { message, title: message })
        const post = await postThroughKill(fixture, artist, [{ service: load.platform, path: '.', skip }], kind, {
          mediaIds,
          variants,
        })
        // One poll fewer than in the undisturbed run, so this request was never made.
        if (!post) continue
        const shown = await shownAt(fixture.app, load.platform, pageId, message)
        outcomes.push({
          request: skip + 1,
          status: post.status,
          reason: post.variants[0]?.errorMessage,
          shown: shown.length,
        })
      }
      expect(outcomes).toEqual(
        outcomes.map((end) => ({ ...(end as object), status: 'posted', reason: null, shown: 1 })),
      )
    },
    600_000,
  )
})
