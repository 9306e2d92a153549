import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Platform } from '@flashsheet/contracts/networks'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { postTargets, posts } from '@flashsheet/db/schema/posts'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import {
  fault,
  makeOutcomeUnknown,
  postNow,
  readPost,
  settled,
  shownAt,
  timesHit,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { control, eventually } from '../../testing/sandbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())
afterEach(async () => await control(app, 'DELETE', '/faults'))

type Scene = { artist: Artist; account: SocialAccount; pageId: string }
type Ids = { postId: string; variantId: string }
let count = 0
const words = () => `Which one ${++count}`

/** Artists of a test come to the same pages, as those of a studio do. */
async function ready(platform: Platform = 'facebook'): Promise<Scene> {
  const artist = await createArtist(app)
  const account = await connect(app, artist, platform)
  return { artist, account, pageId: account.pages[0]?.pageId ?? '' }
}

const videoFiles = { reel: 'portrait-5s.mp4', video: 'landscape-5s.mp4' } as const

async function publish(
  { artist, account }: Scene,
  message: string,
  kind: 'picture' | keyof typeof videoFiles = 'picture',
  page = 0,
): Promise<Ids> {
  const mediaIds =
    kind === 'picture'
      ? await uploadPictures(artist)
      : [await uploadFile(artist, { name: 'a.mp4', type: 'video/mp4', bytes: videoFixture(videoFiles[kind]) })]
  const options =
    account.platform === 'tiktok' ? { options: { tiktok: { privacyLevel: 'PUBLIC_TO_EVERYONE' as const } } } : {}
  const postId = await postNow(artist, {
    mediaIds,
    variants: variantsOf(
      account,
      { title: message.slice(0, 90).trim(), message, ...options },
      account.pages.slice(page, page + 1),
    ),
  })
  const post = await settled(artist, postId)
  expect(post.status).toBe('posted')
  return { postId, variantId: post.variants[0]?._id ?? '' }
}

/** A post that is there, and of which the product knows as little as after an answer that was lost. */
async function unclear(
  scene: Scene,
  message = words(),
  kind: 'picture' | keyof typeof videoFiles = 'picture',
): Promise<Ids> {
  const ids = await publish(scene, message, kind)
  await makeOutcomeUnknown(app, ids.postId, { keepsCheckpoint: kind === 'reel' })
  return ids
}

/** One that was posted by hand, at the network itself. */
async function byHand(scene: Scene, message = words()): Promise<string> {
  const { postId } = await publish(scene, message)
  await app.client.db.delete(posts).where(eq(posts.id, postId))
  return message
}

const offered = async ({ artist }: Scene, ids: Ids) => (await artist.trpc.posts.candidates.query(ids)).candidates
const oneWith = async (scene: Scene, ids: Ids, message: string) =>
  (await offered(scene, ids)).find((one) => one.words === message)?._id ?? ''
const stored = async (ids: Ids) =>
  (await app.client.db.select().from(postTargets).where(eq(postTargets.id, ids.variantId)))[0]

describe('refused', () => {
  test('of another artist: there is no such post', async () => {
    const scene = await ready()
    const message = words()
    const ids = await unclear(scene, message)
    const candidateId = await oneWith(scene, ids, message)
    const stranger = await ready()
    await expect(stranger.artist.trpc.posts.candidates.query(ids)).rejects.toMatchObject({ data: { httpStatus: 404 } })
    await expect(stranger.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    expect((await readPost(scene.artist, ids.postId)).status).toBe('failed')
  })

  test('of a target that is no question', async () => {
    const scene = await ready()
    const ids = await publish(scene, words())
    await expect(scene.artist.trpc.posts.candidates.query(ids)).rejects.toThrow(postMessages.nothingFailed)
    await app.client.db
      .update(postTargets)
      .set({ phase: 'failed', postedAt: null })
      .where(eq(postTargets.id, ids.variantId))
    await expect(scene.artist.trpc.posts.candidates.query(ids)).rejects.toThrow(postMessages.nothingFailed)
    await expect(scene.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId: '1_2' })).rejects.toThrow(
      postMessages.nothingFailed,
    )
  })

  test('a post of another page, picked or by its address', async () => {
    const scene = await ready()
    const ids = await unclear(scene)
    const other = await publish(scene, words(), 'picture', 1)
    const elsewhere = await stored(other)
    expect(elsewhere?.pageId).not.toBe(scene.pageId)
    await expect(
      scene.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId: elsewhere?.remoteId ?? '' }),
    ).rejects.toThrow(postMessages.candidateGone)
    const address = `https://www.facebook.com/${elsewhere?.pageId}/posts/123456789`
    await expect(scene.artist.trpc.posts.markPosted.mutate({ ...ids, address })).rejects.toThrow(
      postMessages.anotherPage(scene.account.pages[0]?.name ?? ''),
    )
    expect((await readPost(scene.artist, ids.postId)).status).toBe('failed')
  })

  test("another post of Flashsheet's, whoever's it is: it is not offered, and not taken by its address", async () => {
    const scene = await ready()
    const ids = await unclear(scene)
    const known = await stored(await publish(await ready(), words()))
    expect((await offered(scene, ids)).map((one) => one._id)).not.toContain(known?.remoteId)
    await expect(
      scene.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId: known?.remoteId ?? '' }),
    ).rejects.toThrow(postMessages.candidateGone)
    await expect(
      scene.artist.trpc.posts.markPosted.mutate({ ...ids, address: known?.permalink ?? '' }),
    ).rejects.toThrow(postMessages.knownAsAnother)
    expect((await readPost(scene.artist, ids.postId)).status).toBe('failed')
  })

  test('by a network that does not answer, or does not let us in: that is said, and nothing changes', async () => {
    const scene = await ready()
    const ids = await unclear(scene)
    await fault(app, 'facebook', 'status', '/published_posts', { status: 500 })
    await expect(scene.artist.trpc.posts.candidates.query(ids)).rejects.toMatchObject({
      message: 'Facebook is not answering right now.',
      data: { httpStatus: 502 },
    })
    await fault(app, 'facebook', 'status', '/published_posts', {
      status: 400,
      body: { error: { message: 'x', code: 10 } },
      times: 2,
    })
    await expect(scene.artist.trpc.posts.candidates.query(ids)).rejects.toMatchObject({ data: { httpStatus: 409 } })
    expect((await readPost(scene.artist, ids.postId)).variants[0]).toMatchObject({
      status: 'failed',
      mayBeThere: 'unclear',
    })
  })
})

