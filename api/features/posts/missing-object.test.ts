import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { accountsOf, connect } from '../../testing/connect.ts'
import {
  fault,
  postNow,
  settled,
  shownAt,
  timesHit,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { control } from '../../testing/sandbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())
afterEach(async () => await control(app, 'DELETE', '/faults'))

/** "Unsupported get request. Object with ID … does not exist": Meta says it of what is missing, and of what a log-in may not see. */
const missing = {
  status: 400,
  body: { error: { message: 'Unsupported get request.', type: 'GraphMethodException', code: 100, error_subcode: 33 } },
}

test.each([
  [
    'facebook',
    'the video of a reel that is looked at',
    'reel',
    { method: 'GET', path: String.raw`/\d+\?fields=status` },
  ],
  ['facebook', 'the photos of a post', 'picture', { method: 'POST', path: '/feed' }],
  ['instagram', 'the container of a picture', 'picture', { method: 'GET', path: String.raw`/\d+\?fields=status` }],
] as const)(
  '%s does not find %s: that is no lost log-in, and the post goes out once',
  async (platform, _what, kind, { method, path }) => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, platform)
    const mediaIds =
      kind === 'reel'
        ? [await uploadFile(artist, { name: 'a.mp4', type: 'video/mp4', bytes: videoFixture('portrait-5s.mp4') })]
        : await uploadPictures(artist)
    const message = `Missing ${platform} ${kind}`
    const hit = await fault(app, platform, 'status', path, { method, ...missing })
    const postId = await postNow(artist, { mediaIds, variants: variantsOf(account, { message }) })
    expect((await settled(artist, postId, 60_000)).status).toBe('posted')
    expect(await timesHit(app, hit)).toBe(1)
    expect(await shownAt(app, platform, account.pages[0]?.pageId ?? '', message)).toHaveLength(1)
    expect((await accountsOf(artist)).map((one) => one.health)).toEqual(['ok'])
  },
  90_000,
)
