import { postMessages } from '@flashsheet/contracts/posts/messages'
import { videoFixture, remuxedVideo } from '@flashsheet/sandbox/fixtures/videos'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import {
  fault,
  postNow,
  untilSettled,
  shownAt,
  timesHit,
  uploadFile,
  uploadPictures,
  variantsOf,
  type FaultOptions,
} from '../../testing/posting.ts'
import { control, eventually } from '../../testing/sandbox.ts'
import { publishingFixture, targetOf } from '../../testing/publishing.ts'

const fixture = publishingFixture()

const reelVideo = () => videoFixture('portrait-5s.mp4')
const wideVideo = () => videoFixture('landscape-5s.mp4')
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
let count = 0

type PostedVideo = { artist: Artist; postId: string; pageId: string; message: string }

async function postVideo(bytes: Buffer): Promise<PostedVideo> {
  const artist = await createArtist(fixture.app)
  const account = await connect(fixture.app, artist, 'facebook')
  const message = `Healed piece ${++count}`
  const mediaIds = [await uploadFile(artist, { name: 'healed.mp4', type: 'video/mp4', bytes })]
  const postId = await postNow(artist, { mediaIds, variants: variantsOf(account, { message, title: 'Healed' }) })
  return { artist, postId, pageId: account.pages[0]?.pageId ?? '', message }
}

/** Moves the clock past each wait; returns the final post. */
async function settledThroughWaits({ artist, postId }: PostedVideo) {
  await fixture.throughWaits(postId)
  return await untilSettled(artist, postId)
}

async function calls(path: RegExp): Promise<number> {
  const requests = await control<{ method: string; path: string }[]>(fixture.app, 'GET', '/requests?service=facebook')
  return requests.filter((request) => request.method === 'POST' && path.test(request.path)).length
}

describe('pictures', () => {
  test('publishes one picture once, with text and permalink', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const id = await postNow(artist, {
      mediaIds: await uploadPictures(artist, 1, [800, 1000]),
      variants: variantsOf(account, { message: 'Koi on a forearm' }),
    })
    const post = await untilSettled(artist, id)
    expect(post).toMatchObject({
      status: 'posted',
      errorMessage: null,
      variants: [{ status: 'posted', phase: 'posted', errorMessage: null }],
    })
    const shown = await shownAt(fixture.app, 'facebook', account.pages[0]?.pageId ?? '', 'Koi on a forearm')
    expect(shown).toMatchObject([{ media: [{ type: 'image/jpeg', width: 800, height: 1000 }] }])
    expect(post.variants[0]?.permalink).toBe(shown[0]?.permalink)
  })

  test('publishes ten pictures as one post, in order', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const mediaIds = [
      ...(await uploadPictures(artist, 1, [400, 400])),
      ...(await uploadPictures(artist, 8)),
      ...(await uploadPictures(artist, 1, [900, 300])),
    ]
    await untilSettled(
      artist,
      await postNow(artist, { mediaIds, variants: variantsOf(account, { message: 'Whole sheet' }) }),
    )
    const [post, ...more] = await shownAt(fixture.app, 'facebook', account.pages[0]?.pageId ?? '', 'Whole sheet')
    expect(more).toEqual([])
    expect(post?.media).toHaveLength(10)
    expect([post?.media[0]?.width, post?.media[9]?.width]).toEqual([400, 900])
  })
})

