import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { CheckoutSession, Subscription } from '@flashsheet/contracts/subscription/schema'
import type { PlanId } from '@flashsheet/contracts/plans'
import { users } from '@flashsheet/db/schema/auth'
import { checkoutRequests, subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { payFor, refuseAtStripe, stripeAt, stripeIdsOf } from '../../../testing/billing.ts'
import { openSystem, subscriberCtx } from '../../../testing/system.ts'
import { control, eventually } from '../../../testing/sandbox.ts'
import { fault, heldMs, timesHit } from '../../../testing/posting.ts'
import { cancelQueue } from '../jobs.ts'
import { createCheckout, isCheckoutId } from './subscribe.ts'

const path = '/api/subscriptions/create-checkout-session'
/** A pattern for the path at Stripe. */
const checkoutPath = '/v1/checkout/sessions$'
let app: TestApp
let stripe: Stripe
beforeAll(async () => {
  app = await startTestApp()
  stripe = stripeAt(app)
})
afterAll(async () => await app.stop())

const newcomer = async () => await createArtist(app, { plan: null })

async function open(artist: Artist, plan = 'social-line-work'): Promise<string> {
  const answer = await artist.post<CheckoutSession>(path, { plan })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.url
}

/** Pays at the checkout page and returns the checkout id of its redirect. */
async function pay(url: string, query = 'auto=approve', at = app.url): Promise<string> {
  const response = await fetch(`${url}?${query}`, { redirect: 'manual' })
  const returnUrl = new URL(response.headers.get('location') ?? 'http://none.example')
  expect(returnUrl.origin + returnUrl.pathname).toBe(`${at}/subscription/success`)
  return returnUrl.searchParams.get('session_id') ?? ''
}

async function untilActive(artist: Artist): Promise<Subscription> {
  return await eventually('an active subscription', async () => {
    const { status, body } = await artist.get<Subscription>('/api/subscriptions/current')
    return status === 200 && body.status === 'active' && body
  })
}

const customerOf = async (artist: Artist) => {
  const [row] = await app.client.db.select({ id: users.stripeCustomerId }).from(users).where(eq(users.id, artist.id))
  return row?.id ?? null
}

const customersOf = async (artist: Artist) =>
  (await stripe.customers.list({ limit: 100 })).data.filter((one) => one.metadata['user_id'] === artist.id)

describe('refusals', () => {
  test('somebody not logged in, over tRPC and REST', async () => {
    expect((await app.visitor().post(path, { plan: 'social-line-work' })).status).toBe(401)
    await expect(
      app.visitor().trpc.subscription.createCheckout.mutate({ plan: 'social-line-work' }),
    ).rejects.toMatchObject({ data: { httpStatus: 401 } })
  })

  test('an unverified artist, before the plan is checked', async () => {
    const artist = await createArtist(app, { plan: null, verified: false })
    expect(await artist.post(path, { plan: 'nonsense' })).toMatchObject({ status: 403, body: { code: 'unverified' } })
  })

  test.each([[{}], [{ plan: 'gold' }], [{ plan: 5 }], [{ plan: null }]])('an unknown plan: %j', async (body) => {
    expect(await (await newcomer()).post(path, body)).toMatchObject({
      status: 400,
      body: { message: subscriptionMessages.invalidPlan, fields: { plan: subscriptionMessages.invalidPlan } },
    })
  })

  test.each(['active', 'past_due'] as const)('another subscription while one is %s', async (status) => {
    const artist = await createArtist(app, { plan: 'social-line-work', status })
    expect(await artist.post(path, { plan: 'complete-shading' })).toMatchObject({
      status: 409,
      body: { message: subscriptionMessages.alreadySubscribed },
    })
  })

  test('another subscription while the event of the first one has not arrived', async () => {
    const artist = await newcomer()
    await pay(await open(artist))
    expect(await artist.post(path, { plan: 'complete-shading' })).toMatchObject({ status: 409 })
  })

  test('a failure at Stripe has the product’s message, and the next attempt works', async () => {
    const artist = await newcomer()
    await refuseAtStripe(app, 'POST', checkoutPath)
    expect(await artist.post(path, { plan: 'social-line-work' })).toMatchObject({
      status: 502,
      body: { message: subscriptionMessages.checkoutFailed },
    })
    await control(app, 'DELETE', '/faults')
    await open(artist)
  })

  test.each([
    ['customer', '/v1/customers$', 200],
    ['list of subscriptions', '/v1/subscriptions', 200],
    ['checkout page', checkoutPath, 200],
  ])(
    'an answer that is no %s (%s, %i) is a failure at Stripe, and the next attempt works',
    async (_kind, stripePath, status) => {
      const artist = await newcomer()
      await control(app, 'POST', '/faults', {
        service: 'stripe',
        path: stripePath,
        kind: 'status',
        status,
        times: 5,
        body: { status: 'down for maintenance' },
      })
      expect(await artist.post(path, { plan: 'social-line-work' })).toMatchObject({
        status: 502,
        body: { message: subscriptionMessages.checkoutFailed },
      })
      await control(app, 'DELETE', '/faults')
      await open(artist)
    },
  )
})

describe('a checkout', () => {
  test('leads to the page of the plan and back, and makes the artist a subscriber', async () => {
    const artist = await newcomer()
    expect((await artist.get('/api/subscriptions/current')).status).toBe(404)
    expect((await artist.get('/api/social-accounts')).status).toBe(403)
    await pay(await open(artist, 'complete-shading'))
    const subscription = await untilActive(artist)
    expect(subscription).toMatchObject({ plan: 'complete-shading', cancelAtPeriodEnd: false })
    expect(Date.parse(subscription.currentPeriodEnd ?? '')).toBeGreaterThan(
      Date.parse(subscription.currentPeriodStart ?? '') + 27 * 86_400_000,
    )
    expect((await artist.get('/api/social-accounts')).status).toBe(200)
    expect(await artist.trpc.subscription.current.query()).toEqual(subscription)
  })

  test('leads back without a subscription when the artist changes their mind', async () => {
    const artist = await newcomer()
    const response = await fetch(`${await open(artist)}?auto=deny`, { redirect: 'manual' })
    expect(response.headers.get('location')).toBe(`${app.url}/subscription/cancel`)
    expect((await artist.get('/api/subscriptions/current')).status).toBe(404)
  })

  test('of many concurrent calls one customer and one open page are left', async () => {
    const artist = await newcomer()
    const answers = await Promise.all(
      Array.from(
        { length: 4 },
        async (_, i) => await artist.post(path, { plan: i % 2 ? 'social-line-work' : 'complete-shading' }),
      ),
    )
    expect(answers.map((one) => one.status)).toEqual([200, 200, 200, 200])
    const customers = await customersOf(artist)
    expect(customers.map((one) => one.id)).toEqual([await customerOf(artist)])
    expect(customers[0]).toMatchObject({ email: artist.email, name: artist.name })
    const sessions = await stripe.checkout.sessions.list({ customer: customers[0]?.id ?? '', limit: 100 })
    // Newest first.
    expect(sessions.data.map((one) => one.status)).toEqual(['open', 'expired', 'expired', 'expired'])
  })

  test('works again after the customer was deleted at Stripe', async () => {
    const artist = await newcomer()
    await open(artist)
    const first = await customerOf(artist)
    await stripe.customers.del(first ?? '')
    await open(artist)
    const second = await customerOf(artist)
    expect(second).not.toBe(first)
    expect((await customersOf(artist)).map((one) => one.id)).toEqual([second])
  })

  test('is the same page over tRPC and REST', async () => {
    const artist = await newcomer()
    const byRest = new URL(await open(artist))
    const byTrpc = new URL((await artist.trpc.subscription.createCheckout.mutate({ plan: 'social-line-work' })).url)
    expect(byTrpc.origin + byTrpc.pathname.replace(/[^/]+$/, '')).toBe(
      byRest.origin + byRest.pathname.replace(/[^/]+$/, ''),
    )
    await expect(
      artist.trpc.subscription.createCheckout.mutate({ plan: 'gold' as 'social-line-work' }),
    ).rejects.toMatchObject({
      message: subscriptionMessages.invalidPlan,
      data: { httpStatus: 400, refusal: { fields: { plan: subscriptionMessages.invalidPlan } } },
    })
  })
})

describe('a checkout that Stripe made and whose answer was lost', () => {
  const pages = async (artist: Artist) =>
    (await stripe.checkout.sessions.list({ customer: (await customerOf(artist)) ?? '', limit: 100 })).data

  /** Drops the answer of every retry that the SDK makes under one idempotency key. */
  async function loseAnswers(artist: Artist): Promise<void> {
    await control(app, 'POST', '/faults', {
      service: 'stripe',
      method: 'POST',
      path: checkoutPath,
      kind: 'drop-after-commit',
      times: 3,
    })
    expect(await artist.post(path, { plan: 'social-line-work' })).toMatchObject({
      status: 502,
      body: { message: subscriptionMessages.checkoutFailed },
    })
    await control(app, 'DELETE', '/faults')
    expect(await pages(artist)).toHaveLength(1)
  }

  /** Opens a checkout in another process on the same database. */
  async function openElsewhere(artist: Artist, plan: PlanId): Promise<string> {
    const other = await openSystem(app)
    try {
      return (await createCheckout(subscriberCtx(artist, other.system), { plan })).url
    } finally {
      await other.close()
    }
  }

  test('is reopened at the next request, by another process too', async () => {
    const artist = await newcomer()
    await loseAnswers(artist)
    const [first] = await pages(artist)
    expect(await openElsewhere(artist, 'social-line-work')).toBe(first?.url)
    expect((await pages(artist)).map((one) => [one.id, one.status])).toEqual([[first?.id, 'open']])
    expect(await app.client.db.select().from(checkoutRequests).where(eq(checkoutRequests.userId, artist.id))).toEqual(
      [],
    )
  })

  test('is closed when another plan is requested, and replaced when it has expired', async () => {
    const artist = await newcomer()
    await loseAnswers(artist)
    await open(artist, 'complete-shading')
    expect((await pages(artist)).map((one) => one.status)).toEqual(['open', 'expired'])
    const late = await newcomer()
    await loseAnswers(late)
    await stripe.checkout.sessions.expire((await pages(late))[0]?.id ?? '')
    await open(late)
    expect((await pages(late)).map((one) => one.status)).toEqual(['open', 'expired'])
  })

  test('is not requested with an expired idempotency key', async () => {
    const artist = await newcomer()
    await loseAnswers(artist)
    const before = new Date(app.clock.now().getTime() - 24 * 3_600_000)
    await app.client.db
      .update(checkoutRequests)
      .set({ createdAt: before })
      .where(eq(checkoutRequests.userId, artist.id))
    await open(artist)
    expect((await pages(artist)).map((one) => one.status)).toEqual(['open', 'expired'])
  })

  test('is requested with a new key when Stripe refuses the old one', async () => {
    const artist = await newcomer()
    await refuseAtStripe(app, 'POST', checkoutPath)
    expect((await artist.post(path, { plan: 'social-line-work' })).status).toBe(502)
    expect(await app.client.db.select().from(checkoutRequests).where(eq(checkoutRequests.userId, artist.id))).toEqual(
      [],
    )
    await open(artist)
  })
})

test('a page that Stripe opens while the account is being deleted is closed at once', async () => {
  const artist = await newcomer()
  const held = await fault(app, 'stripe', 'slow', checkoutPath, { method: 'POST', delayMs: heldMs })
  const opening = artist.post(path, { plan: 'social-line-work' })
  await eventually('the request to Stripe', async () => (await timesHit(app, held)) === 1)
  await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })
  const customer = (await customerOf(artist)) ?? ''
  // The job that closes the pages of a deleted account finds none yet.
  await eventually('the job', async () => {
    const done = await app.client.sql`select id from pgboss.job
      where name = ${cancelQueue.name} and data->>'customerId' = ${customer} and state = 'completed'`
    return done.length === 1
  })
  await control(app, 'DELETE', '/faults')
  expect(await opening).toMatchObject({ status: 403, body: { code: 'leaving' } })
  const pages = (await stripe.checkout.sessions.list({ customer })).data
  expect(pages.map(({ status }) => status)).toEqual(['expired'])
})

