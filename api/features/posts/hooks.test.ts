import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, PostResult } from '@flashsheet/contracts/posts/schema'
import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { ownerScope } from '../../core/scope.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { accountsOf, connect } from '../../testing/connect.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
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
import { subscriberCtx } from '../../testing/system.ts'
import { removeMedia } from '../media/service/remove.ts'
import { sweepTargets } from './service/sweep.ts'

const fixture = publishingFixture()

async function schedule(artist: Artist, body: { mediaIds: string[]; variants: unknown[] }, hours = 2): Promise<string> {
  const scheduledAt = new Date(fixture.app.clock.now().getTime() + hours * 3_600_000).toISOString()
  const answer = await artist.post<PostResult>('/api/posts/schedule', { ...body, scheduledAt })
  expect(answer.status).toBe(201)
  return answer.body._id
}

const isSomethingWaiting = async () => (await lockWaits(fixture.app.client)) > 0

async function runHook(artist: Artist, fact: 'subscriptionStopped' | 'subscriptionResumed'): Promise<void> {
  await retryOnDeadlock(
    fixture.system.db,
    async (tx) => await fixture.system.hooks.run(fact, fixture.system, tx, { owner: ownerScope(artist.id) }),
  )
}

/** Ends the subscription, as Stripe's event would. */
async function end(artist: Artist): Promise<void> {
  await fixture.app.client.db
    .update(subscriptions)
    .set({ status: 'canceled' })
    .where(eq(subscriptions.userId, artist.id))
}

async function passTime(hours: number): Promise<void> {
  fixture.app.clock.advance(hours * 3_600_000 + 11_000)
  await sweepTargets(fixture.system)
}

describe('a subscription that ended', () => {
  test('fails targets that come due, with the reason, and publishes nothing', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const id = await schedule(artist, {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account, { message: 'Held in vain' }),
    })
    await end(artist)
    await runHook(artist, 'subscriptionStopped')
    // The artist sees no error until then.
    const rowOf = async () => (await fixture.app.client.db.select().from(posts).where(eq(posts.id, id)))[0]
    expect((await rowOf())?.status).toBe('scheduled')
    await passTime(2)
    const post = await eventually('the post to fail', async () => {
      const row = await rowOf()
      return row?.status === 'failed' && row
    })
    expect(post.errorMessage).toContain(postMessages.subscriptionEnded)
    expect(await shownAt(fixture.app, 'facebook', account.pages[0]?.pageId ?? '', 'Held in vain')).toEqual([])
  })

  test('and resumed in time: targets are published', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const id = await schedule(artist, {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account, { message: 'Held and released' }),
    })
    await runHook(artist, 'subscriptionStopped')
    await runHook(artist, 'subscriptionResumed')
    await passTime(2)
    expect((await untilSettled(artist, id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', account.pages[0]?.pageId ?? '', 'Held and released')).toHaveLength(1)
  })
})

