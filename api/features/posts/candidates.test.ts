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
  untilSettled,
  shownAt,
  timesHit,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { eventually } from '../../testing/sandbox.ts'
import { publishingFixture } from '../../testing/publishing.ts'

const fixture = publishingFixture()

type Poster = { artist: Artist; account: SocialAccount; pageId: string }
type Ids = { postId: string; variantId: string }
let count = 0
const uniqueMessage = () => `Which one ${++count}`

/** The artists of a test have the same pages, like those of a studio. */
async function createPoster(platform: Platform = 'facebook'): Promise<Poster> {
  const artist = await createArtist(fixture.app)
  const account = await connect(fixture.app, artist, platform)
  return { artist, account, pageId: account.pages[0]?.pageId ?? '' }
}

const videoFiles = { reel: 'portrait-5s.mp4', video: 'landscape-5s.mp4' } as const

async function publish(
  { artist, account }: Poster,
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
  const post = await untilSettled(artist, postId)
  expect(post.status).toBe('posted')
  return { postId, variantId: post.variants[0]?._id ?? '' }
}

/** An existing post whose target is stored as after a lost response. */
async function unclearPost(
  poster: Poster,
  message = uniqueMessage(),
  kind: 'picture' | keyof typeof videoFiles = 'picture',
): Promise<Ids> {
  const ids = await publish(poster, message, kind)
  await makeOutcomeUnknown(fixture.app, ids.postId, { keepsCheckpoint: kind === 'reel' })
  return ids
}

/** A post made at the network itself. */
async function postAtNetwork(poster: Poster): Promise<string> {
  const message = uniqueMessage()
  const { postId } = await publish(poster, message)
  await fixture.app.client.db.delete(posts).where(eq(posts.id, postId))
  return message
}

const candidatesOf = async ({ artist }: Poster, ids: Ids) => (await artist.trpc.posts.candidates.query(ids)).candidates
const candidateIdOf = async (poster: Poster, ids: Ids, message: string) =>
  (await candidatesOf(poster, ids)).find((one) => one.words === message)?._id ?? ''
const rowOf = async (ids: Ids) =>
  (await fixture.app.client.db.select().from(postTargets).where(eq(postTargets.id, ids.variantId)))[0]

describe('refused', () => {
  test('for another artist’s post: not found', async () => {
    const poster = await createPoster()
    const message = uniqueMessage()
    const ids = await unclearPost(poster, message)
    const candidateId = await candidateIdOf(poster, ids, message)
    const stranger = await createPoster()
    await expect(stranger.artist.trpc.posts.candidates.query(ids)).rejects.toMatchObject({ data: { httpStatus: 404 } })
    await expect(stranger.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    expect((await readPost(poster.artist, ids.postId)).status).toBe('failed')
  })

  test('for a target that is not unclear', async () => {
    const poster = await createPoster()
    const ids = await publish(poster, uniqueMessage())
    await expect(poster.artist.trpc.posts.candidates.query(ids)).rejects.toThrow(postMessages.nothingFailed)
    await fixture.app.client.db
      .update(postTargets)
      .set({ phase: 'failed', postedAt: null })
      .where(eq(postTargets.id, ids.variantId))
    await expect(poster.artist.trpc.posts.candidates.query(ids)).rejects.toThrow(postMessages.nothingFailed)
    await expect(poster.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId: '1_2' })).rejects.toThrow(
      postMessages.nothingFailed,
    )
  })

  test('picking or giving the address of a post on another page', async () => {
    const poster = await createPoster()
    const ids = await unclearPost(poster)
    const other = await publish(poster, uniqueMessage(), 'picture', 1)
    const otherPageTarget = await rowOf(other)
    expect(otherPageTarget?.pageId).not.toBe(poster.pageId)
    await expect(
      poster.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId: otherPageTarget?.remoteId ?? '' }),
    ).rejects.toThrow(postMessages.candidateGone)
    const address = `https://www.facebook.com/${otherPageTarget?.pageId}/posts/123456789`
    await expect(poster.artist.trpc.posts.markPosted.mutate({ ...ids, address })).rejects.toThrow(
      postMessages.anotherPage(poster.account.pages[0]?.name ?? ''),
    )
    expect((await readPost(poster.artist, ids.postId)).status).toBe('failed')
  })

  test('another post of ours, of any artist: neither listed nor accepted by its address', async () => {
    const poster = await createPoster()
    const ids = await unclearPost(poster)
    const otherTarget = await rowOf(await publish(await createPoster(), uniqueMessage()))
    expect((await candidatesOf(poster, ids)).map((one) => one._id)).not.toContain(otherTarget?.remoteId)
    await expect(
      poster.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId: otherTarget?.remoteId ?? '' }),
    ).rejects.toThrow(postMessages.candidateGone)
    await expect(
      poster.artist.trpc.posts.markPosted.mutate({ ...ids, address: otherTarget?.permalink ?? '' }),
    ).rejects.toThrow(postMessages.knownAsAnother)
    expect((await readPost(poster.artist, ids.postId)).status).toBe('failed')
  })

  test('when the network does not answer or refuses the token: reported, and nothing changes', async () => {
    const poster = await createPoster()
    const ids = await unclearPost(poster)
    await fault(fixture.app, 'facebook', 'status', '/published_posts', { status: 500 })
    await expect(poster.artist.trpc.posts.candidates.query(ids)).rejects.toMatchObject({
      message: 'Facebook is not answering right now.',
      data: { httpStatus: 502 },
    })
    await fault(fixture.app, 'facebook', 'status', '/published_posts', {
      status: 400,
      body: { error: { message: 'x', code: 10 } },
      times: 2,
    })
    await expect(poster.artist.trpc.posts.candidates.query(ids)).rejects.toMatchObject({ data: { httpStatus: 409 } })
    expect((await readPost(poster.artist, ids.postId)).variants[0]).toMatchObject({
      status: 'failed',
      mayBeThere: 'unclear',
    })
  })
})

