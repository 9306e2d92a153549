import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Platform } from '@flashsheet/contracts/networks'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { postTargets, posts } from '@flashsheet/db/schema/posts'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
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
import { eventually } from '../../testing/sandbox.ts'
import { publishingFixture } from '../../testing/publishing.ts'

const fixture = publishingFixture()

type Scene = { artist: Artist; account: SocialAccount; pageId: string }
type Ids = { postId: string; variantId: string }
let count = 0
const words = () => `Which one ${++count}`

/** The artists of a test have the same pages, like those of a studio. */
async function ready(platform: Platform = 'facebook'): Promise<Scene> {
  const artist = await createArtist(fixture.app)
  const account = await connect(fixture.app, artist, platform)
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

/** An existing post whose target is stored as after a lost response. */
async function unclear(
  scene: Scene,
  message = words(),
  kind: 'picture' | keyof typeof videoFiles = 'picture',
): Promise<Ids> {
  const ids = await publish(scene, message, kind)
  await makeOutcomeUnknown(fixture.app, ids.postId, { keepsCheckpoint: kind === 'reel' })
  return ids
}

/** A post made at the network itself. */
async function byHand(scene: Scene, message = words()): Promise<string> {
  const { postId } = await publish(scene, message)
  await fixture.app.client.db.delete(posts).where(eq(posts.id, postId))
  return message
}

const offered = async ({ artist }: Scene, ids: Ids) => (await artist.trpc.posts.candidates.query(ids)).candidates
const oneWith = async (scene: Scene, ids: Ids, message: string) =>
  (await offered(scene, ids)).find((one) => one.words === message)?._id ?? ''
const stored = async (ids: Ids) =>
  (await fixture.app.client.db.select().from(postTargets).where(eq(postTargets.id, ids.variantId)))[0]

describe('refused', () => {
  test('for another artist’s post: not found', async () => {
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

  test('for a target that is not unclear', async () => {
    const scene = await ready()
    const ids = await publish(scene, words())
    await expect(scene.artist.trpc.posts.candidates.query(ids)).rejects.toThrow(postMessages.nothingFailed)
    await fixture.app.client.db
      .update(postTargets)
      .set({ phase: 'failed', postedAt: null })
      .where(eq(postTargets.id, ids.variantId))
    await expect(scene.artist.trpc.posts.candidates.query(ids)).rejects.toThrow(postMessages.nothingFailed)
    await expect(scene.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId: '1_2' })).rejects.toThrow(
      postMessages.nothingFailed,
    )
  })

  test('picking or giving the address of a post on another page', async () => {
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

  test('another post of ours, of any artist: neither listed nor accepted by its address', async () => {
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

  test('when the network does not answer or refuses the token: reported, and nothing changes', async () => {
    const scene = await ready()
    const ids = await unclear(scene)
    await fault(fixture.app, 'facebook', 'status', '/published_posts', { status: 500 })
    await expect(scene.artist.trpc.posts.candidates.query(ids)).rejects.toMatchObject({
      message: 'Facebook is not answering right now.',
      data: { httpStatus: 502 },
    })
    await fault(fixture.app, 'facebook', 'status', '/published_posts', {
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

describe('the posts on the page since the call', () => {
  test('are listed with text, time and address, oldest first, including posts made at the network', async () => {
    const scene = await ready()
    await byHand(scene)
    const message = words()
    const ids = await unclear(scene, message)
    const later = await byHand(scene)
    const { candidates, canList, hasMore } = await scene.artist.trpc.posts.candidates.query(ids)
    expect([canList, hasMore]).toEqual([true, false])
    expect(candidates.map((one) => one.words).slice(-2)).toEqual([message, later])
    const [post] = await shownAt(fixture.app, 'facebook', scene.pageId, message)
    expect(candidates.at(-2)).toEqual({
      _id: post?.id,
      words: message,
      permalink: post?.permalink,
      postedAt: expect.stringMatching(/^\d{4}-/),
    })
  })

  test('have a long text cut between words', async () => {
    const scene = await ready()
    const said = 'Peony '.repeat(40).trim()
    const ids = await unclear(scene, said)
    const shortened = (await offered(scene, ids)).map((one) => one.words).filter((one) => one.startsWith('Peony'))
    expect(shortened).toEqual([`${'Peony '.repeat(16).trim()}…`])
  })

  test('exclude posts made well before the call', async () => {
    const scene = await ready()
    const before = await byHand(scene)
    const ids = await unclear(scene)
    expect((await offered(scene, ids)).map((one) => one.words)).toContain(before)
    await fixture.app.client.db
      .update(postTargets)
      .set({ firstPublishAt: new Date(fixture.app.clock.now().getTime() + 120_000) })
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
    const [shown] = await shownAt(fixture.app, platform, scene.pageId, message)
    expect(post).toMatchObject({
      status: 'posted',
      variants: [{ status: 'posted', mayBeThere: null, permalink: expect.stringContaining('https://') }],
    })
    expect(new URL(post.variants[0]?.permalink ?? '').pathname.replace(/\/$/, '')).toBe(
      new URL(shown?.permalink ?? '').pathname.replace(/\/$/, ''),
    )
    expect((await stored(ids))?.remoteId).toBe(candidate._id)
  })

  test('cannot be listed for reels', async () => {
    const scene = await ready()
    const ids = await unclear(scene, words(), 'reel')
    expect(await scene.artist.trpc.posts.candidates.query(ids)).toEqual({
      candidates: [],
      canList: false,
      hasMore: false,
    })
  })

  test('are listed with a refreshed token when the old one has expired', async () => {
    const scene = await ready('youtube')
    const message = words()
    const ids = await unclear(scene, message, 'video')
    const ended = await fault(fixture.app, 'youtube', 'status', '/youtube/v3/channels', {
      method: 'GET',
      status: 401,
      body: { error: { errors: [{ reason: 'authError' }] } },
    })
    await eventually('it to be listed', async () => (await offered(scene, ids)).some((one) => one.words === message))
    expect(await timesHit(fixture.app, ended)).toBe(1)
  })
})

describe('picking', () => {
  test('one candidate for two targets: the first gets it, the second is refused', async () => {
    const scene = await ready()
    const message = words()
    const [one, other] = [await unclear(scene, message), await unclear(scene)]
    const candidateId = await oneWith(scene, one, message)
    await fixture.app.client.db
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
