import { users } from '@flashsheet/db/schema/auth'
import { mails } from '@flashsheet/db/schema/outbox'
import {
  billingMails,
  mrrMovements,
  stripeEvents,
  subscriptionOrders,
  subscriptions,
} from '@flashsheet/db/schema/subscription'
import { eq, sql } from 'drizzle-orm'
import { randomInt } from 'node:crypto'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../../core/context.ts'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { stripeAt } from '../../../testing/billing.ts'
import { control, eventually } from '../../../testing/sandbox.ts'
import { openSystem } from '../../../testing/system.ts'
import { receivedEvent, type ReceivedEvent } from '../../../gateways/stripe-objects.ts'
import { receiveEvent } from './receive.ts'
import { reconcileSubscriptions } from './reconcile.ts'
import { syncAfterEvent, syncCustomer } from './sync.ts'

let app: TestApp
let stripe: Stripe
const cleanUps: (() => Promise<void>)[] = []
beforeAll(async () => {
  app = await startTestApp()
  stripe = stripeAt(app)
})
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp()
  await app.stop()
})

/** The product with an empty database, which receives only the Stripe events that a test passes on. */
async function openObserver(): Promise<System> {
  const { system, close } = await openSystem(app, 'own')
  cleanUps.push(close)
  return system
}

async function copyUser(to: System, artist: Artist): Promise<void> {
  const [row] = await app.client.db.select().from(users).where(eq(users.id, artist.id))
  if (row) await to.db.insert(users).values(row)
}

/** Every event of Stripe so far, oldest first. */
async function eventsSoFar(): Promise<ReceivedEvent[]> {
  const listed = await control<{ id: string }[]>(app, 'GET', '/stripe/events')
  return await Promise.all(
    listed.map(async ({ id }) => {
      const event = eventCache.get(id) ?? receivedEvent(await stripe.events.retrieve(id))
      eventCache.set(id, event)
      return event
    }),
  )
}
const eventCache = new Map<string, ReceivedEvent>()

/** The events of one subscription's customer. */
async function eventsAbout(subscription: string): Promise<ReceivedEvent[]> {
  const customer = idOf((await stripe.subscriptions.retrieve(subscription)).customer)
  return (await eventsSoFar()).filter((event) => event.subjects.customer === customer)
}

/** Events with losses and repetitions in random order. */
function shuffledWithLosses<T>(events: readonly T[]): T[] {
  const deliveries = events.flatMap((event) => (randomInt(10) < 3 ? [] : randomInt(10) < 3 ? [event, event] : [event]))
  for (let i = deliveries.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    const [a, b] = [deliveries[i]!, deliveries[j]!]
    deliveries[i] = b
    deliveries[j] = a
  }
  return deliveries
}

/** Stores events and processes them as the queue does: some at once, others after more have arrived. */
async function receiveAndProcess(system: System, events: readonly ReceivedEvent[]): Promise<void> {
  let waiting: ReceivedEvent[] = []
  for (const [i, event] of events.entries()) {
    await receiveEvent(system, event)
    waiting.push(event)
    if (i < events.length - 1 && randomInt(4) > 0) continue
    for (const { id, subjects } of waiting) {
      const about = subjects.customer === undefined ? { chargeId: subjects.charge } : { customerId: subjects.customer }
      await syncAfterEvent(system, { ...about, eventId: id })
    }
    waiting = []
  }
}

/** The facts that must be equal: states, history, and the sums of the movements. */
async function outcome(db: System['db'], owner: string) {
  const rows = await db.select().from(subscriptions).where(eq(subscriptions.userId, owner))
  const orders = await db.select().from(subscriptionOrders).where(eq(subscriptionOrders.userId, owner))
  const movements = await db.select().from(mrrMovements).where(eq(mrrMovements.userId, owner))
  const totals = new Map<string, number>()
  for (const { stripeSubscriptionId, delta } of movements)
    totals.set(stripeSubscriptionId, (totals.get(stripeSubscriptionId) ?? 0) + delta)
  return {
    subscriptions: rows
      .map((row) => ({ ...row, id: '', updatedAt: null }))
      .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()),
    orders: orders
      .map((row) => ({ ...row, id: '' }))
      .toSorted((a, b) => `${a.stripeObjectId}${a.action}`.localeCompare(`${b.stripeObjectId}${b.action}`)),
    // A subscription that began and ended unobserved sums to zero, like one that was observed.
    movements: new Map([...totals].filter(([, total]) => total !== 0)),
    mrr: movements.reduce((sum, { delta }) => sum + delta, 0),
  }
}