test('a page that Stripe opens while staff deactivate the artist is closed at once', async () => {
  const [artist, admin] = [await newcomer(), await createArtist(app, { admin: true })]
  const held = await fault(app, 'stripe', 'slow', checkoutPath, { method: 'POST', delayMs: heldMs })
  const opening = artist.post(path, { plan: 'social-line-work' })
  await eventually('the request to Stripe', async () => (await timesHit(app, held)) === 1)
  expect((await admin.put(`/api/admin/users/${artist.id}`, { isActive: false })).status).toBe(200)
  await control(app, 'DELETE', '/faults')
  expect(await opening).toMatchObject({ status: 403, body: { code: 'deactivated' } })
  const pages = (await stripe.checkout.sessions.list({ customer: (await customerOf(artist)) ?? '' })).data
  expect(pages.map(({ status }) => status)).toEqual(['expired'])
})

describe('returning from a checkout', () => {
  test('is refused for other artists and without a login, and reveals nothing', async () => {
    const [artist, other] = [await newcomer(), await newcomer()]
    const sessionId = await pay(await open(artist))
    await expect(app.visitor().trpc.subscription.confirm.mutate({ sessionId })).rejects.toMatchObject({
      data: { httpStatus: 401 },
    })
    await expect(other.trpc.subscription.confirm.mutate({ sessionId })).rejects.toMatchObject({
      data: { httpStatus: 404 },
      message: subscriptionMessages.checkoutUnknown,
    })
    await expect(artist.trpc.subscription.confirm.mutate({ sessionId: 'cs_test_unknown' })).rejects.toMatchObject({
      data: { httpStatus: 404 },
      message: subscriptionMessages.checkoutUnknown,
    })
    await expect(artist.trpc.subscription.confirm.mutate({ sessionId: '../customers' })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    await expect(artist.trpc.subscription.confirm.mutate({ sessionId: '' })).rejects.toMatchObject({
      data: { httpStatus: 400 },
    })
    expect((await other.get('/api/subscriptions/current')).status).toBe(404)
  })

  test('grants nothing for an unpaid page', async () => {
    const artist = await newcomer()
    const url = await open(artist)
    expect(await artist.trpc.subscription.confirm.mutate({ sessionId: url.split('/').at(-1) ?? '' })).toEqual({
      checkout: 'open',
      subscription: null,
    })
  })
})

describe('without the webhook', () => {
  let webApp: TestApp
  beforeAll(async () => {
    // Without a worker events are stored but not processed.
    webApp = await startTestApp({ role: 'web', env: { SANDBOX_PORT: new URL(app.sandboxUrl).port } })
  })
  afterAll(async () => await webApp.stop())

  test('the page that the artist returns to reads Stripe itself', async () => {
    const artist = await createArtist(webApp, { plan: null })
    const { url } = await artist.trpc.subscription.createCheckout.mutate({ plan: 'complete-shading' })
    const sessionId = await pay(url, 'auto=approve', webApp.url)
    expect((await artist.get('/api/subscriptions/current')).status).toBe(404)
    const outcome = await artist.trpc.subscription.confirm.mutate({ sessionId })
    expect(outcome).toMatchObject({
      checkout: 'complete',
      subscription: { plan: 'complete-shading', status: 'active' },
    })
    expect(await artist.trpc.subscription.current.query()).toEqual(outcome.subscription)
  })

  test('an artist who has paid the open invoice, and presses Pay now again, gets access', async () => {
    const artist = await createArtist(webApp, { plan: null })
    await payFor(artist, 'social-line-work', 'auto=approve&card=declined')
    const { subscription } = await stripeIdsOf(webApp, artist)
    await control(app, 'POST', '/stripe/advance', { subscription, to: 'renewal' })
    await artist.trpc.subscription.refresh.mutate()
    const { url } = await artist.trpc.subscription.pay.mutate()
    await fetch(`${url}?auto=approve&card=good`)
    expect(await artist.trpc.subscription.mine.query()).toMatchObject({ status: 'past_due' })
    await expect(artist.trpc.subscription.pay.mutate()).rejects.toMatchObject({
      data: { refusal: { message: subscriptionMessages.nothingToPay } },
    })
    expect(await artist.trpc.subscription.mine.query()).toMatchObject({ status: 'active' })
  })

  test('a superseded subscription is stored as ended with the new one', async () => {
    const artist = await createArtist(webApp, { plan: null })
    const { url } = await artist.trpc.subscription.createCheckout.mutate({ plan: 'social-line-work' })
    const [customer] = (await stripe.customers.list({ email: artist.email })).data
    const [price] = (await stripe.prices.list({ lookup_keys: ['social-line-work'] })).data
    const waiting = await stripe.subscriptions.create({
      customer: customer?.id ?? '',
      items: [{ price: price?.id ?? '' }],
      payment_behavior: 'default_incomplete',
      metadata: { user_id: artist.id },
    })
    await artist.trpc.subscription.confirm.mutate({ sessionId: await pay(url, 'auto=approve', webApp.url) })
    expect(
      await webApp.client.db
        .select({ status: subscriptions.status })
        .from(subscriptions)
        .where(eq(subscriptions.stripeSubscriptionId, waiting.id)),
    ).toEqual([{ status: 'canceled' }])
  })
})

test.each([
  ['cs_test_a1B2', true],
  ['cs_', false],
  ['../customers', false],
  ['cs_a/b', false],
])('%s has the form of a checkout id: %s', (text, isValid) => {
  expect(isCheckoutId(text)).toBe(isValid)
})
