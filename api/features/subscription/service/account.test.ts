import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { users } from '@flashsheet/db/schema/auth'
import { mails } from '@flashsheet/db/schema/outbox'
import { subscriptionOrders } from '@flashsheet/db/schema/subscription'
import { and, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../../core/context.ts'
import { createLogger } from '../../../core/log.ts'
import { ownerScope } from '../../../core/scope.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { stripeAt, payFor, stripeIdsOf, subscribedArtist, refuseAtStripe } from '../../../testing/billing.ts'
import { openSystem } from '../../../testing/system.ts'
import { fault, heldMs, timesHit } from '../../../testing/posting.ts'
import { control, eventually, mailTo } from '../../../testing/sandbox.ts'
import { cancelQueue, expireCheckoutsQueue } from '../jobs.ts'
import { cancelAtStripe, expireCheckoutsAtStripe, updateContactAtStripe } from './account.ts'

let app: TestApp
let stripe: Stripe
let system: System
let close: () => Promise<void>
beforeAll(async () => {
  app = await startTestApp()
  stripe = stripeAt(app)
  ;({ system, close } = await openSystem(app))
})
afterAll(async () => {
  await close()
  await app.stop()
})

const customerAt = async (id: string) => (await stripe.customers.retrieve(id)) as Stripe.Customer
const requestDeletion = async (artist: Artist) =>
  await retryOnDeadlock(
    system.db,
    async (tx) => await system.hooks.run('accountDeletionRequested', system, tx, { owner: ownerScope(artist.id) }),
  )

describe('an artist’s name and address', () => {
  test('are updated at Stripe when they change, also after a failed attempt', async () => {
    const artist = await subscribedArtist(app)
    const { customer } = await stripeIdsOf(app, artist)
    await refuseAtStripe(app, 'POST', `/v1/customers/${customer}`)
    await artist.put('/api/users/profile', { _id: artist.id, name: 'Ada Newname' })
    await eventually('the new name at Stripe', async () => (await customerAt(customer)).name === 'Ada Newname')

    const email = `moved-${artist.id}@studio.example`
    await artist.put('/api/users/profile', { _id: artist.id, email, currentPassword: artist.password })
    const link = (await mailTo(app, email, /Confirm your new/)).links.find((one) => one.includes('/verify-email')) ?? ''
    expect((await customerAt(customer)).email).toBe(artist.email)
    await artist.post('/api/users/verify-email', { token: new URL(link).searchParams.get('token') })
    await eventually('the new address at Stripe', async () => (await customerAt(customer)).email === email)
  })

  test('are the latest ones at Stripe, although an update with older ones takes longer', async () => {
    const artist = await subscribedArtist(app)
    const { customer } = await stripeIdsOf(app, artist)
    const rename = async (name: string) =>
      await app.client.db.update(users).set({ name }).where(eq(users.id, artist.id))
    const held = await fault(app, 'stripe', 'slow', `/v1/customers/${customer}`, { method: 'POST', delayMs: heldMs })
    await rename('Ada Older')
    const first = updateContactAtStripe(system, { userId: artist.id })
    await eventually('the first update', async () => (await timesHit(app, held)) === 1)
    await rename('Ada Latest')
    let isDone = false
    const second = updateContactAtStripe(system, { userId: artist.id }).finally(() => (isDone = true))
    await eventually('the second update to end, or to be excluded by the first', async () => {
      const leases = await app.client.sql`select key from leases where key = ${`stripe:${customer}`}`
      return isDone || leases.length > 0
    })
    await control(app, 'DELETE', '/faults')
    await Promise.all([first, second])
    expect((await customerAt(customer)).name).toBe('Ada Latest')
  })

  test('are updated at Stripe when staff change them', async () => {
    const [artist, admin] = [await subscribedArtist(app), await createArtist(app, { admin: true })]
    const { customer } = await stripeIdsOf(app, artist)
    const email = `set-${artist.id}@studio.example`
    expect((await admin.put(`/api/admin/users/${artist.id}`, { name: 'Set By Staff', email })).status).toBe(200)
    await eventually('both at Stripe', async () => {
      const { name, email: known } = await customerAt(customer)
      return name === 'Set By Staff' && known === email
    })
  })

  test('are not sent for an artist without a customer at Stripe', async () => {
    const withoutCustomer = await createArtist(app, { plan: null })
    expect((await withoutCustomer.put('/api/users/profile', { _id: withoutCustomer.id, name: 'New' })).status).toBe(200)
    const deletedAtStripe = await subscribedArtist(app)
    await stripe.customers.del((await stripeIdsOf(app, deletedAtStripe)).customer)
    expect((await deletedAtStripe.put('/api/users/profile', { _id: deletedAtStripe.id, name: 'New' })).status).toBe(200)
  })
})

describe('deleting an account', () => {
  test('ends everything at Stripe, also when the account is gone before Stripe answers; the orders stay', async () => {
    const artist = await subscribedArtist(app, 'complete-shading')
    const { customer, subscription } = await stripeIdsOf(app, artist)
    const page = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [
        { price: (await stripe.prices.list({ lookup_keys: ['social-line-work'] })).data[0]?.id ?? '', quantity: 1 },
      ],
      success_url: 'http://localhost/',
    })
    await refuseAtStripe(app, 'DELETE', `/v1/subscriptions/${subscription}`)
    await requestDeletion(artist)
    // As in a purge, the transaction is retried after a deadlock with the job that cancels at Stripe.
    await retryOnDeadlock(app.client.db, async (tx) => await tx.delete(users).where(eq(users.id, artist.id)))
    await eventually(
      'the end at Stripe',
      async () => (await stripe.subscriptions.retrieve(subscription)).status === 'canceled',
    )
    expect((await stripe.checkout.sessions.retrieve(page.id)).status).toBe('expired')
    await eventually('the orders', async () => {
      const orders = await app.client.db
        .select()
        .from(subscriptionOrders)
        .where(eq(subscriptionOrders.stripeCustomerId, customer))
      return orders.length === 2 && orders.every((one) => one.userId === null)
    })
  })

  test('ends a subscription whose beginning was not known yet', async () => {
    const artist = await subscribedArtist(app)
    const { customer, subscription } = await stripeIdsOf(app, artist)
    await app.client.db.update(users).set({ deletionAskedAt: app.clock.now() }).where(eq(users.id, artist.id))
    const lines: string[] = []
    const log = createLogger('error', { write: (line: string) => void lines.push(line) })
    await cancelAtStripe({ ...system, log }, { customerId: customer, subscriptionIds: [] })
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('canceled')
    expect(
      lines.filter((line) => line.includes(subscription) && line.includes('may have to be refunded')),
    ).toHaveLength(1)
    // The mail about the deletion has said so, and the artist is not invited back.
    const isOfEnd = and(eq(mails.to, artist.email), eq(mails.subject, 'Your subscription has ended'))
    expect(await app.client.db.$count(mails, isOfEnd)).toBe(0)
  })

  test('ends a subscription that staff began at Stripe during the grace period', async () => {
    const artist = await subscribedArtist(app)
    const { customer, subscription } = await stripeIdsOf(app, artist)
    await requestDeletion(artist)
    const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status
    await eventually('the end at Stripe', async () => (await statusOf(subscription)) === 'canceled')
    const given = await stripe.subscriptions.create({
      customer,
      items: [{ price: (await stripe.prices.list({ lookup_keys: ['social-line-work'] })).data[0]?.id ?? '' }],
      payment_behavior: 'default_incomplete',
    })
    const closing = { owner: ownerScope(artist.id) }
    await app.client.db.update(users).set({ deletionAskedAt: app.clock.now() }).where(eq(users.id, artist.id))
    await retryOnDeadlock(system.db, async (tx) => await system.hooks.run('accountClosing', system, tx, closing))
    await eventually('the end of the given one', async () => (await statusOf(given.id)) === 'canceled')
  })

  test('ends no subscription that began after it was undone, when its job runs again', async () => {
    const artist = await subscribedArtist(app)
    const before = await stripeIdsOf(app, artist)
    await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })
    const job = await eventually('the job', async () => {
      const [row] = await app.client.sql`select data from pgboss.job
        where name = ${cancelQueue.name} and data->>'customerId' = ${before.customer} and state = 'completed'`
      return row && cancelQueue.payload.parse(row['data'])
    })
    expect((await stripe.subscriptions.retrieve(before.subscription)).status).toBe('canceled')
    await artist.post('/api/users/auth', { email: artist.email, password: artist.password })
    await artist.trpc.auth.keepAccount.mutate()
    await artist.trpc.subscription.createCheckout.mutate({ plan: 'social-line-work' })
    await cancelAtStripe(system, job)
    const [page] = (await stripe.checkout.sessions.list({ customer: before.customer, limit: 1 })).data
    expect(page?.status).toBe('open')
    await payFor(artist, 'social-line-work')
    const after = await stripeIdsOf(app, artist)
    expect(after).toMatchObject({ customer: before.customer })
    // As after a crash between the end of the job and the record of it.
    await cancelAtStripe(system, job)
    expect((await stripe.subscriptions.retrieve(after.subscription)).status).toBe('active')
    await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })
    await eventually(
      'the end at Stripe',
      async () => (await stripe.subscriptions.retrieve(after.subscription)).status === 'canceled',
    )
  })

  test('does nothing the second time, or without a subscription', async () => {
    const artist = await subscribedArtist(app)
    const { subscription } = await stripeIdsOf(app, artist)
    await requestDeletion(artist)
    await requestDeletion(artist)
    await eventually(
      'the end at Stripe',
      async () => (await stripe.subscriptions.retrieve(subscription)).status === 'canceled',
    )
    await requestDeletion(await createArtist(app, { plan: null }))
    await requestDeletion(await createArtist(app))
  })
})