/** The SDK may have an id or the expanded object. */
const idOf = (value: string | { id: string } | null | undefined): string =>
  typeof value === 'string' ? value : (value?.id ?? '')

async function subscribe(
  artist: Artist,
  plan: 'social-line-work' | 'complete-shading',
  query: string,
): Promise<string> {
  const { url } = await artist.trpc.subscription.createCheckout.mutate({ plan })
  await fetch(`${url}?${query}`, { redirect: 'manual' })
  const session = await stripe.checkout.sessions.retrieve(url.split('/').at(-1) ?? '')
  return idOf(session.subscription)
}

/** Waits until every event has arrived and is processed. */
const settled = async (db: System['db']) =>
  await eventually('every event to be processed', async () => {
    const done = new Set(
      (await db.select().from(stripeEvents)).filter((event) => event.processedAt !== null).map(({ id }) => id),
    )
    return (await eventsSoFar()).every(({ id }) => done.has(id))
  })

const repetitions = process.env['TEST_LONG'] === '1' ? 25 : 1

describe('the order and loss of events do not change the final state', () => {
  test('over the whole life of a subscription and a return', async () => {
    const artist = await createArtist(app, { plan: null })
    const observer = await openObserver()
    await copyUser(observer, artist)
    let first = ''
    let second = ''
    const advance = async (subscription: string) =>
      await control(app, 'POST', '/stripe/advance', { subscription, to: 'renewal' })
    const dispute = async (subscription: string, outcome?: 'won' | 'lost') =>
      await control(app, 'POST', '/stripe/dispute', { subscription, ...(outcome && { outcome }) })
    const portal = async (to: Parameters<Artist['trpc']['subscription']['openPortal']['mutate']>[0], query = '') => {
      const { url } = await artist.trpc.subscription.openPortal.mutate(to)
      await fetch(`${url}?auto=approve${query}`, { redirect: 'manual' })
      await artist.trpc.subscription.refresh.mutate()
    }
    const life: (() => Promise<unknown>)[] = [
      async () => (first = await subscribe(artist, 'social-line-work', 'auto=approve')),
      async () => {
        await eventually(
          'the subscription',
          async () => (await artist.get('/api/subscriptions/current')).status === 200,
        )
        await artist.post('/api/subscriptions/cancel')
      },
      async () => await artist.post('/api/subscriptions/reactivate'),
      async () => await portal({ to: 'plan', plan: 'complete-shading' }),
      async () => await dispute(first),
      async () => await dispute(first, 'lost'),
      async () => await portal({ to: 'plan', plan: 'social-line-work' }),
      async () => await portal({ to: 'card' }, '&card=declined'),
      // The credit of the downgrade pays the first month and part of the second.
      async () => await advance(first),
      async () => await advance(first),
      async () => await advance(first),
      async () => await advance(first),
      async () => {
        await eventually(
          'the end',
          async () => (await artist.get<{ status: string }>('/api/subscriptions/current')).body.status === 'canceled',
        )
        second = await subscribe(artist, 'complete-shading', 'auto=approve')
      },
      async () => {
        await dispute(second)
        await dispute(second, 'won')
      },
      async () => await advance(second),
      async () => {
        const invoice = await stripe.invoices.retrieve(
          idOf((await stripe.subscriptions.retrieve(second)).latest_invoice),
          { expand: ['payments'] },
        )
        await stripe.refunds.create({
          payment_intent: idOf(invoice.payments?.data[0]?.payment.payment_intent),
          amount: 1500,
        })
      },
    ]
    let deliveredCount = 0
    for (const step of life) {
      await step()
      const events = await eventsSoFar()
      const redelivered = events.filter(() => randomInt(events.length) < 4)
      await receiveAndProcess(observer, shuffledWithLosses([...events.slice(deliveredCount), ...redelivered]))
      deliveredCount = events.length
    }
    await settled(app.client.db)
    const expected = await outcome(app.client.db, artist.id)

    expect(expected.subscriptions).toMatchObject([
      { stripeSubscriptionId: first, status: 'canceled', plan: 'social-line-work', mrr: 0, amountDue: 0 },
      { stripeSubscriptionId: second, status: 'active', plan: 'complete-shading', mrr: 4900, amountDue: 0 },
    ])
    expect(
      expected.orders
        .map(({ action, amount, refunded, status, plan }) => [action, amount, refunded, status, plan].join(' '))
        .toSorted(),
    ).toEqual([
      'canceled 0 0 canceled social-line-work',
      'created 1900 0 active social-line-work',
      'created 4900 0 active complete-shading',
      'past_due 0 0 past_due social-line-work',
      'payment_failed 0 0 past_due social-line-work',
      'payment_succeeded 3000 3000 active complete-shading',
      'reactivated 0 0 active complete-shading',
      'reactivated 0 0 active social-line-work',
      'renewed 0 0 active social-line-work',
      'renewed 4900 1500 active complete-shading',
      'unpaid 0 0 unpaid social-line-work',
      'updated 0 0 active complete-shading',
      'updated 0 0 active social-line-work',
    ])
    expect(expected.mrr).toBe(4900)
    expect(expected.orders.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0)).toBe(
      1900 + 4900 + 4900 - 1500,
    )

    const all = await eventsSoFar()
    await reconcileSubscriptions(observer)
    expect(await outcome(observer.db, artist.id)).toEqual(expected)
    // Receiving everything again, in any order, changes nothing.
    await receiveAndProcess(observer, shuffledWithLosses(all))
    await reconcileSubscriptions(observer)
    expect(await outcome(observer.db, artist.id)).toEqual(expected)
    // Each mail was sent for a different reason.
    expect(await observer.db.$count(mails)).toBe(await observer.db.$count(billingMails))

    // A database that receives all of it afterwards ends in the same state, repeatedly.
    const late = await openObserver()
    await copyUser(late, artist)
    for (let i = 0; i < repetitions; i++) {
      for (const table of [subscriptions, subscriptionOrders, mrrMovements, stripeEvents]) await late.db.delete(table)
      await receiveAndProcess(late, shuffledWithLosses(all))
      await reconcileSubscriptions(late)
      expect(await outcome(late.db, artist.id), `repetition ${i}`).toEqual(expected)
    }
  }, 300_000)
})