describe('what the page shows since the call', () => {
  test('is offered with its words, time and address, the oldest first, posts made by hand among it', async () => {
    const scene = await ready()
    await byHand(scene)
    const message = words()
    const ids = await unclear(scene, message)
    const later = await byHand(scene)
    const { candidates, canList, hasMore } = await scene.artist.trpc.posts.candidates.query(ids)
    expect([canList, hasMore]).toEqual([true, false])
    expect(candidates.map((one) => one.words).slice(-2)).toEqual([message, later])
    const [post] = await shownAt(app, 'facebook', scene.pageId, message)
    expect(candidates.at(-2)).toEqual({
      _id: post?.id,
      words: message,
      permalink: post?.permalink,
      postedAt: expect.stringMatching(/^\d{4}-/),
    })
  })

  test('is cut after a word where it says much', async () => {
    const scene = await ready()
    const said = 'Peony '.repeat(40).trim()
    const ids = await unclear(scene, said)
    const shortened = (await offered(scene, ids)).map((one) => one.words).filter((one) => one.startsWith('Peony'))
    expect(shortened).toEqual([`${'Peony '.repeat(16).trim()}…`])
  })

  test('is told apart by its time: what was there a while before the call is not offered', async () => {
    const scene = await ready()
    const before = await byHand(scene)
    const ids = await unclear(scene)
    expect((await offered(scene, ids)).map((one) => one.words)).toContain(before)
    await app.client.db
      .update(postTargets)
      .set({ firstPublishAt: new Date(app.clock.now().getTime() + 120_000) })
      .where(eq(postTargets.id, ids.variantId))
    expect((await offered(scene, ids)).map((one) => one.words)).not.toContain(before)
  })

  test.each([
    ['facebook', 'video'],
    ['instagram', 'picture'],
    ['tiktok', 'video'],
    ['youtube', 'video'],
    ['linkedin', 'picture'],
  ] as const)('is had from %s', async (platform, kind) => {
    const scene = await ready(platform)
    const message = `${words()} [#flash]`
    const ids = await unclear(scene, message, kind)
    const candidate = await eventually('it to be listed', async () =>
      (await offered(scene, ids)).find((one) => one.words === message),
    )
    const post = await scene.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId: candidate._id })
    const [shown] = await shownAt(app, platform, scene.pageId, message)
    expect(post).toMatchObject({
      status: 'posted',
      variants: [{ status: 'posted', mayBeThere: null, permalink: expect.stringContaining('https://') }],
    })
    expect(new URL(post.variants[0]?.permalink ?? '').pathname.replace(/\/$/, '')).toBe(
      new URL(shown?.permalink ?? '').pathname.replace(/\/$/, ''),
    )
    expect((await stored(ids))?.remoteId).toBe(candidate._id)
  })

  test('is not to be had of reels, which are in no list', async () => {
    const scene = await ready()
    const ids = await unclear(scene, words(), 'reel')
    expect(await scene.artist.trpc.posts.candidates.query(ids)).toEqual({
      candidates: [],
      canList: false,
      hasMore: false,
    })
  })

  test('is had with a renewed log-in where the old one has ended', async () => {
    const scene = await ready('youtube')
    const message = words()
    const ids = await unclear(scene, message, 'video')
    const ended = await fault(app, 'youtube', 'status', '/youtube/v3/channels', {
      method: 'GET',
      status: 401,
      body: { error: { errors: [{ reason: 'authError' }] } },
    })
    await eventually('it to be listed', async () => (await offered(scene, ids)).some((one) => one.words === message))
    expect(await timesHit(app, ended)).toBe(1)
  })
})

describe('picking', () => {
  test('one that two posts are said to be: the first has it, and the other is told', async () => {
    const scene = await ready()
    const message = words()
    const [one, other] = [await unclear(scene, message), await unclear(scene)]
    const candidateId = await oneWith(scene, one, message)
    await app.client.db
      .update(postTargets)
      .set({ firstPublishAt: (await stored(one))?.firstPublishAt ?? null })
      .where(eq(postTargets.id, other.variantId))
    const answers = await Promise.allSettled(
      [one, other].map(async (ids) => await scene.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId })),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const said = answers
      .map((answer) => (answer.status === 'rejected' ? (answer.reason as Error).message : ''))
      .join('')
    expect([postMessages.knownAsAnother, postMessages.candidateGone]).toContain(said)
  })
})