describe('a subscription that changes concurrently', () => {
  test('resumed while a target is being held: the target is published at its time', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const id = await schedule(artist, {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account, { message: 'Held too late' }),
    })
    await fixture.app.client.db.update(postTargets).set({ held: true }).where(eq(postTargets.postId, id))
    await passTime(2)
    expect((await untilSettled(artist, id)).status).toBe('posted')
  })

  test('ended after the guard of a create call: the new post is held', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const mediaIds = await uploadPictures(artist)
    let scheduling: Promise<string> | undefined
    await retryOnDeadlock(fixture.app.client.db, async (tx) => {
      await tx.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.userId, artist.id))
      scheduling = schedule(artist, { mediaIds, variants: variantsOf(account, { message: 'Slipped through' }) })
      // Its guard still sees the subscription; then it waits for the transaction that ends it.
      await eventually(
        'the post to wait for the subscription',
        async () => (await lockWaits(fixture.app.client, 'for share')) > 0,
      )
      await fixture.system.hooks.run('subscriptionStopped', fixture.system, tx, { owner: ownerScope(artist.id) })
    })
    const id = await scheduling
    const [row] = await fixture.app.client.db
      .select()
      .from(postTargets)
      .where(eq(postTargets.postId, id ?? ''))
    expect(row?.held).toBe(true)
  })

  test('ended after the guard of a retry: nothing is published', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const [{ pageId } = expect.fail('no page')] = account.pages
    const refusal = { status: 400, body: { error: { message: 'x', code: 100, error_user_msg: 'Not this picture.' } } }
    await fault(fixture.app, 'facebook', 'status', `/${pageId}/photos`, refusal)
    const message = 'Retried too late'
    const postId = await postNow(artist, {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account, { message }),
    })
    expect((await untilSettled(artist, postId)).status).toBe('failed')
    let retrying: Promise<unknown> | undefined
    await retryOnDeadlock(fixture.app.client.db, async (tx) => {
      await tx.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.userId, artist.id))
      await fixture.system.hooks.run('subscriptionStopped', fixture.system, tx, { owner: ownerScope(artist.id) })
      // Its guard still sees the subscription, and the hook did not see the reopened target.
      retrying = artist.trpc.posts.retry.mutate({ postId })
      await Promise.race([retrying, eventually('the retry to wait for the subscription', isSomethingWaiting)])
    })
    await retrying
    await eventually('the target to be final', async () => {
      const [row] = await fixture.app.client.db.select().from(postTargets).where(eq(postTargets.postId, postId))
      return row?.phase === 'posted' || row?.errorMessage === postMessages.subscriptionEnded
    })
    expect(await shownAt(fixture.app, 'facebook', pageId, message)).toEqual([])
  })
})

describe('an account that is disconnected while a post begins', () => {
  test('a target that would wait again fails with the reason, and the account is deleted', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'instagram')
    const id = await schedule(artist, {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account, { message: 'Caught leaving' }),
    })
    const exhaustedQuota = { data: [{ quota_usage: 50, config: { quota_total: 50, quota_duration: 86_400 } }] }
    const quotaFault = await fault(fixture.app, 'instagram', 'status', 'content_publishing_limit', {
      status: 200,
      body: exhaustedQuota,
      delayMs: heldMs,
    })
    await passTime(2)
    await eventually('the allowance to be asked for', async () => (await timesHit(fixture.app, quotaFault)) === 1)
    expect((await artist.delete(`/api/social-accounts/${account._id}`)).status).toBe(200)
    await control(fixture.app, 'DELETE', '/faults')
    expect((await untilSettled(artist, id)).variants[0]).toMatchObject({
      status: 'failed',
      errorMessage: postMessages.accountGone,
    })
  })
})

describe('a subscription that ends while a post begins', () => {
  test('a target that has to wait for its allowance is held', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'instagram')
    const id = await schedule(artist, {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account, { message: 'Caught in between' }),
    })
    const exhaustedQuota = { data: [{ quota_usage: 50, config: { quota_total: 50, quota_duration: 86_400 } }] }
    const quotaFault = await fault(fixture.app, 'instagram', 'status', 'content_publishing_limit', {
      status: 200,
      body: exhaustedQuota,
      delayMs: heldMs,
    })
    await passTime(2)
    await eventually('the allowance to be asked for', async () => (await timesHit(fixture.app, quotaFault)) === 1)
    await end(artist)
    await runHook(artist, 'subscriptionStopped')
    await control(fixture.app, 'DELETE', '/faults')
    const resting = async (phase: string) =>
      await eventually(`its target to rest in ${phase}`, async () => {
        const [row] = await fixture.app.client.db.select().from(postTargets).where(eq(postTargets.postId, id))
        return row?.phase === phase && row.leaseToken === null && row
      })
    expect((await resting('scheduled')).held).toBe(true)
    await passTime(25)
    expect((await resting('failed')).errorMessage).toBe(postMessages.subscriptionEnded)
    expect(await shownAt(fixture.app, 'instagram', account.pages[0]?.pageId ?? '')).toEqual([])
  })
})