describe('a night without changes', () => {
  test('writes no row; a real difference is written', async () => {
    const artist = await createArtist(app, { plan: null })
    const observer = await openObserver()
    await copyUser(observer, artist)
    await subscribe(artist, 'social-line-work', 'auto=approve')
    await reconcileSubscriptions(observer)
    const versions = async () => [
      ...(await observer.db.execute(
        sql`select id, xmin::text as version from subscription_orders union all select id, xmin::text from subscriptions order by 1`,
      )),
    ]
    const before = await versions()
    expect(before.length).toBeGreaterThanOrEqual(2)
    await reconcileSubscriptions(observer)
    expect(await versions()).toEqual(before)
    await observer.db.update(subscriptionOrders).set({ userId: null })
    await observer.db.update(subscriptions).set({ mrr: 1 })
    await reconcileSubscriptions(observer)
    expect(
      await observer.db
        .select({ of: subscriptionOrders.userId })
        .from(subscriptionOrders)
        .where(eq(subscriptionOrders.userId, artist.id)),
    ).not.toEqual([])
    expect(
      await observer.db
        .select({ mrr: subscriptions.mrr })
        .from(subscriptions)
        .where(eq(subscriptions.userId, artist.id)),
    ).toEqual([{ mrr: 1900 }])
  })
})

