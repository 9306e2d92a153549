import { leftBehind } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, PostResult } from '@flashsheet/contracts/posts/schema'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { postTargets, posts } from '@flashsheet/db/schema/posts'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import {
  fault,
  heldMs,
  postNow,
  readPost,
  untilSettled,
  shownAt,
  timesHit,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { control, eventually } from '../../testing/sandbox.ts'
import { publishingFixture } from '../../testing/publishing.ts'
import { sweepTargets } from './service/sweep.ts'

const fixture = publishingFixture()

type Poster = { artist: Artist; account: SocialAccount; mediaIds: string[]; message: string }
let count = 0

async function createPoster(): Promise<Poster> {
  const artist = await createArtist(fixture.app)
  return {
    artist,
    account: await connect(fixture.app, artist, 'facebook'),
    mediaIds: await uploadPictures(artist),
    message: `Once more ${++count}`,
  }
}

async function schedule(
  { artist, account, mediaIds, message }: Poster,
  pages = account.pages.slice(0, 1),
): Promise<string> {
  const scheduledAt = new Date(fixture.app.clock.now().getTime() + 7_200_000).toISOString()
  const answer = await artist.post<PostResult>('/api/posts/schedule', {
    mediaIds,
    variants: variantsOf(account, { message }, pages),
    scheduledAt,
  })
  expect(answer.status).toBe(201)
  return answer.body._id
}

/** An endpoint for the events of posts; returns a function that lists the types of the events so far, the oldest first. */
async function addEndpoint(artist: Artist): Promise<() => Promise<string[]>> {
  const events = ['post.scheduled', 'post.posted', 'post.failed']
  const url = `${fixture.app.sandboxUrl}/sink/resend`
  const { body } = await artist.post<{ _id: string }>('/api/webhook-endpoints', { url, events })
  return async () => {
    const sent = await artist.get<{ type: string }[]>(`/api/webhook-endpoints/${body._id}/deliveries`)
    return sent.body.map(({ type }) => type).toReversed()
  }
}

const refusal = { status: 400, body: { error: { message: 'x', code: 100, error_user_msg: 'Not this picture.' } } }

/** Posts to both pages, and is refused by those in `pages`. */
async function postRefusedBy(poster: Poster, pages: readonly number[]): Promise<Post> {
  for (const page of pages)
    await fault(fixture.app, 'facebook', 'status', `/${poster.account.pages[page]?.pageId}/photos`, refusal)
  const id = await postNow(poster.artist, {
    mediaIds: poster.mediaIds,
    variants: variantsOf(poster.account, { message: poster.message }, poster.account.pages),
  })
  const post = await untilSettled(poster.artist, id)
  expect(post.status).toBe('failed')
  return post
}

const countShown = async (poster: Poster, page = 0) =>
  (await shownAt(fixture.app, 'facebook', poster.account.pages[page]?.pageId ?? '', poster.message)).length
const variantAt = (poster: Poster, post: Post, page: number) =>
  post.variants.find((variant) => variant.pageId === poster.account.pages[page]?.pageId)?._id ?? ''
const actions = ['retry', 'publishNow', 'remove'] as const

describe('refused', () => {
  test.each(actions)("%s of another artist's post: not found", async (action) => {
    const poster = await createPoster()
    const id = await schedule(poster)
    const stranger = await createArtist(fixture.app)
    await expect(stranger.trpc.posts[action].mutate({ postId: id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    expect((await readPost(poster.artist, id)).status).toBe('scheduled')
  })

  test('retry of a page of another post: not found', async () => {
    const poster = await createPoster()
    const [id, another] = [await schedule(poster), await schedule(poster)]
    const variantId = (await readPost(poster.artist, another)).variants[0]?._id ?? ''
    await expect(poster.artist.trpc.posts.retry.mutate({ postId: id, variantId })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
  })

  test('for a posted one: nothing failed or waits', async () => {
    const poster = await createPoster()
    const id = await postNow(poster.artist, {
      mediaIds: poster.mediaIds,
      variants: variantsOf(poster.account, { message: poster.message }),
    })
    await untilSettled(poster.artist, id)
    await expect(poster.artist.trpc.posts.retry.mutate({ postId: id })).rejects.toThrow(postMessages.nothingFailed)
    await expect(poster.artist.trpc.posts.publishNow.mutate({ postId: id })).rejects.toThrow(postMessages.nothingWaits)
    expect(await countShown(poster)).toBe(1)
  })

  test('for one being published: neither publish now, nor delete, nor retry', async () => {
    const poster = await createPoster()
    const slow = await fault(fixture.app, 'facebook', 'slow', '/photos', { delayMs: heldMs })
    const id = await postNow(poster.artist, {
      mediaIds: poster.mediaIds,
      variants: variantsOf(poster.account, { message: poster.message }),
    })
    await eventually('the upload to be under way', async () => (await timesHit(fixture.app, slow)) === 1)
    await expect(poster.artist.trpc.posts.remove.mutate({ postId: id })).rejects.toThrow(postMessages.underWay)
    await expect(poster.artist.trpc.posts.publishNow.mutate({ postId: id })).rejects.toThrow(postMessages.nothingWaits)
    await expect(poster.artist.trpc.posts.retry.mutate({ postId: id })).rejects.toThrow(postMessages.nothingFailed)
    await control(fixture.app, 'DELETE', '/faults')
    expect((await untilSettled(poster.artist, id)).status).toBe('posted')
    expect(await countShown(poster)).toBe(1)
  })

  test('for one whose page or picture was deleted', async () => {
    const poster = await createPoster()
    const post = await postRefusedBy(poster, [0])
    await expect(
      poster.artist.trpc.posts.retry.mutate({ postId: post._id, variantId: variantAt(poster, post, 1) }),
    ).rejects.toThrow(postMessages.nothingFailed)
    expect((await poster.artist.delete('/api/media', { ids: poster.mediaIds })).status).toBe(200)
    await expect(poster.artist.trpc.posts.retry.mutate({ postId: post._id })).rejects.toThrow(postMessages.mediaGone)
    await poster.artist.delete(`/api/social-accounts/${poster.account._id}`)
    await expect(poster.artist.trpc.posts.retry.mutate({ postId: post._id })).rejects.toThrow(postMessages.accountGone)
  })
})

describe('retrying', () => {
  test('sends one failed page, and neither the posted nor the other failed one', async () => {
    const poster = await createPoster()
    const post = await postRefusedBy(poster, [0, 1])
    await control(fixture.app, 'DELETE', '/faults')
    const tried = await poster.artist.trpc.posts.retry.mutate({
      postId: post._id,
      variantId: variantAt(poster, post, 1),
    })
    expect(tried.status).toBe('scheduled')
    const done = await untilSettled(poster.artist, post._id)
    expect(Object.fromEntries(done.variants.map((variant) => [variant.pageId, variant.status]))).toEqual({
      [poster.account.pages[0]?.pageId ?? '']: 'failed',
      [poster.account.pages[1]?.pageId ?? '']: 'posted',
    })
    expect([await countShown(poster, 0), await countShown(poster, 1)]).toEqual([0, 1])
    await poster.artist.trpc.posts.retry.mutate({ postId: post._id })
    expect(await untilSettled(poster.artist, post._id)).toMatchObject({ status: 'posted', errorMessage: null })
    expect([await countShown(poster, 0), await countShown(poster, 1)]).toEqual([1, 1])
  })

  test('twice at once: sent once', async () => {
    const poster = await createPoster()
    const post = await postRefusedBy(poster, [0])
    const answers = await Promise.allSettled(
      [1, 2, 3].map(async () => await poster.artist.trpc.posts.retry.mutate({ postId: post._id })),
    )
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    expect((await untilSettled(poster.artist, post._id)).status).toBe('posted')
    expect([await countShown(poster, 0), await countShown(poster, 1)]).toEqual([1, 1])
  })

  test('confirms a post that may exist first, and does not send it twice', async () => {
    const poster = await createPoster()
    await fault(fixture.app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    await fault(fixture.app, 'facebook', 'revoke-token', '/published_posts', { times: 1000 })
    const id = await postNow(poster.artist, {
      mediaIds: poster.mediaIds,
      variants: variantsOf(poster.account, { message: poster.message }),
    })
    const post = await untilSettled(poster.artist, id)
    expect(post.variants[0]?.errorMessage).toContain(postMessages.unclear('Facebook'))
    expect(await countShown(poster)).toBe(1)
    await control(fixture.app, 'DELETE', '/faults')
    await connect(fixture.app, poster.artist, 'facebook')
    await poster.artist.trpc.posts.retry.mutate({ postId: id })
    expect((await untilSettled(poster.artist, id)).variants[0]).toMatchObject({
      status: 'posted',
      permalink: expect.stringContaining('http'),
    })
    expect(await countShown(poster)).toBe(1)
  })

  test('keeps the time of a post that still waits on another page, and gets a full day from now', async () => {
    const poster = await createPoster()
    const id = await schedule(poster, poster.account.pages)
    const variantId = variantAt(poster, await readPost(poster.artist, id), 0)
    const { db } = fixture.app.client
    await db
      .update(postTargets)
      .set({ phase: 'failed', errorMessage: 'Not this picture.' })
      .where(eq(postTargets.id, variantId))
    const scheduledAt = new Date(fixture.app.clock.now().getTime() - 3 * 24 * 3_600_000)
    await db.update(posts).set({ scheduledAt }).where(eq(posts.id, id))
    const retried = await poster.artist.trpc.posts.retry.mutate({ postId: id, variantId })
    expect(retried).toMatchObject({ status: 'scheduled', scheduledAt: scheduledAt.toISOString() })
    await eventually('the retried page', async () => (await countShown(poster, 0)) === 1)
    expect(await countShown(poster, 1)).toBe(0)
  })

  test('gets a full day, and a notice of its own when it fails', async () => {
    const poster = await createPoster()
    const post = await postRefusedBy(poster, [0])
    fixture.app.clock.advance(3 * 24 * 3_600_000)
    await fault(fixture.app, 'facebook', 'status', '/photos', { times: 1000, ...refusal })
    await poster.artist.trpc.posts.retry.mutate({ postId: post._id })
    expect(
      (await untilSettled(poster.artist, post._id)).variants.find((variant) => variant.status === 'failed')
        ?.errorMessage,
    ).toBe('Facebook: Not this picture.')
    expect(
      (await poster.artist.trpc.notices.list.query()).notices.filter((notice) => notice.kind === 'post_failed'),
    ).toHaveLength(2)
  })
})

describe('a post that may exist', () => {
  /** A post of unknown outcome; with `drop-after-commit` it exists. */
  async function unclearPost(
    poster: Poster,
    kind: 'drop' | 'drop-after-commit',
  ): Promise<{ postId: string; variantId: string }> {
    await fault(fixture.app, 'facebook', kind, '/feed', { method: 'POST' })
    await fault(fixture.app, 'facebook', 'revoke-token', '/published_posts', { times: 1000 })
    const postId = await postNow(poster.artist, {
      mediaIds: poster.mediaIds,
      variants: variantsOf(poster.account, { message: poster.message }),
    })
    const [variant] = (await untilSettled(poster.artist, postId)).variants
    expect(variant).toMatchObject({
      status: 'failed',
      mayBeThere: 'unclear',
      pageUrl: `https://www.facebook.com/${variant?.pageId}`,
    })
    await control(fixture.app, 'DELETE', '/faults')
    await connect(fixture.app, poster.artist, 'facebook')
    return { postId, variantId: variant?._id ?? '' }
  }

  test('is not marked as posted by an address of no post on its page', async () => {
    const poster = await createPoster()
    const ids = await unclearPost(poster, 'drop-after-commit')
    const others = [
      '',
      'not an address',
      'https://www.instagram.com/p/abc',
      'https://facebook.com.evil.example/1',
      'https://www.facebook.com/',
      // The page itself, which the app links to.
      `https://www.facebook.com/${poster.account.pages[0]?.pageId}`,
      'javascript:alert(1)//www.facebook.com/x',
      'https://me:you@facebook.com/1',
    ]
    for (const address of others)
      await expect(poster.artist.trpc.posts.markPosted.mutate({ ...ids, address })).rejects.toThrow(
        postMessages.notItsAddress('Facebook'),
      )
    expect((await readPost(poster.artist, ids.postId)).status).toBe('failed')
  })

  test('is resolved only by its artist, and only while it is unclear', async () => {
    const poster = await createPoster()
    const ids = await unclearPost(poster, 'drop-after-commit')
    const stranger = await createArtist(fixture.app)
    const address = 'https://www.facebook.com/1/posts/2'
    await expect(stranger.trpc.posts.markPosted.mutate({ ...ids, address })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    await expect(stranger.trpc.posts.postAgain.mutate(ids)).rejects.toMatchObject({ data: { httpStatus: 404 } })
    const refused = await postRefusedBy(await createPoster(), [0])
    expect(refused.variants.find((variant) => variant.status === 'failed')).toMatchObject({
      mayBeThere: null,
      pageUrl: null,
    })
    const own = await createPoster()
    const post = await postRefusedBy(own, [0])
    await expect(
      own.artist.trpc.posts.markPosted.mutate({ postId: post._id, variantId: variantAt(own, post, 0), address }),
    ).rejects.toThrow(postMessages.nothingFailed)
  })

  test('"It is there": posted, with the address that the artist gives', async () => {
    const poster = await createPoster()
    const ids = await unclearPost(poster, 'drop-after-commit')
    const post = await poster.artist.trpc.posts.markPosted.mutate({
      ...ids,
      address: ' facebook.com/1/posts/2?ref=share ',
    })
    expect(post).toMatchObject({
      status: 'posted',
      errorMessage: null,
      variants: [
        { status: 'posted', mayBeThere: null, pageUrl: null, permalink: 'https://facebook.com/1/posts/2?ref=share' },
      ],
    })
    await expect(poster.artist.trpc.posts.postAgain.mutate(ids)).rejects.toThrow(postMessages.nothingFailed)
    expect(await countShown(poster)).toBe(1)
  })

  test('"It is not there, post again": sent again from the beginning', async () => {
    const poster = await createPoster()
    const ids = await unclearPost(poster, 'drop')
    expect(await countShown(poster)).toBe(0)
    await poster.artist.trpc.posts.postAgain.mutate(ids)
    expect((await untilSettled(poster.artist, ids.postId)).variants[0]).toMatchObject({
      status: 'posted',
      mayBeThere: null,
    })
    expect(await countShown(poster)).toBe(1)
    const [target] = await fixture.app.client.db.select().from(postTargets).where(eq(postTargets.postId, ids.postId))
    expect(target).toMatchObject({ unclear: false, checkpoint: { photos: [expect.any(String)] } })
  })

  test('a retry only confirms it, and sends nothing', async () => {
    const poster = await createPoster()
    const ids = await unclearPost(poster, 'drop')
    await poster.artist.trpc.posts.retry.mutate({ postId: ids.postId })
    // After the last check the outcome is still unclear.
    await eventually('the last check to be due', async () => {
      const changed = await fixture.app.client.db
        .update(postTargets)
        .set({
          lastPublishEndedAt: new Date(fixture.app.clock.now().getTime() - 3_600_000),
          inconclusiveSince: new Date(fixture.app.clock.now().getTime() - 120_000),
          dueAt: fixture.app.clock.now(),
        })
        .where(
          and(
            eq(postTargets.postId, ids.postId),
            isNotNull(postTargets.inconclusiveSince),
            isNull(postTargets.leaseToken),
          ),
        )
        .returning({ id: postTargets.id })
      return changed.length === 1
    })
    fixture.app.clock.advance(15_000)
    await sweepTargets(fixture.system)
    expect((await untilSettled(poster.artist, ids.postId)).variants[0]).toMatchObject({
      status: 'failed',
      mayBeThere: 'unclear',
    })
    expect(await countShown(poster)).toBe(0)
  })

  test.each(leftBehind)('left at the network as %s: not sent again by a retry, only by "post again"', async (left) => {
    const poster = await createPoster()
    const post = await postRefusedBy(poster, [0])
    await fixture.app.client.db
      .update(postTargets)
      .set({ leftBehind: left })
      .where(eq(postTargets.id, variantAt(poster, post, 0)))
    expect(
      (await readPost(poster.artist, post._id)).variants.find((variant) => variant.status === 'failed')?.mayBeThere,
    ).toBe(left)
    await expect(poster.artist.trpc.posts.retry.mutate({ postId: post._id })).rejects.toThrow(postMessages.mayBeThere)
    await poster.artist.trpc.posts.postAgain.mutate({ postId: post._id, variantId: variantAt(poster, post, 0) })
    expect((await untilSettled(poster.artist, post._id)).status).toBe('posted')
  })
})

test.each<[string, (poster: Poster) => Promise<string>, (poster: Poster, postId: string) => Promise<unknown>]>([
  ['published now', schedule, async ({ artist }, postId) => await artist.trpc.posts.publishNow.mutate({ postId })],
  [
    'retried',
    async (poster) => (await postRefusedBy(poster, [0, 1]))._id,
    async ({ artist }, postId) => await artist.trpc.posts.retry.mutate({ postId }),
  ],
])('a post that is %s is sent to webhooks as scheduled, and then its outcome', async (_how, plan, send) => {
  const poster = await createPoster()
  const id = await plan(poster)
  await control(fixture.app, 'DELETE', '/faults')
  const eventsSoFar = await addEndpoint(poster.artist)
  await send(poster, id)
  expect((await untilSettled(poster.artist, id)).status).toBe('posted')
  expect(await eventsSoFar()).toEqual(['post.scheduled', 'post.posted'])
})

describe('publishing now', () => {
  test('publishes a planned post at once; its old alarm publishes nothing', async () => {
    const poster = await createPoster()
    const id = await schedule(poster)
    const answers = await Promise.allSettled(
      [1, 2].map(async () => await poster.artist.trpc.posts.publishNow.mutate({ postId: id })),
    )
    expect(answers.some((answer) => answer.status === 'fulfilled')).toBe(true)
    expect((await untilSettled(poster.artist, id)).status).toBe('posted')
    fixture.app.clock.advance(7_211_000)
    await sweepTargets(fixture.system)
    expect(await countShown(poster)).toBe(1)
  })
})

describe('deleting', () => {
  test('a planned post is never published', async () => {
    const poster = await createPoster()
    const id = await schedule(poster, poster.account.pages)
    expect(await poster.artist.trpc.posts.remove.mutate({ postId: id })).toEqual({ _id: id })
    await expect(readPost(poster.artist, id)).rejects.toMatchObject({ data: { httpStatus: 404 } })
    await expect(poster.artist.trpc.posts.remove.mutate({ postId: id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    fixture.app.clock.advance(7_211_000)
    await sweepTargets(fixture.system)
    expect(await fixture.app.client.db.select().from(postTargets).where(eq(postTargets.postId, id))).toEqual([])
    expect([await countShown(poster, 0), await countShown(poster, 1)]).toEqual([0, 0])
  })

  test('a posted one stays at its network', async () => {
    const poster = await createPoster()
    const post = await postRefusedBy(poster, [0])
    await poster.artist.trpc.posts.remove.mutate({ postId: post._id })
    expect((await poster.artist.get<Post[]>('/api/posts')).body).toEqual([])
    expect(await countShown(poster, 1)).toBe(1)
  })
})