describe('an account that refuses our tokens', () => {
  const revokeTokens = async () => await fault(fixture.app, 'facebook', 'revoke-token', '/photos', { times: 1000 })
  const reconnectMessage = 'Facebook no longer lets us in. Please connect the account again.'

  test('makes a planned post wait with a notice; reconnecting publishes it once', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const id = await schedule(artist, {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account, { message: 'Waits for its artist' }),
    })
    const later = await schedule(
      artist,
      { mediaIds: await uploadPictures(artist), variants: variantsOf(account, { title: 'Later on' }) },
      40,
    )
    expect(await artist.trpc.posts.endangered.query()).toEqual([])
    await revokeTokens()
    await passTime(2)
    const waiting = await eventually('the post to wait', async () => {
      const [variant] = (await readPost(artist, id)).variants
      return variant !== undefined && variant.errorMessage !== null && variant
    })
    expect(waiting).toMatchObject({
      status: 'scheduled',
      phase: 'scheduled',
      nextTryAt: null,
      errorMessage: `${reconnectMessage} ${postMessages.awaitsAccount}`,
    })
    expect(await artist.trpc.posts.endangered.query()).toMatchObject([
      {
        socialAccountId: account._id,
        endsAt: null,
        count: 2,
        posts: [{ title: 'Waits for its artist' }, { _id: later, title: 'Later on' }],
        ids: [expect.any(String), later],
      },
    ])
    const received = (await artist.trpc.notices.list.query()).notices
    expect(received.map((notice) => [notice.kind, notice.link])).toEqual([
      ['account_reconnect', '/social-accounts'],
      ['account_reconnect', '/social-accounts'],
    ])
    // The sweep does not enqueue it.
    await passTime(1)
    expect((await readPost(artist, id)).variants[0]?.phase).toBe('scheduled')
    await control(fixture.app, 'DELETE', '/faults')
    await connect(fixture.app, artist, 'facebook')
    expect((await untilSettled(artist, id)).variants[0]).toMatchObject({ status: 'posted', errorMessage: null })
    expect(await shownAt(fixture.app, 'facebook', account.pages[0]?.pageId ?? '', 'Waits for its artist')).toHaveLength(
      1,
    )
    expect(await artist.trpc.posts.endangered.query()).toEqual([])
  })

  test('while a planned post is being confirmed: after reconnecting it is found, and nothing is sent again', async () => {
    // The sandbox dates its posts by the real clock.
    fixture.app.clock.set(new Date().toISOString())
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const id = await schedule(artist, {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account, { message: 'Looked for' }),
    })
    // Planned an hour ago, and due now by both clocks.
    await fixture.app.client.db
      .update(posts)
      .set({ createdAt: new Date(fixture.app.clock.now().getTime() - 3_600_000) })
      .where(eq(posts.id, id))
    await fixture.app.client.db
      .update(postTargets)
      .set({ createdAt: new Date(fixture.app.clock.now().getTime() - 3_600_000) })
      .where(eq(postTargets.postId, id))
    await fault(fixture.app, 'facebook', 'drop-after-commit', '/feed', { method: 'POST' })
    await fault(fixture.app, 'facebook', 'revoke-token', '/published_posts', { times: 1000 })
    await artist.trpc.posts.publishNow.mutate({ postId: id })
    await eventually('the artist to be notified', async () =>
      (await artist.trpc.notices.list.query()).notices.find((notice) =>
        notice.text.includes('we check whether it was posted'),
      ),
    )
    expect(await readPost(artist, id)).toMatchObject({
      status: 'scheduled',
      variants: [{ errorMessage: `${reconnectMessage} ${postMessages.awaitsLookup}` }],
    })
    await control(fixture.app, 'DELETE', '/faults')
    await connect(fixture.app, artist, 'facebook')
    expect((await untilSettled(artist, id)).variants[0]).toMatchObject({ status: 'posted', errorMessage: null })
    expect(await shownAt(fixture.app, 'facebook', account.pages[0]?.pageId ?? '', 'Looked for')).toHaveLength(1)
  })

  test('for a whole day: the post fails with the reason', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const id = await schedule(artist, { mediaIds: await uploadPictures(artist), variants: variantsOf(account) })
    await revokeTokens()
    await passTime(2)
    await eventually('the post to wait', async () => (await readPost(artist, id)).variants[0]?.errorMessage)
    await passTime(24)
    expect((await untilSettled(artist, id)).variants[0]?.errorMessage).toBe(
      `${postMessages.missed} ${reconnectMessage}`,
    )
  })

  test('a waiting post can be moved, which resets the wait', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const id = await schedule(artist, { mediaIds: await uploadPictures(artist), variants: variantsOf(account) })
    await revokeTokens()
    await passTime(2)
    await eventually('the post to wait', async () => (await readPost(artist, id)).variants[0]?.errorMessage)
    const scheduledAt = new Date(fixture.app.clock.now().getTime() + 9 * 3_600_000).toISOString()
    expect((await artist.trpc.posts.update.mutate({ postId: id, scheduledAt })).variants[0]).toMatchObject({
      errorMessage: null,
    })
    await control(fixture.app, 'DELETE', '/faults')
    await connect(fixture.app, artist, 'facebook')
    expect((await readPost(artist, id)).scheduledAt).toBe(scheduledAt)
    expect((await readPost(artist, id)).status).toBe('scheduled')
  })

  test("posts planned after the account's expiry are listed as endangered, for their artist only", async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' })
    const end = new Date(fixture.app.clock.now().getTime() + 30 * 24 * 3_600_000)
    await fixture.app.client.db
      .update(socialAccounts)
      .set({ accessExpiresAt: end })
      .where(eq(socialAccounts.id, account._id))
    const mediaIds = await uploadPictures(artist)
    await schedule(artist, { mediaIds, variants: variantsOf(account) }, 29 * 24)
    const late = await schedule(artist, { mediaIds, variants: variantsOf(account, { title: 'Too late' }) }, 31 * 24)
    expect(await artist.trpc.posts.endangered.query()).toEqual([
      {
        socialAccountId: account._id,
        platform: 'linkedin',
        providerName: account.providerName,
        endsAt: end.toISOString(),
        count: 1,
        posts: [{ _id: late, scheduledAt: expect.any(String), title: 'Too late' }],
        ids: [late],
      },
    ])
    expect(await (await createArtist(fixture.app)).trpc.posts.endangered.query()).toEqual([])
  })
})

