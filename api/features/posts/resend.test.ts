import { leftBehind } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, PostResult } from '@flashsheet/contracts/posts/schema'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { postTargets } from '@flashsheet/db/schema/posts'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import {
  fault,
  heldMs,
  postNow,
  readPost,
  settled,
  shownAt,
  timesHit,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { control, eventually } from '../../testing/sandbox.ts'
import { publishingFixture } from '../../testing/publishing.ts'
import { sweepTargets } from './service/sweep.ts'

const fixture = publishingFixture()

type Scene = { artist: Artist; account: SocialAccount; mediaIds: string[]; say: string }
let count = 0

async function ready(): Promise<Scene> {
  const artist = await createArtist(fixture.app)
  return {
    artist,
    account: await connect(fixture.app, artist, 'facebook'),
    mediaIds: await uploadPictures(artist),
    say: `Once more ${++count}`,
  }
}

async function schedule({ artist, account, mediaIds, say }: Scene, pages = account.pages.slice(0, 1)): Promise<string> {
  const scheduledAt = new Date(fixture.app.clock.now().getTime() + 7_200_000).toISOString()
  const answer = await artist.post<PostResult>('/api/posts/schedule', {
    mediaIds,
    variants: variantsOf(account, { message: say }, pages),
    scheduledAt,
  })
  expect(answer.status).toBe(201)
  return answer.body._id
}

const no = { status: 400, body: { error: { message: 'x', code: 100, error_user_msg: 'Not this picture.' } } }

/** Posts to both pages, and is refused by those in `pages`. */
async function refusedBy(scene: Scene, pages: readonly number[]): Promise<Post> {
  for (const page of pages)
    await fault(fixture.app, 'facebook', 'status', `/${scene.account.pages[page]?.pageId}/photos`, no)
  const id = await postNow(scene.artist, {
    mediaIds: scene.mediaIds,
    variants: variantsOf(scene.account, { message: scene.say }, scene.account.pages),
  })
  const post = await settled(scene.artist, id)
  expect(post.status).toBe('failed')
  return post
}

const shown = async (scene: Scene, page = 0) =>
  (await shownAt(fixture.app, 'facebook', scene.account.pages[page]?.pageId ?? '', scene.say)).length
const variantAt = (scene: Scene, post: Post, page: number) =>
  post.variants.find((variant) => variant.pageId === scene.account.pages[page]?.pageId)?._id ?? ''
const all = ['retry', 'publishNow', 'remove'] as const

describe('refused', () => {
  test.each(all)("%s of another artist's post: not found", async (action) => {
    const scene = await ready()
    const id = await schedule(scene)
    const stranger = await createArtist(fixture.app)
    await expect(stranger.trpc.posts[action].mutate({ postId: id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    expect((await readPost(scene.artist, id)).status).toBe('scheduled')
  })

  test('for a posted one: nothing failed or waits', async () => {
    const scene = await ready()
    const id = await postNow(scene.artist, {
      mediaIds: scene.mediaIds,
      variants: variantsOf(scene.account, { message: scene.say }),
    })
    await settled(scene.artist, id)
    await expect(scene.artist.trpc.posts.retry.mutate({ postId: id })).rejects.toThrow(postMessages.nothingFailed)
    await expect(scene.artist.trpc.posts.publishNow.mutate({ postId: id })).rejects.toThrow(postMessages.nothingWaits)
    expect(await shown(scene)).toBe(1)
  })

  test('for one being published: neither publish now, nor delete, nor retry', async () => {
    const scene = await ready()
    const slow = await fault(fixture.app, 'facebook', 'slow', '/photos', { delayMs: heldMs })
    const id = await postNow(scene.artist, {
      mediaIds: scene.mediaIds,
      variants: variantsOf(scene.account, { message: scene.say }),
    })
    await eventually('the upload to be under way', async () => (await timesHit(fixture.app, slow)) === 1)
    await expect(scene.artist.trpc.posts.remove.mutate({ postId: id })).rejects.toThrow(postMessages.underWay)
    await expect(scene.artist.trpc.posts.publishNow.mutate({ postId: id })).rejects.toThrow(postMessages.nothingWaits)
    await expect(scene.artist.trpc.posts.retry.mutate({ postId: id })).rejects.toThrow(postMessages.nothingFailed)
    await control(fixture.app, 'DELETE', '/faults')
    expect((await settled(scene.artist, id)).status).toBe('posted')
    expect(await shown(scene)).toBe(1)
  })

  test('for one whose page or picture was deleted', async () => {
    const scene = await ready()
    const post = await refusedBy(scene, [0])
    await expect(
      scene.artist.trpc.posts.retry.mutate({ postId: post._id, variantId: variantAt(scene, post, 1) }),
    ).rejects.toThrow(postMessages.nothingFailed)
    expect((await scene.artist.delete('/api/media', { ids: scene.mediaIds })).status).toBe(200)
    await expect(scene.artist.trpc.posts.retry.mutate({ postId: post._id })).rejects.toThrow(postMessages.mediaGone)
    await scene.artist.delete(`/api/social-accounts/${scene.account._id}`)
    await expect(scene.artist.trpc.posts.retry.mutate({ postId: post._id })).rejects.toThrow(postMessages.accountGone)
  })
})

describe('retrying', () => {
  test('sends one failed page, and neither the posted nor the other failed one', async () => {
    const scene = await ready()
    const post = await refusedBy(scene, [0, 1])
    await control(fixture.app, 'DELETE', '/faults')
    const tried = await scene.artist.trpc.posts.retry.mutate({ postId: post._id, variantId: variantAt(scene, post, 1) })
    expect(tried.status).toBe('scheduled')
    const done = await settled(scene.artist, post._id)
    expect(Object.fromEntries(done.variants.map((variant) => [variant.pageId, variant.status]))).toEqual({
      [scene.account.pages[0]?.pageId ?? '']: 'failed',
      [scene.account.pages[1]?.pageId ?? '']: 'posted',
    })
    expect([await shown(scene, 0), await shown(scene, 1)]).toEqual([0, 1])
    await scene.artist.trpc.posts.retry.mutate({ postId: post._id })
    expect(await settled(scene.artist, post._id)).toMatchObject({ status: 'posted', errorMessage: null })
    expect([await shown(scene, 0), await shown(scene, 1)]).toEqual([1, 1])
  })

  test('twice at once: sent once', async () => {
    const scene = await ready()
    const post = await refusedBy(scene, [0])
    const answers = await Promise.allSettled(
      [1, 2, 3].map(async () => await scene.artist.trpc.posts.retry.mutate({ postId: post._id })),
    )
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    expect((await settled(scene.artist, post._id)).status).toBe('posted')
    expect([await shown(scene, 0), await shown(scene, 1)]).toEqual([1, 1])
  })

  test('confirms a post that may exist first, and does not send it twice', async () => {
    const scene = await ready()
    await fault(fixture.app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    await fault(fixture.app, 'facebook', 'revoke-token', '/published_posts', { times: 1000 })
    const id = await postNow(scene.artist, {
      mediaIds: scene.mediaIds,
      variants: variantsOf(scene.account, { message: scene.say }),
    })
    const post = await settled(scene.artist, id)
    expect(post.variants[0]?.errorMessage).toContain(postMessages.unclear('Facebook'))
    expect(await shown(scene)).toBe(1)
    await control(fixture.app, 'DELETE', '/faults')
    await connect(fixture.app, scene.artist, 'facebook')
    await scene.artist.trpc.posts.retry.mutate({ postId: id })
    expect((await settled(scene.artist, id)).variants[0]).toMatchObject({
      status: 'posted',
      permalink: expect.stringContaining('http'),
    })
    expect(await shown(scene)).toBe(1)
  })

  test('gets a full day, and a notice of its own when it fails', async () => {
    const scene = await ready()
    const post = await refusedBy(scene, [0])
    fixture.app.clock.advance(3 * 24 * 3_600_000)
    await fault(fixture.app, 'facebook', 'status', '/photos', { times: 1000, ...no })
    await scene.artist.trpc.posts.retry.mutate({ postId: post._id })
    expect(
      (await settled(scene.artist, post._id)).variants.find((variant) => variant.status === 'failed')?.errorMessage,
    ).toBe('Facebook: Not this picture.')
    expect(
      (await scene.artist.trpc.notices.list.query()).notices.filter((notice) => notice.kind === 'post_failed'),
    ).toHaveLength(2)
  })
})

describe('a post that may exist', () => {
  /** A post whose outcome nobody knows; `kind` says whether it is there. */
  async function unclear(
    scene: Scene,
    kind: 'drop' | 'drop-after-commit',
  ): Promise<{ postId: string; variantId: string }> {
    await fault(fixture.app, 'facebook', kind, '/feed', { method: 'POST' })
    await fault(fixture.app, 'facebook', 'revoke-token', '/published_posts', { times: 1000 })
    const postId = await postNow(scene.artist, {
      mediaIds: scene.mediaIds,
      variants: variantsOf(scene.account, { message: scene.say }),
    })
    const [variant] = (await settled(scene.artist, postId)).variants
    expect(variant).toMatchObject({
      status: 'failed',
      mayBeThere: 'unclear',
      pageUrl: `https://www.facebook.com/${variant?.pageId}`,
    })
    await control(fixture.app, 'DELETE', '/faults')
    await connect(fixture.app, scene.artist, 'facebook')
    return { postId, variantId: variant?._id ?? '' }
  }

  test('is not marked as posted by an address of no post on its page', async () => {
    const scene = await ready()
    const ids = await unclear(scene, 'drop-after-commit')
    const others = [
      '',
      'not an address',
      'https://www.instagram.com/p/abc',
      'https://facebook.com.evil.example/1',
      'https://www.facebook.com/',
      'javascript:alert(1)//www.facebook.com/x',
      'https://me:you@facebook.com/1',
    ]
    for (const address of others)
      await expect(scene.artist.trpc.posts.markPosted.mutate({ ...ids, address })).rejects.toThrow(
        postMessages.notItsAddress('Facebook'),
      )
    expect((await readPost(scene.artist, ids.postId)).status).toBe('failed')
  })

  test('is resolved only by its artist, and only while it is unclear', async () => {
    const scene = await ready()
    const ids = await unclear(scene, 'drop-after-commit')
    const stranger = await createArtist(fixture.app)
    const address = 'https://www.facebook.com/1/posts/2'
    await expect(stranger.trpc.posts.markPosted.mutate({ ...ids, address })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    await expect(stranger.trpc.posts.postAgain.mutate(ids)).rejects.toMatchObject({ data: { httpStatus: 404 } })
    const refused = await refusedBy(await ready(), [0])
    expect(refused.variants.find((variant) => variant.status === 'failed')).toMatchObject({
      mayBeThere: null,
      pageUrl: null,
    })
    const own = await ready()
    const post = await refusedBy(own, [0])
    await expect(
      own.artist.trpc.posts.markPosted.mutate({ postId: post._id, variantId: variantAt(own, post, 0), address }),
    ).rejects.toThrow(postMessages.nothingFailed)
  })

  test('"It is there": posted, with the address that the artist gives', async () => {
    const scene = await ready()
    const ids = await unclear(scene, 'drop-after-commit')
    const post = await scene.artist.trpc.posts.markPosted.mutate({
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
    await expect(scene.artist.trpc.posts.postAgain.mutate(ids)).rejects.toThrow(postMessages.nothingFailed)
    expect(await shown(scene)).toBe(1)
  })

  test('"It is not there, post again": sent again from the beginning', async () => {
    const scene = await ready()
    const ids = await unclear(scene, 'drop')
    expect(await shown(scene)).toBe(0)
    await scene.artist.trpc.posts.postAgain.mutate(ids)
    expect((await settled(scene.artist, ids.postId)).variants[0]).toMatchObject({ status: 'posted', mayBeThere: null })
    expect(await shown(scene)).toBe(1)
    const [target] = await fixture.app.client.db.select().from(postTargets).where(eq(postTargets.postId, ids.postId))
    expect(target).toMatchObject({ unclear: false, checkpoint: { photos: [expect.any(String)] } })
  })

  test('a retry only confirms it, and sends nothing', async () => {
    const scene = await ready()
    const ids = await unclear(scene, 'drop')
    await scene.artist.trpc.posts.retry.mutate({ postId: ids.postId })
    // After the last check the outcome is still unclear.
    await eventually('a look that is over', async () => {
      const looked = await fixture.app.client.db
        .update(postTargets)
        .set({
          lastPublishEndedAt: new Date(fixture.app.clock.now().getTime() - 3_600_000),
          silentSince: new Date(fixture.app.clock.now().getTime() - 120_000),
          dueAt: fixture.app.clock.now(),
        })
        .where(
          and(eq(postTargets.postId, ids.postId), isNotNull(postTargets.silentSince), isNull(postTargets.leaseToken)),
        )
        .returning({ id: postTargets.id })
      return looked.length === 1
    })
    fixture.app.clock.advance(15_000)
    await sweepTargets(fixture.system)
    expect((await settled(scene.artist, ids.postId)).variants[0]).toMatchObject({
      status: 'failed',
      mayBeThere: 'unclear',
    })
    expect(await shown(scene)).toBe(0)
  })

  test.each(leftBehind)('left at the network as %s: not sent again by a retry, only by "post again"', async (left) => {
    const scene = await ready()
    const post = await refusedBy(scene, [0])
    await fixture.app.client.db
      .update(postTargets)
      .set({ leftBehind: left })
      .where(eq(postTargets.id, variantAt(scene, post, 0)))
    expect(
      (await readPost(scene.artist, post._id)).variants.find((variant) => variant.status === 'failed')?.mayBeThere,
    ).toBe(left)
    await expect(scene.artist.trpc.posts.retry.mutate({ postId: post._id })).rejects.toThrow(postMessages.mayBeThere)
    await scene.artist.trpc.posts.postAgain.mutate({ postId: post._id, variantId: variantAt(scene, post, 0) })
    expect((await settled(scene.artist, post._id)).status).toBe('posted')
  })
})

describe('publishing now', () => {
  test('publishes a planned post at once; its old alarm publishes nothing', async () => {
    const scene = await ready()
    const id = await schedule(scene)
    const answers = await Promise.allSettled(
      [1, 2].map(async () => await scene.artist.trpc.posts.publishNow.mutate({ postId: id })),
    )
    expect(answers.some((answer) => answer.status === 'fulfilled')).toBe(true)
    expect((await settled(scene.artist, id)).status).toBe('posted')
    fixture.app.clock.advance(7_211_000)
    await sweepTargets(fixture.system)
    expect(await shown(scene)).toBe(1)
  })
})

describe('deleting', () => {
  test('a planned post is never published', async () => {
    const scene = await ready()
    const id = await schedule(scene, scene.account.pages)
    expect(await scene.artist.trpc.posts.remove.mutate({ postId: id })).toEqual({ _id: id })
    await expect(readPost(scene.artist, id)).rejects.toMatchObject({ data: { httpStatus: 404 } })
    await expect(scene.artist.trpc.posts.remove.mutate({ postId: id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    fixture.app.clock.advance(7_211_000)
    await sweepTargets(fixture.system)
    expect(await fixture.app.client.db.select().from(postTargets).where(eq(postTargets.postId, id))).toEqual([])
    expect([await shown(scene, 0), await shown(scene, 1)]).toEqual([0, 0])
  })

  test('a posted one stays at its network', async () => {
    const scene = await ready()
    const post = await refusedBy(scene, [0])
    await scene.artist.trpc.posts.remove.mutate({ postId: post._id })
    expect((await scene.artist.get<Post[]>('/api/posts')).body).toEqual([])
    expect(await shown(scene, 1)).toBe(1)
  })
})
