import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { accountsOf, connect } from '../../testing/connect.ts'
import {
  bareSystem,
  fault,
  postNow,
  settledByClock,
  shownAt,
  timesHit,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { control } from '../../testing/sandbox.ts'

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

/** "Unsupported get request. Object with ID … does not exist": Meta says it of what is missing, and of what a log-in may not see. */
const missing = {
  status: 400,
  body: { error: { message: 'Unsupported get request.', type: 'GraphMethodException', code: 100, error_subcode: 33 } },
}

const videos = { reel: 'portrait-5s.mp4', wide: 'landscape-5s.mp4' } as const

test.each([
  [
    'facebook',
    'the video of a reel that is looked at',
    'reel',
    { method: 'GET', path: String.raw`/\d+\?fields=status` },
  ],
  ['facebook', 'the photos of a post', 'picture', { method: 'POST', path: '/feed' }],
  ['facebook', 'the video that is to be finished', 'reel', { method: 'POST', path: '/video_reels', skip: 1 }],
  ['facebook', 'the session of a piece', 'wide', { method: 'POST', path: '/videos', skip: 1 }],
  ['facebook', 'the session that is to be finished', 'wide', { method: 'POST', path: '/videos', skip: 2 }],
  ['instagram', 'the container of a picture', 'picture', { method: 'GET', path: String.raw`/\d+\?fields=status` }],
  ['instagram', 'the container that is to be published', 'picture', { method: 'POST', path: '/media_publish' }],
] as const)(
  '%s does not find %s: that is no lost log-in, and the post goes out once',
  async (platform, what, kind, { path, ...which }) => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, platform)
    const mediaIds =
      kind === 'picture'
        ? await uploadPictures(artist)
        : [await uploadFile(artist, { name: 'a.mp4', type: 'video/mp4', bytes: videoFixture(videos[kind]) })]
    const message = `Missing on ${platform}: ${what}`
    const hit = await fault(app, platform, 'status', path, { ...which, ...missing })
    const postId = await postNow(artist, { mediaIds, variants: variantsOf(account, { message }) })
    expect((await settledByClock(app, other.system, artist, postId)).status).toBe('posted')
    expect(await timesHit(app, hit)).toBe(1)
    expect(await shownAt(app, platform, account.pages[0]?.pageId ?? '', message)).toHaveLength(1)
    expect((await accountsOf(artist)).map((one) => one.health)).toEqual(['ok'])
  },
)