describe('disconnecting an account', () => {
  test('deletes targets that have not begun, with a post without others, and strips posted ones', async () => {
    const artist = await createArtist(fixture.app)
    const facebook = await connect(fixture.app, artist, 'facebook')
    const linkedin = await connect(fixture.app, artist, 'linkedin')
    const mediaIds = await uploadPictures(artist)
    const posted = await postNow(artist, { mediaIds, variants: variantsOf(facebook, { message: 'Long ago' }) })
    expect((await untilSettled(artist, posted)).variants[0]?.permalink).not.toBeNull()
    const onlyFacebook = await schedule(artist, { mediaIds, variants: variantsOf(facebook) })
    const bothNetworks = await schedule(artist, {
      mediaIds,
      variants: [...variantsOf(facebook), ...variantsOf(linkedin)],
    })
    const onlyLinkedin = await schedule(artist, { mediaIds, variants: variantsOf(linkedin, { message: 'Stays' }) })

    expect((await artist.delete(`/api/social-accounts/${facebook._id}`)).status).toBe(200)
    const posts = new Map((await artist.get<Post[]>('/api/posts')).body.map((post) => [post._id, post]))
    expect([...posts.keys()].toSorted()).toEqual([posted, bothNetworks, onlyLinkedin].toSorted())
    expect(posts.get(onlyFacebook)).toBeUndefined()
    expect(posts.get(bothNetworks)?.variants.map((variant) => variant.platform)).toEqual(['linkedin'])
    expect(posts.get(posted)).toMatchObject({
      status: 'posted',
      variants: [{ title: '', message: '', permalink: null, status: 'posted' }],
    })
    expect(posts.get(onlyLinkedin)?.variants[0]?.message).toBe('Stays')
    // Posts at the network stay.
    expect(await shownAt(fixture.app, 'facebook', facebook.pages[0]?.pageId ?? '', 'Long ago')).toHaveLength(1)
  })

  test('lets a target being published finish, then deletes the account', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const slow = await fault(fixture.app, 'facebook', 'slow', '/photos', { delayMs: heldMs })
    const id = await postNow(artist, {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account, { message: 'Nearly too late' }),
    })
    await eventually('the upload to be under way', async () => (await timesHit(fixture.app, slow)) === 1)
    expect((await artist.delete(`/api/social-accounts/${account._id}`)).status).toBe(200)
    expect(await accountsOf(artist)).toEqual([])
    await control(fixture.app, 'DELETE', '/faults')
    expect((await untilSettled(artist, id)).status).toBe('posted')
    expect(await shownAt(fixture.app, 'facebook', account.pages[0]?.pageId ?? '', 'Nearly too late')).toHaveLength(1)
    await eventually(
      'the account to be gone',
      async () => {
        // The job waits some seconds for the target being published.
        await fixture.app.client
          .sql`update pgboss.job set start_after = now() where name = 'social.leave' and state = 'retry' and start_after > now()`
        const rows = await fixture.app.client.db
          .select({ id: socialAccounts.id })
          .from(socialAccounts)
          .where(eq(socialAccounts.userId, artist.id))
        return rows.length === 0
      },
      25_000,
    )
    expect((await readPost(artist, id)).variants[0]).toMatchObject({
      socialAccountId: null,
      message: '',
      permalink: null,
      status: 'posted',
    })
  })

  test('removing one page does not affect the others', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const [first, second] = account.pages
    const id = await schedule(artist, {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account, {}, account.pages),
    })
    expect((await artist.delete(`/api/social-accounts/${account._id}/pages/${first?.pageId}`)).status).toBe(200)
    expect((await readPost(artist, id)).variants.map((variant) => variant.pageId)).toEqual([second?.pageId])
  })
})

