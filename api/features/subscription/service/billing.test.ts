import { planIds } from '@flashsheet/contracts/plans'
import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import { mrrMovements, subscriptionOrders, subscriptions } from '@flashsheet/db/schema/subscription'
import { and, asc, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { advance, payFor, stripeAt, stripeIdsOf, subscribedArtist, refuseAtStripe } from '../../../testing/billing.ts'
import { control, eventually } from '../../../testing/sandbox.ts'

let app: TestApp
let stripe: Stripe
beforeAll(async () => {
  app = await startTestApp()
  stripe = stripeAt(app)
})
afterAll(async () => await app.stop())
afterEach(async () => await control(app, 'DELETE', '/faults'))

const refusal = (httpStatus: number, message?: string) => ({
  data: { httpStatus },
  ...(message === undefined ? {} : { message }),
})
const toPlan = async (artist: Artist, plan: 'social-line-work' | 'complete-shading') =>
  (await artist.trpc.subscription.openPortal.mutate({ to: 'plan', plan })).url
/** Approves a flow of the portal and returns the address of its redirect. */
const approve = async (url: string, query = '') =>
  (await fetch(`${url}?auto=approve${query}`, { redirect: 'manual' })).headers.get('location')

describe('refusals', () => {
  test('somebody not logged in, unverified, or without a subscription', async () => {
    await expect(app.visitor().trpc.subscription.openPortal.mutate({ to: 'overview' })).rejects.toMatchObject(
      refusal(401),
    )
    await expect(
      (await createArtist(app, { verified: false })).trpc.subscription.openPortal.mutate({ to: 'overview' }),
    ).rejects.toMatchObject(refusal(403))
    const nobody = await createArtist(app, { plan: null })
    await expect(nobody.trpc.subscription.openPortal.mutate({ to: 'card' })).rejects.toMatchObject(
      refusal(404, subscriptionMessages.none),
    )
    await expect(nobody.trpc.subscription.refresh.mutate()).rejects.toMatchObject(
      refusal(404, subscriptionMessages.none),
    )
  })

  test('an unknown plan or flow', async () => {
    const artist = await createArtist(app)
    await expect(toPlan(artist, 'gold' as never)).rejects.toMatchObject(refusal(400, subscriptionMessages.invalidPlan))
    await expect(artist.trpc.subscription.openPortal.mutate({ to: 'vault' } as never)).rejects.toMatchObject(
      refusal(400),
    )
  })

  test.each([
    ['active', 'complete-shading', subscriptionMessages.samePlan],
    ['past_due', 'social-line-work', subscriptionMessages.payFirst],
    ['unpaid', 'social-line-work', subscriptionMessages.subscribeFirst],
    ['canceled', 'social-line-work', subscriptionMessages.subscribeFirst],
    ['incomplete', 'social-line-work', subscriptionMessages.subscribeFirst],
  ] as const)('a change of plan while %s', async (status, plan, message) => {
    await expect(toPlan(await createArtist(app, { status }), plan)).rejects.toMatchObject(refusal(409, message))
  })

  test('a change of plan before a scheduled end, or when it was changed elsewhere', async () => {
    const artist = await subscribedArtist(app)
    const late = await subscribedArtist(app, 'social-line-work', 'auto=approve&card=declined')
    const { subscription } = await stripeIdsOf(app, artist)
    await artist.trpc.subscription.cancel.mutate()
    await expect(toPlan(artist, 'complete-shading')).rejects.toMatchObject(
      refusal(409, subscriptionMessages.reactivateFirst),
    )
    await artist.trpc.subscription.reactivate.mutate()
    const url = await toPlan(artist, 'complete-shading')
    await control(app, 'POST', '/faults', {
      service: 'stripe',
      method: 'GET',
      path: '/v1/subscriptions\\?',
      kind: 'status',
      status: 500,
      times: 100,
    })
    await approve(url)
    expect((await stripe.subscriptions.retrieve(subscription)).items.data[0]?.price.lookup_key).toBe('complete-shading')
    await expect(toPlan(artist, 'complete-shading')).rejects.toMatchObject(refusal(409, subscriptionMessages.samePlan))
    const unpaid = (await stripeIdsOf(app, late)).subscription
    await control(app, 'POST', '/stripe/advance', { subscription: unpaid, to: 'renewal' })
    await expect(toPlan(late, 'complete-shading')).rejects.toMatchObject(refusal(409, subscriptionMessages.payFirst))
    await stripe.subscriptions.cancel(subscription)
    await expect(toPlan(artist, 'complete-shading')).rejects.toMatchObject(
      refusal(409, subscriptionMessages.subscribeFirst),
    )
  })

  test('a failure at Stripe has the product’s message', async () => {
    const artist = await subscribedArtist(app)
    await refuseAtStripe(app, 'POST', '/billing_portal/sessions')
    await expect(artist.trpc.subscription.openPortal.mutate({ to: 'overview' })).rejects.toMatchObject(
      refusal(502, subscriptionMessages.portalFailed),
    )
    expect((await artist.trpc.subscription.openPortal.mutate({ to: 'overview' })).url).toContain(
      `${app.sandboxUrl}/portal/`,
    )
  })

  test('a customer who was deleted at Stripe, with the way on; the state is read from there', async () => {
    const artist = await subscribedArtist(app)
    await stripe.customers.del((await stripeIdsOf(app, artist)).customer)
    const statusOf = async () => (await artist.trpc.subscription.current.query())?.status
    await eventually('the end', async () => (await statusOf()) === 'canceled')
    // As if Stripe's event had been lost.
    await app.client.db.update(subscriptions).set({ status: 'active' }).where(eq(subscriptions.userId, artist.id))
    for (const to of ['overview', 'card'] as const)
      await expect(artist.trpc.subscription.openPortal.mutate({ to })).rejects.toMatchObject(
        refusal(409, subscriptionMessages.customerGone),
      )
    expect(await statusOf()).toBe('canceled')
    await payFor(artist, 'social-line-work')
    expect((await artist.trpc.subscription.openPortal.mutate({ to: 'overview' })).url).toContain('/portal/')
  })
})

describe('the portal', () => {
  test('is configured once, with every plan, however many requests are concurrent', async () => {
    const artists = await Promise.all([subscribedArtist(app), subscribedArtist(app), subscribedArtist(app)])
    await Promise.all(
      artists.map(async (artist) => await artist.trpc.subscription.openPortal.mutate({ to: 'overview' })),
    )
    const ours = (await stripe.billingPortal.configurations.list({ limit: 100 })).data.filter(
      (one) => one.metadata?.['flashsheet'],
    )
    expect(ours).toHaveLength(1)
    expect(ours[0]?.features.subscription_update).toMatchObject({
      enabled: true,
      proration_behavior: 'always_invoice',
      products: planIds.map(() => ({})),
    })
    await stripe.billingPortal.configurations.update(ours[0]?.id ?? '', {
      metadata: { flashsheet: 'of an older version' },
    })
    await artists[0]?.trpc.subscription.openPortal.mutate({ to: 'overview' })
    expect(
      (await stripe.billingPortal.configurations.list({ limit: 100 })).data
        .filter((one) => one.metadata?.['flashsheet'])
        .map((one) => one.id),
    ).toEqual([ours[0]?.id])
  })

  test('shows an artist their own invoices and nobody else’s', async () => {
    const [one, other] = [await subscribedArtist(app), await subscribedArtist(app)]
    const shown = await (await fetch((await one.trpc.subscription.openPortal.mutate({ to: 'overview' })).url)).text()
    expect(shown).toContain(one.email)
    expect(shown).not.toContain(other.email)
    expect(shown.match(/\/invoice\/in_/g)).toHaveLength(1)
  })

  test('saves a new card, which pays the open invoice and the next month', async () => {
    const artist = await subscribedArtist(app, 'social-line-work', 'auto=approve&card=declined')
    await advance(app, artist, 'renewal', 'past_due')
    const { url } = await artist.trpc.subscription.openPortal.mutate({ to: 'card' })
    expect(await approve(url)).toBe(`${app.url}/subscription?from=billing&done=card`)
    await advance(app, artist, 'renewal', 'active')
    await advance(app, artist, 'renewal', 'active')
  })

  test('the payment page saves the card that paid', async () => {
    const artist = await subscribedArtist(app, 'social-line-work', 'auto=approve&card=declined')
    await advance(app, artist, 'renewal', 'past_due')
    const { url } = await artist.trpc.subscription.pay.mutate()
    await fetch(`${url}?auto=approve&card=good`)
    await eventually(
      'the payment',
      async () => (await artist.get<Subscription>('/api/subscriptions/current')).body.status === 'active',
    )
    const end = async () => (await artist.get<Subscription>('/api/subscriptions/current')).body.currentPeriodEnd
    const before = await end()
    await control(app, 'POST', '/stripe/advance', {
      subscription: (await stripeIdsOf(app, artist)).subscription,
      to: 'renewal',
    })
    await eventually('the next month', async () => (await end()) !== before)
    expect(await artist.trpc.subscription.refresh.mutate()).toMatchObject({ status: 'active' })
  })

  test('an ended subscription has nothing to pay, not even what it owed', async () => {
    const artist = await subscribedArtist(app, 'social-line-work', 'auto=approve&card=declined')
    await advance(app, artist, 'renewal', 'past_due')
    const { subscription, customer } = await stripeIdsOf(app, artist)
    await stripe.subscriptions.cancel(subscription)
    await artist.trpc.subscription.refresh.mutate()
    expect((await stripe.invoices.list({ customer, status: 'open' })).data).toEqual([])
    await expect(artist.trpc.subscription.pay.mutate()).rejects.toMatchObject(
      refusal(409, subscriptionMessages.nothingToPay),
    )
    await expect(
      (await createArtist(app, { status: 'canceled' })).trpc.subscription.pay.mutate(),
    ).rejects.toMatchObject(refusal(409, subscriptionMessages.nothingToPay))
  })
})

test('the refund period ends with the refund, not with a part of it', async () => {
  const artist = await subscribedArtist(app)
  const { customer } = await stripeIdsOf(app, artist)
  const refundUntil = async () => (await artist.trpc.subscription.billing.query())?.refundUntil
  const { data: charges } = await stripe.charges.list({ customer })
  const refund = async (amount: number) =>
    await stripe.refunds.create({ charge: charges[0]?.id ?? '', amount }, { idempotencyKey: `${artist.id}-${amount}` })
  const refunded = async (amount: number) =>
    await eventually(
      'the refund',
      async () =>
        (await app.client.db.$count(
          subscriptionOrders,
          and(eq(subscriptionOrders.userId, artist.id), eq(subscriptionOrders.refunded, amount)),
        )) === 1,
    )
  await refund(900)
  await refunded(900)
  expect(await refundUntil()).toEqual(expect.any(String))
  await refund(1000)
  await refunded(1900)
  expect(await refundUntil()).toBe(null)
})

describe('an incomplete subscription', () => {
  /** An incomplete subscription, as begun at Stripe's dashboard or by a slow payment. */
  async function incompleteSubscription(): Promise<{ artist: Artist; id: string }> {
    const artist = await createArtist(app, { plan: null })
    await artist.trpc.subscription.createCheckout.mutate({ plan: 'social-line-work' })
    const [customer] = (await stripe.customers.list({ email: artist.email })).data
    const [price] = (await stripe.prices.list({ lookup_keys: ['social-line-work'] })).data
    const subscription = await stripe.subscriptions.create({
      customer: customer?.id ?? '',
      items: [{ price: price?.id ?? '' }],
      payment_behavior: 'default_incomplete',
      metadata: { user_id: artist.id },
    })
    await eventually(
      'the subscription',
      async () => (await artist.get<Subscription>('/api/subscriptions/current')).body.status === 'incomplete',
    )
    return { artist, id: subscription.id }
  }

  test('grants nothing, and begins with its first payment', async () => {
    const { artist } = await incompleteSubscription()
    expect(await artist.get('/api/media')).toMatchObject({
      status: 403,
      body: { message: 'Your subscription setup was not completed.' },
    })
    expect(await artist.trpc.subscription.billing.query()).toMatchObject({
      amountDue: 1900,
      paymentProblem: null,
      refundUntil: null,
    })
    const { url } = await artist.trpc.subscription.pay.mutate()
    await fetch(`${url}?auto=approve&card=good`)
    await eventually(
      'the payment',
      async () => (await artist.get<Subscription>('/api/subscriptions/current')).body.status === 'active',
    )
    expect((await artist.get('/api/media')).status).toBe(200)
  })

  test('expires when it is not paid, without an order', async () => {
    const { artist, id } = await incompleteSubscription()
    await control(app, 'POST', '/stripe/advance', { subscription: id, to: 'renewal' })
    await eventually(
      'the end',
      async () => (await artist.get<Subscription>('/api/subscriptions/current')).body.status === 'canceled',
    )
    expect(
      await app.client.db.select().from(subscriptionOrders).where(eq(subscriptionOrders.userId, artist.id)),
    ).toEqual([])
    await expect(artist.trpc.subscription.pay.mutate()).rejects.toMatchObject(
      refusal(409, subscriptionMessages.nothingToPay),
    )
  })
})

describe('another plan', () => {
  test('writes an order with its payment, and moves MRR; credit is no payment', async () => {
    const artist = await subscribedArtist(app)
    for (const plan of ['complete-shading', 'social-line-work'] as const) {
      await approve(await toPlan(artist, plan))
      // The page that the artist returns to does not wait for events.
      expect(await artist.trpc.subscription.refresh.mutate()).toMatchObject({ plan, status: 'active' })
    }

    const history = await eventually('both orders', async () => {
      const orders = await app.client.db
        .select()
        .from(subscriptionOrders)
        .where(eq(subscriptionOrders.userId, artist.id))
        .orderBy(asc(subscriptionOrders.createdAt))
      return orders.filter((one) => one.action === 'updated').length === 2 && orders
    })
    const lines = history.map((one) => `${one.action} ${one.plan} ${one.amount}`).toSorted()
    expect(lines).toEqual([
      'created social-line-work 1900',
      'payment_succeeded complete-shading 3000',
      'updated complete-shading 0',
      'updated social-line-work 0',
    ])
    const movements = await app.client.db
      .select()
      .from(mrrMovements)
      .where(eq(mrrMovements.userId, artist.id))
      .orderBy(asc(mrrMovements.id))
    expect(movements.map((one) => [one.kind, one.delta])).toEqual([
      ['new', 1900],
      ['expansion', 3000],
      ['contraction', -3000],
    ])
    await expect(toPlan(artist, 'social-line-work')).rejects.toMatchObject(refusal(409, subscriptionMessages.samePlan))
  })
})