describe('videos', () => {
  test('publishes a short upright video as a reel and a wide one as a video, with unchanged bytes', async () => {
    for (const [bytes, path] of [
      [reelVideo(), '/reel/'],
      [wideVideo(), '/videos/'],
    ] as const) {
      const scene = await postVideo(bytes)
      const post = await untilSettled(scene.artist, scene.postId)
      expect(post.variants[0]).toMatchObject({ status: 'posted', permalink: expect.stringContaining(path) })
      expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toMatchObject([
        { title: 'Healed', media: [{ sha256: sha256(bytes) }] },
      ])
    }
  })

  const faults: [string, () => Buffer, string, string, FaultOptions][] = [
    ["a reel's upload is cut", reelVideo, 'drop', 'video-upload', { method: 'POST' }],
    ["a reel's upload answer is lost", reelVideo, 'drop-after-commit', 'video-upload', { method: 'POST' }],
    ["a reel's start answer is lost", reelVideo, 'drop-after-commit', '/video_reels', { method: 'POST' }],
    ["a reel's upload session is lost", reelVideo, 'lose-session', 'video-upload', { method: 'POST' }],
    ["a reel's finish never arrives", reelVideo, 'drop', '/video_reels', { method: 'POST', skip: 1 }],
    [
      "a reel's finish is answered by an error after all",
      reelVideo,
      'status-after-commit',
      '/video_reels',
      { method: 'POST', skip: 1, status: 500 },
    ],
    [
      "a reel's finish is answered by the page of an outage",
      reelVideo,
      'status',
      '/video_reels',
      { method: 'POST', skip: 1, status: 200, body: 'Back soon' },
    ],
    ["a reel's status cannot be read", reelVideo, 'drop', 'v26.0/\\d+\\?', { method: 'GET', times: 2 }],
    ["a video's start answer is lost", wideVideo, 'drop-after-commit', '/videos', { method: 'POST' }],
    ["a video's bytes are cut", wideVideo, 'drop', '/videos', { method: 'POST', skip: 1 }],
    ["the answer to a video's bytes is lost", wideVideo, 'drop-after-commit', '/videos', { method: 'POST', skip: 1 }],
    ["a video's upload session is lost", wideVideo, 'lose-session', '/videos', { method: 'POST', skip: 1 }],
    ["a video's finish never arrives", wideVideo, 'drop', '/videos', { method: 'POST', skip: 2 }],
    [
      "a video's finish is answered by an error after all",
      wideVideo,
      'status-after-commit',
      '/videos',
      { method: 'POST', skip: 2, status: 500 },
    ],
    [
      "a video's finish is answered by the page of an outage",
      wideVideo,
      'status',
      '/videos',
      { method: 'POST', skip: 2, status: 200, body: 'Back soon' },
    ],
    [
      'a page takes no video in phases',
      wideVideo,
      'status',
      '/videos',
      { method: 'POST', status: 400, body: { error: { message: 'Unsupported', code: 100 } } },
    ],
  ]
  test.each(faults)('when %s, publishes exactly once', async (_name, bytes, kind, path, options) => {
    const hit = await fault(fixture.app, 'facebook', kind, path, options)
    const scene = await postVideo(bytes())
    const post = await settledThroughWaits(scene)
    expect(await timesHit(fixture.app, hit)).toBe(options.times ?? 1)
    expect(post.variants[0]).toMatchObject({ status: 'posted', errorMessage: null })
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toMatchObject([
      { media: [{ sha256: sha256(bytes()) }] },
    ])
  })

  test('when a reel is accepted and its status lags, does not finish it again', async () => {
    const before = await calls(/\/video_reels/)
    const hit = await fault(fixture.app, 'facebook', 'status', 'v26.0/\\d+\\?', {
      method: 'GET',
      times: 12,
      status: 200,
      body: { status: { video_status: 'uploading', uploading_phase: { status: 'complete' } } },
    })
    const scene = await postVideo(reelVideo())
    expect((await settledThroughWaits(scene)).status).toBe('posted')
    expect(await timesHit(fixture.app, hit)).toBe(12)
    expect(await calls(/\/video_reels/)).toBe(before + 2)
  })

  test('after a lost response to an upload by handle, finds the post by its text and does not send it again', async () => {
    await fault(fixture.app, 'facebook', 'status', '/videos', {
      method: 'POST',
      status: 400,
      body: { error: { message: 'Unsupported', code: 100 } },
    })
    const lost = await fault(fixture.app, 'facebook', 'drop-after-commit', '/videos', { method: 'POST' })
    const scene = await postVideo(wideVideo())
    expect((await settledThroughWaits(scene)).variants[0]).toMatchObject({
      status: 'posted',
      permalink: expect.stringContaining('/videos/'),
    })
    expect(await timesHit(fixture.app, lost)).toBe(1)
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
  })

  test("after an upload by handle that is never found, fails as unclear with the page's address and does not send it again", async () => {
    await fault(fixture.app, 'facebook', 'status', '/videos', {
      method: 'POST',
      status: 400,
      body: { error: { message: 'Unsupported', code: 100 } },
    })
    await fault(fixture.app, 'facebook', 'drop', '/videos', { method: 'POST' })
    const before = await calls(/\/videos$/)
    const scene = await postVideo(wideVideo())
    const post = await settledThroughWaits(scene)
    expect(post.variants[0]).toMatchObject({
      status: 'failed',
      errorMessage: postMessages.unclear('Facebook'),
      mayBeThere: 'unclear',
      pageUrl: `https://www.facebook.com/${scene.pageId}`,
    })
    expect(await calls(/\/videos$/)).toBe(before + 2)
  })

  test("fails with Facebook's reason for an unusable video", async () => {
    await fault(fixture.app, 'facebook', 'processing-fails', '/video_reels', { method: 'POST' })
    const scene = await postVideo(reelVideo())
    const post = await untilSettled(scene.artist, scene.postId)
    expect(post.variants[0]).toMatchObject({
      status: 'failed',
      errorMessage: 'Facebook could not use this video: Video processing failed.',
    })
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toEqual([])
  })

  test("an upright video too long for a reel becomes a draft at Facebook, and the artist gets the page's address", async () => {
    const scene = await postVideo(await remuxedVideo('portrait-5s.mp4', { seconds: 95 }))
    const post = await untilSettled(scene.artist, scene.postId)
    expect(post.variants[0]).toMatchObject({
      status: 'failed',
      errorMessage: 'Facebook kept this video as a draft. Open the page in Facebook and share it from there.',
      mayBeThere: 'draft',
      pageUrl: `https://www.facebook.com/${scene.pageId}`,
    })
  })

  test('the 31st reel of a day waits', async () => {
    const body = { error: { message: '(#613) Calls to this api have exceeded the rate limit.', code: 613 } }
    await fault(fixture.app, 'facebook', 'status', '/video_reels', { method: 'POST', skip: 1, status: 403, body })
    const scene = await postVideo(reelVideo())
    const waiting = await eventually('the target to wait', async () => {
      const row = await targetOf(fixture.app, scene.postId)
      return row.waitedMs > 0 && row
    })
    expect(waiting).toMatchObject({
      phase: 'preparing',
      errorMessage: 'Facebook takes no more from this account for now.',
    })
    const uploads = await calls(/video-upload/)
    expect((await settledThroughWaits(scene)).status).toBe('posted')
    expect(await calls(/video-upload/)).toBe(uploads)
    expect(await shownAt(fixture.app, 'facebook', scene.pageId, scene.message)).toHaveLength(1)
  })
})
