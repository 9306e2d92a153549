import { plans } from '@flashsheet/contracts/plans'
import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import { subscriptionOrders, subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { advance, payFor, stripeAt, stripeIdsOf, subscribedArtist, refuseAtStripe } from '../../../testing/billing.ts'
import { fault, timesHit } from '../../../testing/posting.ts'
import { control, eventually } from '../../../testing/sandbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

/** An artist who paid for the first month with a card that is declined afterwards. */
const artistWithFailingCard = async () => await subscribedArtist(app, 'social-line-work', 'auto=approve&card=declined')

const calls = [
  ['GET', '/api/subscriptions/current', 'current'],
  ['POST', '/api/subscriptions/cancel', 'cancel'],
  ['POST', '/api/subscriptions/reactivate', 'reactivate'],
] as const

/** The same call over tRPC and REST. */
async function callApi(
  artist: Pick<Artist, 'get' | 'post' | 'trpc'>,
  name: (typeof calls)[number][2],
  api: 'rest' | 'trpc',
): Promise<{ status: number; body: unknown }> {
  if (api === 'rest') {
    const [method, path] = calls.find((one) => one[2] === name) ?? calls[0]
    const answer = method === 'GET' ? await artist.get(path) : await artist.post(path)
    return { status: answer.status, body: answer.body }
  }
  try {
    const { subscription } = artist.trpc
    return {
      status: 200,
      body: name === 'current' ? await subscription.current.query() : await subscription[name].mutate(),
    }
  } catch (error) {
    const { data } = error as { data: { httpStatus: number; refusal: unknown } }
    return { status: data.httpStatus, body: data.refusal }
  }
}

describe.each(['rest', 'trpc'] as const)('refusals over %s', (api) => {
  test.each(calls)('%s %s', async (_method, _path, name) => {
    expect(await callApi(app.visitor(), name, api)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await callApi(await createArtist(app, { verified: false }), name, api)).toMatchObject({
      status: 403,
      body: { code: 'unverified' },
    })
    expect(await callApi(await createArtist(app, { active: false }), name, api)).toMatchObject({
      status: 403,
      body: { code: 'deactivated' },
    })
    expect(await callApi(await createArtist(app, { plan: null }), name, api)).toEqual({
      status: 404,
      body: { code: 'notFound', message: subscriptionMessages.none },
    })
  })
})

describe('refusals of procedures for screens', () => {
  test('are the same, but without a subscription the answer is null', async () => {
    await expect(app.visitor().trpc.subscription.mine.query()).rejects.toMatchObject({ data: { httpStatus: 401 } })
    await expect((await createArtist(app, { verified: false })).trpc.subscription.mine.query()).rejects.toMatchObject({
      data: { httpStatus: 403 },
    })
    expect(await (await createArtist(app, { plan: null })).trpc.subscription.mine.query()).toBeNull()
    const artist = await createArtist(app)
    expect(await artist.trpc.subscription.mine.query()).toEqual(await artist.trpc.subscription.current.query())
  })

  test('a payment without a subscription, or without an open invoice', async () => {
    await expect((await createArtist(app, { plan: null })).trpc.subscription.pay.mutate()).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    await expect((await createArtist(app)).trpc.subscription.pay.mutate()).rejects.toMatchObject({
      data: { httpStatus: 409 },
      message: subscriptionMessages.nothingToPay,
    })
  })
})

test('the plans are the product’s two, for everybody, over tRPC and REST', async () => {
  const answer = await app.visitor().get('/api/subscriptions/plans')
  expect(answer.body).toEqual([
    {
      id: 'social-line-work',
      name: 'Social Line Work',
      price: 1900,
      currency: 'usd',
      features: plans['social-line-work'].features,
    },
    {
      id: 'complete-shading',
      name: 'Complete Shading',
      price: 4900,
      currency: 'usd',
      features: plans['complete-shading'].features,
    },
  ])
  expect(await app.visitor().trpc.subscription.plans.query()).toEqual(answer.body)
})

describe('canceling', () => {
  test.each(['rest', 'trpc'] as const)('lets the paid period end, and is undone, over %s', async (api) => {
    const artist = await subscribedArtist(app)
    const before = (await callApi(artist, 'current', api)).body
    expect(before).toMatchObject({ status: 'active', cancelAtPeriodEnd: false })
    const canceled = { ...(before as Subscription), cancelAtPeriodEnd: true }
    expect(await callApi(artist, 'cancel', api)).toEqual({ status: 200, body: canceled })
    expect(await callApi(artist, 'cancel', api)).toEqual({ status: 200, body: canceled })
    expect((await callApi(artist, 'current', api === 'rest' ? 'trpc' : 'rest')).body).toEqual(canceled)
    expect((await artist.get('/api/social-accounts')).status).toBe(200)
    expect(await callApi(artist, 'reactivate', api)).toEqual({ status: 200, body: before })
    expect(await callApi(artist, 'reactivate', api)).toEqual({ status: 200, body: before })
  })

  test('a date of its end that was set at Stripe is undone too', async () => {
    const artist = await subscribedArtist(app)
    const { subscription } = await stripeIdsOf(app, artist)
    const stripe = stripeAt(app)
    const cancelAt = Math.floor(Date.now() / 1000) + 5 * 86_400
    await stripe.subscriptions.update(subscription, { cancel_at: cancelAt })
    expect(await callApi(artist, 'reactivate', 'rest')).toMatchObject({
      status: 200,
      body: { cancelAtPeriodEnd: false },
    })
    expect((await stripe.subscriptions.retrieve(subscription)).cancel_at).toBeNull()
  })

  test('ends with the period; afterwards only another checkout restores it', async () => {
    const artist = await subscribedArtist(app)
    await callApi(artist, 'cancel', 'rest')
    await advance(app, artist, 'renewal', 'canceled')
    for (const name of ['current', 'cancel', 'reactivate'] as const) {
      expect(await callApi(artist, name, 'rest')).toMatchObject({ status: 200, body: { status: 'canceled' } })
    }
    expect(await artist.get('/api/social-accounts')).toMatchObject({
      status: 403,
      body: { code: 'no_subscription', message: 'Your subscription was canceled. You can reactivate it anytime.' },
    })
    await payFor(artist, 'complete-shading')
    expect((await callApi(artist, 'current', 'rest')).body).toMatchObject({
      plan: 'complete-shading',
      cancelAtPeriodEnd: false,
    })
  })

  test('a failure at Stripe changes nothing here', async () => {
    const artist = await subscribedArtist(app)
    await refuseAtStripe(app, 'POST', '/v1/subscriptions/')
    expect(await callApi(artist, 'cancel', 'rest')).toMatchObject({
      status: 502,
      body: { message: subscriptionMessages.cancelFailed },
    })
    await control(app, 'DELETE', '/faults')
    expect((await callApi(artist, 'current', 'rest')).body).toMatchObject({ cancelAtPeriodEnd: false })
  })
})

describe('a card that fails', () => {
  test('is past due first, with a page to pay; then unpaid, then ended', async () => {
    const artist = await artistWithFailingCard()
    await advance(app, artist, 'renewal', 'past_due')
    const { url } = await artist.trpc.subscription.pay.mutate()
    expect(url).toContain(`${app.sandboxUrl}/invoice/`)
    expect(await artist.get('/api/social-accounts')).toMatchObject({
      status: 403,
      body: { message: 'Your payment failed. Please update your payment method.' },
    })
    await advance(app, artist, 'renewal', 'unpaid')
    expect(await artist.get('/api/social-accounts')).toMatchObject({
      status: 403,
      body: { message: 'Payment is required to continue your subscription.' },
    })
    await advance(app, artist, 'renewal', 'canceled')
    await expect(artist.trpc.subscription.cancel.mutate()).resolves.toMatchObject({ status: 'canceled' })
  })

  test('an unpaid subscription is superseded by a new one, at Stripe too', async () => {
    const artist = await artistWithFailingCard()
    const { subscription: old } = await stripeIdsOf(app, artist)
    await advance(app, artist, 'renewal', 'past_due')
    await expect(artist.trpc.subscription.createCheckout.mutate({ plan: 'complete-shading' })).rejects.toMatchObject({
      data: { httpStatus: 409 },
    })
    await advance(app, artist, 'renewal', 'unpaid')
    await payFor(artist, 'complete-shading')
    await eventually('the old subscription to end', async () => {
      const rows = await app.client.db.select().from(subscriptions).where(eq(subscriptions.userId, artist.id))
      return rows.length === 2 && rows.find((row) => row.stripeSubscriptionId === old)?.status === 'canceled'
    })
    expect((await callApi(artist, 'current', 'rest')).body).toMatchObject({
      plan: 'complete-shading',
      status: 'active',
    })
  })

  test('of two subscriptions that run the older one is ended, so that only one is charged again', async () => {
    const artist = await subscribedArtist(app)
    const { customer, subscription: old } = await stripeIdsOf(app, artist)
    app.clock.advance(60_000)
    const [price] = (await stripeAt(app).prices.list({ lookup_keys: ['complete-shading'] })).data
    const { default_payment_method: card } = await stripeAt(app).subscriptions.retrieve(old)
    const young = await stripeAt(app).subscriptions.create({
      customer,
      items: [{ price: price?.id ?? '' }],
      ...(typeof card === 'string' ? { default_payment_method: card } : {}),
    })
    expect(await artist.trpc.subscription.refresh.mutate()).toMatchObject({
      plan: 'complete-shading',
      status: 'active',
    })
    expect((await stripeAt(app).subscriptions.list({ customer })).data.map(({ id }) => id)).toEqual([young.id])
    const rows = await app.client.db.select().from(subscriptions).where(eq(subscriptions.userId, artist.id))
    const statuses = Object.fromEntries(rows.map((row) => [row.stripeSubscriptionId, row.status]))
    expect(statuses).toEqual({ [old]: 'canceled', [young.id]: 'active' })
  })

  test('a checkout page that was opened while a subscription was unpaid is closed once that one is paid', async () => {
    const artist = await artistWithFailingCard()
    await advance(app, artist, 'renewal', 'past_due')
    await advance(app, artist, 'renewal', 'unpaid')
    const checkout = await artist.trpc.subscription.createCheckout.mutate({ plan: 'complete-shading' })
    const other = await createArtist(app, { plan: null })
    const pageOfOther = await other.trpc.subscription.createCheckout.mutate({ plan: 'complete-shading' })
    const payment = await artist.trpc.subscription.pay.mutate()
    await fetch(payment.url, { method: 'POST', body: new URLSearchParams({ card: 'good' }) })
    expect(await artist.trpc.subscription.refresh.mutate()).toMatchObject({ status: 'active' })
    await fetch(`${checkout.url}?auto=approve`, { redirect: 'manual' })
    const { customer } = await stripeIdsOf(app, artist)
    expect((await stripeAt(app).subscriptions.list({ customer })).data).toHaveLength(1)
    await fetch(`${pageOfOther.url}?auto=approve`, { redirect: 'manual' })
    await expect.poll(async () => (await other.trpc.subscription.mine.query())?.status).toBe('active')
  })

  test('an unpaid subscription ends at once when it is cancelled', async () => {
    const artist = await artistWithFailingCard()
    await advance(app, artist, 'renewal', 'past_due')
    await advance(app, artist, 'renewal', 'unpaid')
    expect(await callApi(artist, 'cancel', 'rest')).toMatchObject({ status: 200, body: { status: 'canceled' } })
  })

  test('what an ended subscription owed can no longer be paid', async () => {
    const artist = await artistWithFailingCard()
    const { customer } = await stripeIdsOf(app, artist)
    await advance(app, artist, 'renewal', 'past_due')
    await advance(app, artist, 'renewal', 'unpaid')
    const { url } = await artist.trpc.subscription.pay.mutate()
    await artist.trpc.subscription.cancel.mutate()
    await fetch(url, { method: 'POST', body: new URLSearchParams({ card: 'good' }) })
    const invoices = (await stripeAt(app).invoices.list({ customer })).data
    expect(invoices.map(({ billing_reason: reason, status }) => `${reason} ${status}`)).toEqual([
      'subscription_cycle void',
      'subscription_create paid',
    ])
  })

  test('an ended subscription is stored although Stripe refuses to void what it owed', async () => {
    const artist = await artistWithFailingCard()
    await advance(app, artist, 'renewal', 'past_due')
    const refused = await fault(app, 'stripe', 'status', '/void', {
      method: 'POST',
      status: 403,
      body: { error: { type: 'invalid_request_error', message: 'no' } },
    })
    const { subscription } = await stripeIdsOf(app, artist)
    await stripeAt(app).subscriptions.cancel(subscription)
    expect(await artist.trpc.subscription.refresh.mutate()).toMatchObject({ status: 'canceled' })
    expect(await timesHit(app, refused)).toBeGreaterThan(0)
  })

  test('an unpaid subscription is reported as ended when Stripe’s first answer is lost', async () => {
    const artist = await artistWithFailingCard()
    await advance(app, artist, 'renewal', 'past_due')
    await advance(app, artist, 'renewal', 'unpaid')
    await fault(app, 'stripe', 'drop-after-commit', '/v1/subscriptions/', { method: 'DELETE' })
    expect(await callApi(artist, 'cancel', 'rest')).toMatchObject({ status: 200, body: { status: 'canceled' } })
  })

  test('a subscription that staff move to a price of another product keeps its plan, and its end is noticed', async () => {
    const artist = await subscribedArtist(app, 'complete-shading')
    const { subscription: id } = await stripeIdsOf(app, artist)
    const stripe = stripeAt(app)
    const product = await stripe.products.create({ name: 'Agreed by mail' })
    const recurring = { interval: 'month' } as const
    const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 3000, recurring })
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data
    await stripe.subscriptions.update(id, { items: [{ id: item?.id ?? '', price: price.id }] })
    expect(await artist.trpc.subscription.refresh.mutate()).toMatchObject({
      plan: 'complete-shading',
      status: 'active',
    })
    await advance(app, artist, 'renewal', 'active')
    await artist.trpc.subscription.refresh.mutate()
    const { db } = app.client
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions.stripeSubscriptionId, id))
    expect(row?.mrr).toBe(3000)
    const orders = await db.select().from(subscriptionOrders).where(eq(subscriptionOrders.userId, artist.id))
    const renewal = orders.find((order) => order.action === 'renewed')
    expect(renewal).toMatchObject({ plan: 'complete-shading' })

    await stripe.subscriptions.cancel(id)
    expect(await artist.trpc.subscription.refresh.mutate()).toMatchObject({
      plan: 'complete-shading',
      status: 'canceled',
    })
    expect((await artist.trpc.subscription.createCheckout.mutate({ plan: 'social-line-work' })).url).toMatch(/^http/)
  })
})