describe('deleting media', () => {
  test('is refused with the posts that need them; afterwards the thumbnail stays', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const [used = '', kept = '', free = ''] = await uploadPictures(artist, 3)
    const id = await schedule(artist, {
      mediaIds: [used, kept],
      variants: variantsOf(account, { title: 'Snake and dagger' }),
    })
    const refused = await artist.delete('/api/media', { ids: [used, free] })
    expect(refused).toMatchObject({
      status: 409,
      body: {
        message: mediaMessages.inUse,
        posts: [{ _id: id, status: 'scheduled', title: 'Snake and dagger', mediaIds: [used] }],
      },
    })
    expect((await artist.get<unknown[]>('/api/media')).body).toHaveLength(3)
    expect((await artist.delete('/api/media', { ids: [free] })).status).toBe(200)
    await passTime(2)
    await untilSettled(artist, id)
    expect((await artist.delete('/api/media', { ids: [used] })).status).toBe(200)
    const post = await readPost(artist, id)
    expect(post).toMatchObject({ mediaIds: [kept], media: [{ _id: null, type: 'image' }, { _id: kept }] })
    const picture = await artist.fetch(post.media[0]?.thumbnailUrl ?? '')
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
  })

  test('while its failed post is retried: the retry is refused', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const mediaIds = await uploadPictures(artist)
    const refusal = { status: 400, body: { error: { message: 'x', code: 100, error_user_msg: 'Not this picture.' } } }
    await fault(fixture.app, 'facebook', 'status', `/${account.pages[0]?.pageId}/photos`, refusal)
    const postId = await postNow(artist, { mediaIds, variants: variantsOf(account, { message: 'Deleted meanwhile' }) })
    expect((await untilSettled(artist, postId)).status).toBe('failed')
    let retrying: Promise<unknown> | undefined
    const { hooks } = fixture.system
    const run: typeof hooks.run = async (event, system, tx, fact) => {
      await hooks.run(event, system, tx, fact)
      // The retry begins once the deletion has found no post that needs the item.
      retrying = artist.trpc.posts.retry.mutate({ postId }).catch((error: unknown) => error)
      await Promise.race([retrying, eventually('the retry to wait for the deletion', isSomethingWaiting)])
    }
    const ctx = { ...subscriberCtx(artist, fixture.system), hooks: { ...hooks, run } }
    expect(await removeMedia(ctx, { ids: mediaIds })).toEqual({ deleted: 1 })
    expect(await retrying).toMatchObject({ message: postMessages.mediaGone })
    expect(await readPost(artist, postId)).toMatchObject({ status: 'failed' })
  })
})