describe('the posts on the page since the call', () => {
  test('are listed with text, time and address, oldest first, including posts made at the network', async () => {
    const poster = await createPoster()
    await postAtNetwork(poster)
    const message = uniqueMessage()
    const ids = await unclearPost(poster, message)
    const later = await postAtNetwork(poster)
    const { candidates, canList, hasMore } = await poster.artist.trpc.posts.candidates.query(ids)
    expect([canList, hasMore]).toEqual([true, false])
    expect(candidates.map((one) => one.words).slice(-2)).toEqual([message, later])
    const [post] = await shownAt(fixture.app, 'facebook', poster.pageId, message)
    expect(candidates.at(-2)).toEqual({
      _id: post?.id,
      words: message,
      permalink: post?.permalink,
      postedAt: expect.stringMatching(/^\d{4}-/),
    })
  })

  test('have a long text cut between words', async () => {
    const poster = await createPoster()
    const said = 'Peony '.repeat(40).trim()
    const ids = await unclearPost(poster, said)
    const shortened = (await candidatesOf(poster, ids)).map((one) => one.words).filter((one) => one.startsWith('Peony'))
    expect(shortened).toEqual([`${'Peony '.repeat(16).trim()}…`])
  })

  test('exclude posts made well before the call', async () => {
    const poster = await createPoster()
    const before = await postAtNetwork(poster)
    const ids = await unclearPost(poster)
    expect((await candidatesOf(poster, ids)).map((one) => one.words)).toContain(before)
    await fixture.app.client.db
      .update(postTargets)
      .set({ firstPublishAt: new Date(fixture.app.clock.now().getTime() + 120_000) })
      .where(eq(postTargets.id, ids.variantId))
    expect((await candidatesOf(poster, ids)).map((one) => one.words)).not.toContain(before)
  })

  test.each([
    ['facebook', 'video'],
    ['instagram', 'picture'],
    ['tiktok', 'video'],
    ['youtube', 'video'],
    ['linkedin', 'picture'],
  ] as const)('is had from %s', async (platform, kind) => {
    const poster = await createPoster(platform)
    const message = `${uniqueMessage()} [#flash]`
    const ids = await unclearPost(poster, message, kind)
    const candidate = await eventually('it to be listed', async () =>
      (await candidatesOf(poster, ids)).find((one) => one.words === message),
    )
    const post = await poster.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId: candidate._id })
    const [shown] = await shownAt(fixture.app, platform, poster.pageId, message)
    expect(post).toMatchObject({
      status: 'posted',
      variants: [{ status: 'posted', mayBeThere: null, permalink: expect.stringContaining('https://') }],
    })
    expect(new URL(post.variants[0]?.permalink ?? '').pathname.replace(/\/$/, '')).toBe(
      new URL(shown?.permalink ?? '').pathname.replace(/\/$/, ''),
    )
    expect((await rowOf(ids))?.remoteId).toBe(candidate._id)
  })

  test('cannot be listed for reels', async () => {
    const poster = await createPoster()
    const ids = await unclearPost(poster, uniqueMessage(), 'reel')
    expect(await poster.artist.trpc.posts.candidates.query(ids)).toEqual({
      candidates: [],
      canList: false,
      hasMore: false,
    })
  })

  test('are listed with a refreshed token when the old one has expired', async () => {
    const poster = await createPoster('youtube')
    const message = uniqueMessage()
    const ids = await unclearPost(poster, message, 'video')
    const expired = await fault(fixture.app, 'youtube', 'status', '/youtube/v3/channels', {
      method: 'GET',
      status: 401,
      body: { error: { errors: [{ reason: 'authError' }] } },
    })
    await eventually('it to be listed', async () =>
      (await candidatesOf(poster, ids)).some((one) => one.words === message),
    )
    expect(await timesHit(fixture.app, expired)).toBe(1)
  })
})

describe('picking', () => {
  test('one candidate for two targets: the first gets it, the second is refused', async () => {
    const poster = await createPoster()
    const message = uniqueMessage()
    const [one, other] = [await unclearPost(poster, message), await unclearPost(poster)]
    const candidateId = await candidateIdOf(poster, one, message)
    await fixture.app.client.db
      .update(postTargets)
      .set({ firstPublishAt: (await rowOf(one))?.firstPublishAt ?? null })
      .where(eq(postTargets.id, other.variantId))
    const answers = await Promise.allSettled(
      [one, other].map(async (ids) => await poster.artist.trpc.posts.pickCandidate.mutate({ ...ids, candidateId })),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const said = answers
      .map((answer) => (answer.status === 'rejected' ? (answer.reason as Error).message : ''))
      .join('')
    expect([postMessages.knownAsAnother, postMessages.candidateGone]).toContain(said)
  })
})
