import { users } from '@flashsheet/db/schema/auth'
import { stripeEvents, subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { System } from '../../../core/context.ts'
import type { Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { stripeAt, stripeIdsOf, subscribedArtist } from '../../../testing/billing.ts'
import { lockWaits } from '../../../testing/lock-waits.ts'
import { control, eventually } from '../../../testing/sandbox.ts'
import { openSystem } from '../../../testing/system.ts'
import { syncCustomer } from './sync.ts'

let app: TestApp
let stripe: Stripe
/** The product with a database of its own, which learns of Stripe only by `syncCustomer`. */
let system: System
let close: () => Promise<void>
let artist: Artist
let subscription: string
let customer: string
beforeAll(async () => {
  app = await startTestApp()
  stripe = stripeAt(app)
  ;({ system, close } = await openSystem(app, 'own'))
})
beforeEach(async () => {
  artist = await subscribedArtist(app, 'social-line-work', 'auto=approve&card=confirm')
  ;({ subscription, customer } = await stripeIdsOf(app, artist))
  const [row] = await app.client.db.select().from(users).where(eq(users.id, artist.id))
  if (row) await system.db.insert(users).values(row)
})
afterAll(async () => {
  await close?.()
  await app?.stop()
})

const stored = async () => await system.db.select().from(subscriptions).where(eq(subscriptions.userId, artist.id))

test('a charge that fails while its customer is read is stored with the invoice that is owed', async () => {
  const gateway = system.gateways.stripe!
  let hasFailed = false
  const listInvoices: typeof gateway.listInvoices = async (id) => {
    const invoices = await gateway.listInvoices(id)
    if (!hasFailed) await control(app, 'POST', '/stripe/advance', { subscription, to: 'renewal' })
    hasFailed = true
    return invoices
  }
  await syncCustomer({ ...system, gateways: { ...system.gateways, stripe: { ...gateway, listInvoices } } }, customer)
  expect(await stored()).toMatchObject([{ status: 'past_due', amountDue: 1900, paymentProblem: 'authentication' }])
})

test('an event that arrives while its customer is read needs another run', async () => {
  const gateway = system.gateways.stripe!
  const now = system.now()
  const listInvoices: typeof gateway.listInvoices = async (id) => {
    const event = { id: 'evt_meanwhile', type: 'invoice.paid', subjects: { customer }, createdAt: now, receivedAt: now }
    await system.db.insert(stripeEvents).values(event)
    return await gateway.listInvoices(id)
  }
  await syncCustomer({ ...system, gateways: { ...system.gateways, stripe: { ...gateway, listInvoices } } }, customer)
  expect(await system.db.select({ processedAt: stripeEvents.processedAt }).from(stripeEvents)).toEqual([
    { processedAt: null },
  ])
})

test('two customers of one artist are written in turn: what one plan holds, the other resumes', async () => {
  await syncCustomer(system, customer)
  // The first customer loses the plan, and another customer of the artist buys it.
  await stripe.subscriptions.cancel(subscription)
  const [price] = (await stripe.prices.list({ lookup_keys: ['social-line-work'] })).data
  const other = await stripe.customers.create({ email: artist.email })
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: other.id,
    line_items: [{ price: price?.id ?? '', quantity: 1 }],
    subscription_data: { metadata: { user_id: artist.id } },
    success_url: 'http://localhost/',
  })
  await fetch(`${session.url}?auto=approve`, { redirect: 'manual' })
  const ran: string[] = []
  const [stopping, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  system.hooks.on('subscriptionStopped', async () => {
    ran.push('subscriptionStopped')
    stopping.resolve()
    await resume.promise
  })
  system.hooks.on('subscriptionResumed', async () => void ran.push('subscriptionResumed'))
  const ending = syncCustomer(system, customer)
  await stopping.promise
  const beginning = syncCustomer(system, other.id)
  const isWaiting = eventually('it to wait', async () => (await lockWaits(system.client, '"users"')) > 0)
  await Promise.race([beginning, isWaiting])
  resume.resolve()
  await Promise.all([ending, beginning])
  expect((await stored()).map(({ status }) => status).toSorted()).toEqual(['active', 'canceled'])
  expect(ran).toEqual(['subscriptionStopped', 'subscriptionResumed'])
  const [row] = await system.db.select({ of: users.stripeCustomerId }).from(users).where(eq(users.id, artist.id))
  expect(row).toEqual({ of: customer })
})
