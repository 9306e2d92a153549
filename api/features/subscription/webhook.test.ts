import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import { stripeEvents, subscriptionOrders } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { stripeAt } from '../../testing/billing.ts'
import { control, eventually } from '../../testing/sandbox.ts'

const secret = 'whsec_sandbox'
let app: TestApp
let stripe: Stripe
beforeAll(async () => {
  app = await startTestApp()
  stripe = stripeAt(app)
})
afterAll(async () => await app.stop())

async function deliver(payload: string, header?: string): Promise<{ status: number; body: unknown }> {
  const signature = header ?? stripe.webhooks.generateTestHeaderString({ payload, secret })
  const response = await fetch(`${app.url}/api/webhooks/stripe`, {
    method: 'POST',
    body: payload,
    headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
  })
  return { status: response.status, body: await response.json() }
}

const event = (id: string, type: string, object: Record<string, unknown>) =>
  JSON.stringify({ id, object: 'event', type, created: 1_790_000_000, data: { object } })
const stored = async (id: string) => await app.client.db.select().from(stripeEvents).where(eq(stripeEvents.id, id))

describe('rejects and does not store what Stripe did not sign', () => {
  const payload = event('evt_forged', 'customer.subscription.updated', {
    object: 'subscription',
    id: 'sub_1',
    customer: 'cus_1',
  })
  test.each([
    ['no signature', ''],
    ['nonsense', 'hello'],
    ['another secret', 'wrong secret'],
    ['a signature over other bytes', 'other bytes'],
    ['one that is too old', 'old'],
  ])('%s', async (_what, how) => {
    const header =
      how === 'wrong secret'
        ? stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_other' })
        : how === 'other bytes'
          ? stripe.webhooks.generateTestHeaderString({ payload: `${payload} `, secret })
          : how === 'old'
            ? stripe.webhooks.generateTestHeaderString({
                payload,
                secret,
                timestamp: Math.floor(Date.now() / 1000) - 3600,
              })
            : how
    expect(await deliver(payload, header)).toEqual({
      status: 400,
      body: { message: subscriptionMessages.badSignature, code: 'invalid' },
    })
    expect(await stored('evt_forged')).toEqual([])
  })

  test('signed bytes that are not an event', async () => {
    for (const bytes of ['', '{', '[]', 'null', '{"object":"event"}', '{"id":"evt_x","object":"event","type":"x"}']) {
      expect((await deliver(bytes)).status).toBe(400)
    }
  })
})

describe('the inbox', () => {
  test('stores an event of an unknown customer once, and answers 200 each time', async () => {
    const payload = event('evt_unknown', 'customer.subscription.created', {
      object: 'subscription',
      id: 'sub_unknown',
      customer: 'cus_unknown',
    })
    for (let i = 0; i < 3; i++) expect(await deliver(payload)).toEqual({ status: 200, body: { received: true } })
    const rows = await eventually('the event to be processed', async () => {
      const events = await stored('evt_unknown')
      return events[0]?.processedAt && events
    })
    expect(rows).toMatchObject([
      { type: 'customer.subscription.created', subjects: { subscription: 'sub_unknown', customer: 'cus_unknown' } },
    ])
  })

  test('stores an event of an unwatched type without a job', async () => {
    expect(
      (
        await deliver(
          event('evt_other', 'customer.tax_id.created', { object: 'tax_id', id: 'txi_1', customer: 'cus_unknown' }),
        )
      ).status,
    ).toBe(200)
    expect(await stored('evt_other')).toMatchObject([{ processedAt: expect.any(Date) }])
  })

  test('ignores the state inside an event', async () => {
    const artist = await createArtist(app, { plan: null })
    const { url } = await artist.trpc.subscription.createCheckout.mutate({ plan: 'social-line-work' })
    await fetch(`${url}?auto=approve`, { redirect: 'manual' })
    await eventually(
      'the subscription',
      async () => (await artist.get<{ status: string }>('/api/subscriptions/current')).body.status === 'active',
    )
    const [subscription] = (await stripe.subscriptions.list({ limit: 1 })).data
    const falsified = { ...subscription, status: 'canceled', metadata: { user_id: 'somebody else' } }
    await deliver(event('evt_falsified', 'customer.subscription.deleted', falsified))
    await eventually('the event to be processed', async () => (await stored('evt_falsified'))[0]?.processedAt)
    expect((await artist.get('/api/subscriptions/current')).body).toMatchObject({
      status: 'active',
      plan: 'social-line-work',
    })
  })

  test('redelivery in any order changes nothing', async () => {
    const artist = await createArtist(app, { plan: null })
    const { url } = await artist.trpc.subscription.createCheckout.mutate({ plan: 'complete-shading' })
    await fetch(`${url}?auto=approve`, { redirect: 'manual' })
    const listOrders = async () =>
      await app.client.db.select().from(subscriptionOrders).where(eq(subscriptionOrders.userId, artist.id))
    await eventually('the order', async () => (await listOrders()).length > 0)
    const before = await listOrders()
    const events = await control<{ id: string }[]>(app, 'GET', '/stripe/events')
    await control(app, 'POST', '/stripe/resend', { events: events.map((one) => one.id).toReversed() })
    await eventually('every event to be processed', async () =>
      (await app.client.db.select().from(stripeEvents)).every((one) => one.processedAt),
    )
    expect(await listOrders()).toEqual(before)
    expect(before).toMatchObject([
      { action: 'created', amount: 4900, refunded: 0, status: 'active', plan: 'complete-shading', currency: 'usd' },
    ])
  })
})
