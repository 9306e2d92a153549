import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { accountsOf, connect } from '../../testing/connect.ts'
import {
  fault,
  postNow,
  untilSettledByClock,
  shownAt,
  timesHit,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { publishingFixture } from '../../testing/publishing.ts'

const fixture = publishingFixture()

/** Meta's error both for an object that does not exist and for one that the token may not read. */
const missing = {
  status: 400,
  body: { error: { message: 'Unsupported get request.', type: 'GraphMethodException', code: 100, error_subcode: 33 } },
}

const videos = { reel: 'portrait-5s.mp4', wide: 'landscape-5s.mp4' } as const

test.each([
  [
    'facebook',
    'the video of a reel that is confirmed',
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
  '%s does not find %s: the account stays healthy, and the post is published once',
  async (platform, what, kind, { path, ...which }) => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, platform)
    const mediaIds =
      kind === 'picture'
        ? await uploadPictures(artist)
        : [await uploadFile(artist, { name: 'a.mp4', type: 'video/mp4', bytes: videoFixture(videos[kind]) })]
    const message = `Missing on ${platform}: ${what}`
    const hit = await fault(fixture.app, platform, 'status', path, { ...which, ...missing })
    const postId = await postNow(artist, { mediaIds, variants: variantsOf(account, { message }) })
    expect((await untilSettledByClock(fixture.app, fixture.system, artist, postId)).status).toBe('posted')
    expect(await timesHit(fixture.app, hit)).toBe(1)
    expect(await shownAt(fixture.app, platform, account.pages[0]?.pageId ?? '', message)).toHaveLength(1)
    expect((await accountsOf(artist)).map((one) => one.health)).toEqual(['ok'])
  },
)