describe('one subscription at a time', () => {
  test('concurrent runs write one row, one order and one movement', async () => {
    const artist = await createArtist(app, { plan: null })
    const observer = await openObserver()
    await copyUser(observer, artist)
    await subscribe(artist, 'social-line-work', 'auto=approve')
    const customer =
      (await app.client.db.select().from(users).where(eq(users.id, artist.id)))[0]?.stripeCustomerId ?? ''
    const events = (await eventsSoFar()).filter((event) => event.subjects.customer === customer)
    await Promise.all(events.map(async (event) => await receiveAndProcess(observer, [event])))
    expect(await outcome(observer.db, artist.id)).toMatchObject({
      subscriptions: [{ status: 'active' }],
      orders: [{ action: 'created', amount: 1900 }],
      mrr: 1900,
    })
    expect(await observer.db.select().from(mrrMovements)).toHaveLength(1)
  })

  test('without metadata and with an unknown customer the artist is found by the checkout', async () => {
    const artist = await createArtist(app, { plan: null })
    const observer = await openObserver()
    await copyUser(observer, artist)
    const [price] = (await stripe.prices.list({ lookup_keys: ['social-line-work'] })).data
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: price?.id ?? '', quantity: 1 }],
      success_url: 'http://localhost/',
      client_reference_id: artist.id,
      customer_email: artist.email,
    })
    await fetch(`${session.url}?auto=approve`, { redirect: 'manual' })
    await reconcileSubscriptions(observer)
    expect(await outcome(observer.db, artist.id)).toMatchObject({
      subscriptions: [{ status: 'active' }],
      orders: [{ action: 'created' }],
    })
    expect((await observer.db.select().from(users))[0]?.stripeCustomerId).toMatch(/^cus_/)
  })

  test('a subscription of an unknown artist is stored, and assigned once the artist is known', async () => {
    const artist = await createArtist(app, { plan: null })
    const observer = await openObserver()
    const id = await subscribe(artist, 'social-line-work', 'auto=approve')
    // Whoever works with Stripe's dashboard may write any text.
    await stripe.subscriptions.update(id, { metadata: { user_id: 'somebody' } })
    await reconcileSubscriptions(observer)
    const mine = async () =>
      (await observer.db.select().from(subscriptions).where(eq(subscriptions.stripeSubscriptionId, id)))[0]
    expect(await mine()).toMatchObject({ userId: null, status: 'active' })
    await copyUser(observer, artist)
    await reconcileSubscriptions(observer)
    expect(await mine()).toMatchObject({ userId: artist.id })
    expect((await outcome(observer.db, artist.id)).orders).toMatchObject([{ action: 'created' }])
    // It is not assigned to another one afterwards.
    const other = await createArtist(app, { plan: null })
    await copyUser(observer, other)
    await stripe.subscriptions.update(id, { cancel_at_period_end: true, metadata: { user_id: other.id } })
    await reconcileSubscriptions(observer)
    expect(await mine()).toMatchObject({ userId: artist.id, cancelAtPeriodEnd: true })
  })

  test('a subscription whose customer is deleted at Stripe, and no longer listed, ends here too', async () => {
    const artist = await createArtist(app, { plan: null })
    const observer = await openObserver()
    await copyUser(observer, artist)
    const id = await subscribe(artist, 'social-line-work', 'auto=approve')
    await reconcileSubscriptions(observer)
    const customer = idOf((await stripe.subscriptions.retrieve(id)).customer)
    await stripe.customers.del(customer)
    await settled(app.client.db)
    const body = {
      error: {
        type: 'invalid_request_error',
        code: 'resource_missing',
        param: 'customer',
        message: 'No such customer',
      },
    }
    await control(app, 'POST', '/faults', {
      service: 'stripe',
      method: 'GET',
      path: `/v1/subscriptions\\?customer=${customer}`,
      kind: 'status',
      status: 404,
      body,
      times: 100,
    })
    await syncCustomer(observer, customer)
    await control(app, 'DELETE', '/faults')
    expect(await outcome(observer.db, artist.id)).toMatchObject({ subscriptions: [{ status: 'canceled' }], mrr: 0 })
  })

  test('a subscription of another product is not changed', async () => {
    const observer = await openObserver()
    const product = await stripe.products.create({ name: 'Stickers' })
    const price = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
    })
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: 'http://localhost/',
    })
    await fetch(`${session.url}?auto=approve`, { redirect: 'manual' })
    const id = idOf((await stripe.checkout.sessions.retrieve(session.id)).subscription)
    await reconcileSubscriptions(observer)
    expect(await observer.db.select().from(subscriptions).where(eq(subscriptions.stripeSubscriptionId, id))).toEqual([])

    // It also stays when its customer subscribes to one of our plans.
    const artist = await createArtist(app, { plan: null })
    await copyUser(observer, artist)
    const { url } = await artist.trpc.subscription.createCheckout.mutate({ plan: 'social-line-work' })
    const [customer] = (await stripe.customers.list({ email: artist.email })).data
    const waiting = await stripe.subscriptions.create({
      customer: customer?.id ?? '',
      items: [{ price: price.id }],
      payment_behavior: 'default_incomplete',
    })
    await fetch(`${url}?auto=approve`, { redirect: 'manual' })
    await reconcileSubscriptions(observer)
    expect((await stripe.subscriptions.retrieve(waiting.id)).status).toBe('incomplete')
    expect(await outcome(observer.db, artist.id)).toMatchObject({ subscriptions: [{ status: 'active' }] })
  })
})

