import { rateLimits } from '@flashsheet/db/schema/outbox'
import { postTargets } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { browserHeaders, connect } from '../testing/connect.ts'
import { postNow, untilSettled, uploadPictures, variantsOf } from '../testing/posting.ts'
import { limits, type LimitName } from './limits.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { RATE_LIMITS: 'on' } })
})
afterAll(async () => await app?.stop())

/** Sets how many events of a limit are counted in its current window. */
async function used(name: LimitName, subject: string, count: number = limits[name].max): Promise<void> {
  await app.client.db
    .insert(rateLimits)
    .values({ key: `${name}:${subject}`, windowStartedAt: app.clock.now(), count })
    .onConflictDoUpdate({ target: rateLimits.key, set: { windowStartedAt: app.clock.now(), count } })
}

test('limits the requests of an artist that call Stripe, unknown checkouts included', async () => {
  const [artist, other] = [await createArtist(app), await createArtist(app)]
  const confirm = async (who: typeof artist) =>
    await who.trpc.subscription.confirm.mutate({ sessionId: 'cs_test_a1B2c3D4e5F6g7H8i9J0' }).then(
      () => 200,
      (error: { data?: { httpStatus?: number } }) => error.data?.httpStatus,
    )
  await used('stripeAsksPerArtist', artist.id, limits.stripeAsksPerArtist.max - 2)
  expect([await confirm(artist), await confirm(artist), await confirm(artist)]).toEqual([404, 404, 429])
  expect((await artist.post('/api/subscriptions/create-checkout-session', { plan: 'complete-shading' })).status).toBe(
    429,
  )
  expect(await confirm(other)).toBe(404)
  app.clock.advance(3_600_001)
  expect(await confirm(artist)).toBe(404)
})

test('limits token refreshes and requests of creator info by artist and hour', async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'tiktok')
  const refresh = async () => await artist.put(`/api/social-accounts/${account._id}/token`)
  const ask = async () => await artist.trpc.social.creatorInfo.query({ socialAccountId: account._id })
  await used('tokenRefreshesPerArtist', artist.id, limits.tokenRefreshesPerArtist.max - 1)
  expect((await refresh()).status).toBe(200)
  const refused = await refresh()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await used('creatorInfoPerArtist', artist.id, limits.creatorInfoPerArtist.max - 1)
  expect((await ask()).username).toBeTruthy()
  await expect(ask()).rejects.toMatchObject({ data: { httpStatus: 429 } })
})

test('limits lists of the posts of a page by artist and hour', async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'facebook')
  const postId = await postNow(artist, { mediaIds: await uploadPictures(artist), variants: variantsOf(account) })
  const variantId = (await untilSettled(artist, postId)).variants[0]?._id ?? ''
  await app.client.db
    .update(postTargets)
    .set({ phase: 'failed', unclear: true, postedAt: null })
    .where(eq(postTargets.id, variantId))
  const ask = async () => await artist.trpc.posts.candidates.query({ postId, variantId })
  await used('candidatesPerArtist', artist.id, limits.candidatesPerArtist.max - 1)
  expect((await ask()).canList).toBe(true)
  await expect(ask()).rejects.toMatchObject({ data: { httpStatus: 429 } })
})

test('limits how often connecting and sign-in with Google begin, and redirects the browser to a screen', async () => {
  const artist = await createArtist(app)
  await used('connectsPerArtist', artist.id, limits.connectsPerArtist.max - 1)
  const begin = async () =>
    new URL(
      (await artist.fetch('/api/social-connect/linkedin', { headers: browserHeaders })).headers.get('location') ?? '',
      app.url,
    )
  expect((await begin()).origin).toBe(app.sandboxUrl)
  const end = await begin()
  expect([end.pathname, end.searchParams.get('error')]).toEqual([
    '/social-accounts',
    expect.stringMatching(/too many|too often|moment|later/i),
  ])
  const google = async () =>
    (await app.visitor().fetch('/api/auth/google', { headers: browserHeaders })).headers.get('location') ?? ''
  expect(await google()).toContain(app.sandboxUrl)
  const [{ key = '' } = {}] = await app.client.sql<
    { key?: string }[]
  >`select key from rate_limits where key like 'googleStartsPerIp:%'`
  await used('googleStartsPerIp', key.slice('googleStartsPerIp:'.length))
  expect(await google()).toMatch(/^\/login\?error=/)
})