describe('deactivating an artist', () => {
  const openPage = async (artist: Artist) => {
    const { url } = await artist.trpc.subscription.createCheckout.mutate({ plan: 'social-line-work' })
    return url.split('/').at(-1) ?? ''
  }
  const statusOf = async (page: string) => (await stripe.checkout.sessions.retrieve(page)).status
  const setActive = async (artist: Artist, isActive: boolean) => {
    const admin = await createArtist(app, { admin: true })
    expect((await admin.put(`/api/admin/users/${artist.id}`, { isActive })).status).toBe(200)
  }

  test('expires the open checkout page, also when Stripe’s answers are lost, and no page of another artist', async () => {
    const [artist, other] = [await createArtist(app, { plan: null }), await createArtist(app, { plan: null })]
    const [page, ofOther] = [await openPage(artist), await openPage(other)]
    // The SDK asks three times, then the job is retried.
    await fault(app, 'stripe', 'drop-after-commit', '/v1/checkout/sessions$', { method: 'GET', times: 3 })
    await fault(app, 'stripe', 'drop-after-commit', `/v1/checkout/sessions/${page}/expire`)
    await setActive(artist, false)
    await eventually('the end of the page', async () => (await statusOf(page)) === 'expired')
    await eventually('the job', async () => {
      const done = await app.client.sql`select id from pgboss.job
        where name = ${expireCheckoutsQueue.name} and data->>'userId' = ${artist.id} and state = 'completed'`
      return done.length === 1
    })
    expect(await statusOf(ofOther)).toBe('open')
  })

  test('keeps the subscription', async () => {
    const artist = await subscribedArtist(app)
    const { subscription } = await stripeIdsOf(app, artist)
    await setActive(artist, false)
    await expireCheckoutsAtStripe(system, { userId: artist.id })
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      status: 'active',
      cancel_at_period_end: false,
    })
  })

  test('expires no page once it is undone, however late the job runs', async () => {
    const artist = await createArtist(app, { plan: null })
    const page = await openPage(artist)
    await expireCheckoutsAtStripe(system, { userId: artist.id })
    expect(await statusOf(page)).toBe('open')
  })

  test('does nothing for an artist without a customer at Stripe', async () => {
    const artist = await createArtist(app, { plan: null })
    await setActive(artist, false)
    await expireCheckoutsAtStripe(system, { userId: artist.id })
    const jobs = await app.client.sql`select id from pgboss.job
      where name = ${expireCheckoutsQueue.name} and data->>'userId' = ${artist.id}`
    expect(jobs).toHaveLength(0)
  })
})