describe('hooks of later slices', () => {
  test('run once when access ends, and once when it returns', async () => {
    const artist = await createArtist(app, { plan: null })
    const observer = await openObserver()
    await copyUser(observer, artist)
    const ran: string[] = []
    for (const fact of ['subscriptionStopped', 'subscriptionResumed'] as const) {
      observer.hooks.on(fact, async (_system, _tx, { owner }) => {
        if (owner === artist.id) ran.push(fact)
      })
    }
    const id = await subscribe(artist, 'social-line-work', 'auto=approve&card=declined')
    const sync = async () => await receiveAndProcess(observer, await eventsAbout(id))
    await sync()
    expect(ran).toEqual(['subscriptionResumed'])
    await control(app, 'POST', '/stripe/advance', { subscription: id, to: 'renewal' })
    await sync()
    // The first failed charge does not end access.
    expect(ran).toEqual(['subscriptionResumed'])
    await control(app, 'POST', '/stripe/advance', { subscription: id, to: 'renewal' })
    await sync()
    await sync()
    expect(ran).toEqual(['subscriptionResumed', 'subscriptionStopped'])
  })

  test('run when the public site and bookings close or open again, by a change of plan too', async () => {
    const artist = await createArtist(app, { plan: null })
    const observer = await openObserver()
    await copyUser(observer, artist)
    const ran: string[] = []
    for (const fact of ['studioClosed', 'studioOpened'] as const) {
      observer.hooks.on(fact, async (_system, _tx, { owner }) => {
        if (owner === artist.id) ran.push(fact)
      })
    }
    const sync = async () => {
      await receiveAndProcess(observer, await eventsAbout(id))
      return ran.splice(0)
    }
    const id = await subscribe(artist, 'social-line-work', 'auto=approve&card=declined')
    expect(await sync()).toEqual([])
    const change = async (plan: string) => {
      const [item] = (await stripe.subscriptions.retrieve(id)).items.data
      const [price] = (await stripe.prices.list({ lookup_keys: [plan] })).data
      await stripe.subscriptions.update(id, {
        items: [{ id: item?.id ?? '', price: price?.id ?? '' }],
        proration_behavior: 'none',
      })
    }
    await change('complete-shading')
    expect(await sync()).toEqual(['studioOpened'])
    await change('social-line-work')
    expect(await sync()).toEqual(['studioClosed'])
    await change('complete-shading')
    expect(await sync()).toEqual(['studioOpened'])
    await control(app, 'POST', '/stripe/advance', { subscription: id, to: 'renewal' })
    // The public site stays open after one failed charge.
    expect(await sync()).toEqual([])
    await control(app, 'POST', '/stripe/advance', { subscription: id, to: 'renewal' })
    expect(await sync()).toEqual(['studioClosed'])
  })
})
