import { socialMessages } from '@flashsheet/contracts/social/messages'
import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createArtist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { connect, consent, browserHeaders } from '../testing/connect.ts'
import {
  fault,
  heldMs,
  makeOutcomeUnknown,
  postNow,
  timesHit,
  untilSettled,
  uploadFile,
  variantsOf,
} from '../testing/posting.ts'
import { control, eventually } from '../testing/sandbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ interactiveTimeoutMs: 300 })
})
afterAll(async () => await app?.stop())
afterEach(async () => await control(app, 'DELETE', '/faults'))

test('a request that waits too long for Stripe fails with the message of its action', async () => {
  const artist = await createArtist(app)
  const newcomer = await createArtist(app, { plan: null })
  const slow = await fault(app, 'stripe', 'slow', '/v1/', { times: 1000, delayMs: heldMs })
  const answers = [
    {
      answer: await newcomer.post<{ message: string }>('/api/subscriptions/create-checkout-session', {
        plan: 'complete-shading',
      }),
      message: subscriptionMessages.checkoutFailed,
    },
    {
      answer: await artist.post<{ message: string }>('/api/subscriptions/cancel'),
      message: subscriptionMessages.cancelFailed,
    },
  ]
  expect(answers.map(({ answer }) => [answer.status, answer.body.message])).toEqual(
    answers.map(({ message }) => [502, message]),
  )
  // The work continues after the response, and may call Stripe only then.
  await eventually('Stripe to be asked by both', async () => (await timesHit(app, slow)) >= answers.length)
})

test('a request that waits too long for fresh tokens fails with the message of its network, and late tokens are stored', async () => {
  const artist = await createArtist(app)
  // On a busy machine connecting may take longer than a person waits here, and is repeated.
  const { _id } = await eventually(
    'an account to be connected',
    async () => await connect(app, artist, 'tiktok').catch(() => undefined),
  )
  const stored = async () =>
    (await app.client.db.select().from(socialAccounts).where(eq(socialAccounts.id, _id)))[0]?.accessToken
  const before = await stored()
  await fault(app, 'tiktok', 'slow', '/oauth/token', { delayMs: heldMs })
  const answer = await artist.put<{ message: string }>(`/api/social-accounts/${_id}/token`)
  expect([answer.status, answer.body.message]).toEqual([502, socialMessages.unreachable('tiktok')])
  expect(await stored()).toBe(before)
  await control(app, 'DELETE', '/faults')
  await eventually('the late tokens to be kept', async () => (await stored()) !== before)
})

test("a request that waits too long for TikTok's options fails with the message of its network", async () => {
  const artist = await createArtist(app)
  const { _id } = await eventually(
    'an account to be connected',
    async () => await connect(app, artist, 'tiktok').catch(() => undefined),
  )
  await fault(app, 'tiktok', 'slow', 'creator_info', { delayMs: heldMs })
  await expect(artist.trpc.social.creatorInfo.query({ socialAccountId: _id })).rejects.toMatchObject({
    data: { httpStatus: 502, refusal: { message: socialMessages.unreachable('tiktok') } },
  })
})

test('a request that waits too long for the posts on a page, or for fresh tokens to list them, fails', async () => {
  const artist = await createArtist(app)
  const account = await eventually(
    'an account to be connected',
    async () => await connect(app, artist, 'youtube').catch(() => undefined),
  )
  const bytes = videoFixture('landscape-5s.mp4')
  const mediaIds = [await uploadFile(artist, { name: 'a.mp4', type: 'video/mp4', bytes })]
  const postId = await postNow(artist, { mediaIds, variants: variantsOf(account, { title: 'Fresh flash' }) })
  const [variant] = (await untilSettled(artist, postId)).variants
  await makeOutcomeUnknown(app, postId)
  const list = async () => await artist.trpc.posts.candidates.query({ postId, variantId: variant?._id ?? '' })
  const tooLate = { message: socialMessages.unreachable('youtube'), data: { httpStatus: 502 } }
  await fault(app, 'youtube', 'slow', '/youtube/v3/channels', { delayMs: heldMs })
  await expect(list()).rejects.toMatchObject(tooLate)
  await control(app, 'DELETE', '/faults')
  await fault(app, 'youtube', 'status', '/youtube/v3/channels', { status: 401 })
  await fault(app, 'youtube', 'slow', '/token', { delayMs: heldMs })
  await expect(list()).rejects.toMatchObject(tooLate)
})

test('connecting that waits too long fails with the message of its network, and connects nothing', async () => {
  const artist = await createArtist(app)
  const back = await consent(app, artist, 'linkedin')
  await fault(app, 'linkedin', 'slow', '/oauth', { times: 1000, delayMs: heldMs })
  const end = new URL(
    (await artist.fetch(back.href, { headers: browserHeaders })).headers.get('location') ?? '',
    app.url,
  )
  expect([end.pathname, end.searchParams.get('error')]).toEqual([
    '/social-accounts',
    socialMessages.unreachable('linkedin'),
  ])
})
