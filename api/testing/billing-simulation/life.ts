import { planIds } from '@flashsheet/contracts/plans'
import { users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { AppError } from '../../core/errors.ts'
import type { SubscriberCtx } from '../../core/context.ts'
import { deleteUser, toggleStatus } from '../../features/admin/service/manage-users.ts'
import { requestDeletion, undoDeletion } from '../../features/auth/service/deletion.ts'
import { openPayment, openPortal, refreshSubscription } from '../../features/subscription/service/billing.ts'
import { cancelSubscription, reactivateSubscription } from '../../features/subscription/service/current.ts'
import { confirmCheckout, createCheckout } from '../../features/subscription/service/subscribe.ts'
import { createArtist, type Artist } from '../actors.ts'
import { insertTargets } from '../publishing.ts'
import { control } from '../sandbox.ts'
import { subscriberCtx } from '../system.ts'
import { currentOf, hasEnded, idOf, planOf, subscriptionOf } from './truth.ts'
import { breakStripe, type World } from './world.ts'

/** An artist, and the pages at Stripe that are open in some tab. `hasReturned`: undid the deletion of the account. */
export type Subscriber = { artist: Artist; domainName: string; pages: string[]; hasReturned: boolean }

const year = 365 * 86_400_000

/** An artist with a site and a scheduled post who never had a subscription. */
export async function createSubscriber({ app, random }: World): Promise<Subscriber> {
  const timeZone = random.pick(['America/New_York', 'Pacific/Kiritimati', 'Europe/London'])
  const artist = await createArtist(app, { timeZone })
  const domainName = `site-${artist.id.slice(-12)}`
  const site = { personalInfo: { name: artist.name, domainName, about: 'Fine lines.' } }
  const { status } = await artist.post('/api/websitebuilder', site)
  if (status !== 200) throw new Error(`the site was not saved: ${status}`)
  await app.client.db.delete(subscriptions).where(eq(subscriptions.userId, artist.id))
  await insertTargets(app.client, artist.id, new Date(app.clock.now().getTime() + 9 * year), { held: true })
  return { artist, domainName, pages: [], hasReturned: false }
}

export async function accountOf({ app }: World, { artist }: Pick<Subscriber, 'artist'>) {
  const [row] = await app.client.db.select().from(users).where(eq(users.id, artist.id))
  return row
}

/** What one step knows. `all` are the artist's subscriptions at Stripe, `subscription` the one that has not ended. */
type Step = World & {
  subscriber: Subscriber
  all: Stripe.Subscription[]
  subscription: Stripe.Subscription | undefined
  ctx: () => SubscriberCtx
}

/** Opens a page at Stripe, whose tab stays open. */
async function visit({ subscriber }: Step, page: Promise<{ url: string }>, query: string): Promise<void> {
  const { url } = await page
  subscriber.pages.push(url)
  await fetch(`${url}?${query}`, { redirect: 'manual' })
}

async function pay(step: Step, url: string): Promise<void> {
  await fetch(`${url}?${approve(step)}`, { redirect: 'manual' })
  if (step.random.oneIn(2)) await confirmCheckout(step.ctx(), { sessionId: url.split('/').at(-1) ?? '' })
}

const approve = ({ random }: Step) => `auto=approve&card=${random.pick(['good', 'good', 'declined', 'confirm'])}`
const checkout = async (step: Step) => await createCheckout(step.ctx(), { plan: step.random.pick(planIds) })
const otherPlan = ({ subscription }: Step) =>
  planIds.find((id) => subscription === undefined || id !== planOf(subscription)) ?? planIds[0]
const priceOf = async ({ stripe }: Step, plan: string) =>
  (await stripe.prices.list({ lookup_keys: [plan] })).data[0]?.id ?? ''

async function payTwice(step: Step): Promise<void> {
  const opened = await Promise.allSettled([checkout(step), checkout(step)])
  const urls = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value.url] : []))
  step.subscriber.pages.push(...urls)
  await Promise.all(urls.map(async (url) => await pay(step, url)))
}

async function clickInPortal(step: Step): Promise<void> {
  const { url } = await openPortal(step.ctx(), { to: 'overview' })
  const action = step.random.pick(['cancel', 'resume', 'plan'])
  const price = await priceOf(step, otherPlan(step))
  const body = new URLSearchParams({ action, price, subscription: step.subscription?.id ?? '' })
  await fetch(url, { method: 'POST', body, redirect: 'manual' })
}

async function changePlanAtStripe(step: Step): Promise<void> {
  const items = [{ id: step.subscription?.items.data[0]?.id ?? '', price: await priceOf(step, otherPlan(step)) }]
  const behavior = step.random.pick(['always_invoice', 'create_prorations', 'none'] as const)
  await step.stripe.subscriptions.update(step.subscription?.id ?? '', { items, proration_behavior: behavior })
}

async function giveTrial(step: Step): Promise<void> {
  const { url } = await step.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: idOf(step.all[0]?.customer),
    line_items: [{ price: await priceOf(step, otherPlan(step)), quantity: 1 }],
    subscription_data: {
      metadata: { user_id: step.subscriber.artist.id },
      trial_period_days: step.random.whole(1, 40),
    },
    success_url: 'http://localhost/',
  })
  await fetch(`${url}?auto=approve`, { redirect: 'manual' })
}

async function refund({ stripe, all, random }: Step): Promise<void> {
  const { data } = await stripe.charges.list({ customer: idOf(random.pick(all).customer) })
  if (data.length === 0) return
  const { id, amount } = random.pick(data)
  await stripe.refunds.create({ charge: id, ...(random.oneIn(2) ? { amount: random.whole(1, amount) } : {}) })
}

async function dispute({ app, all, random }: Step): Promise<void> {
  const body = { subscription: random.pick(all).id, outcome: random.pick([undefined, 'won', 'lost']) }
  await control(app, 'POST', '/stripe/dispute', body).catch(() => undefined)
}

type Actions = Record<string, (step: Step) => Promise<unknown>>

/** In the product and at Stripe, by an artist whose account is in order. */
const byArtist: Actions = {
  subscribes: async (step) => await pay(step, (await checkout(step)).url),
  'opens a checkout': async (step) => await visit(step, checkout(step), 'auto=deny'),
  'pays at two checkouts at once': payTwice,
}
/** The same, by an artist who has or had a subscription. */
const bySubscriber: Actions = {
  cancels: async ({ ctx }) => await cancelSubscription(ctx()),
  reactivates: async ({ ctx }) => await reactivateSubscription(ctx()),
  'cancels and reactivates at once': async ({ ctx }) =>
    await Promise.allSettled([cancelSubscription(ctx()), reactivateSubscription(ctx())]),
  'changes the plan': async (step) =>
    await visit(step, openPortal(step.ctx(), { to: 'plan', plan: otherPlan(step) }), 'auto=approve'),
  'changes the card': async (step) => await visit(step, openPortal(step.ctx(), { to: 'card' }), approve(step)),
  'clicks in the portal': clickInPortal,
  'returns from Stripe': async ({ ctx }) => await refreshSubscription(ctx()),
}
const byDebtor: Actions = {
  'pays an open invoice': async (step) => await visit(step, openPayment(step.ctx()), approve(step)),
  'subscribes instead of paying': async (step) => await visit(step, checkout(step), 'auto=deny'),
}
const byLeaving: Actions = {
  'asks to delete the account': async ({ ctx, subscriber }) =>
    await requestDeletion(ctx(), { name: subscriber.artist.name }),
}
const byLeaver: Actions = {
  'keeps the account': async ({ ctx, subscriber }) => {
    await undoDeletion(ctx())
    subscriber.hasReturned = true
  },
}
/** A page that was opened earlier can be paid whatever has become of the account. */
const onOpenPages: Actions = {
  'pays on a page opened earlier': async (step) => await pay(step, step.random.pick(step.subscriber.pages)),
}
const byStaff: Actions = {
  'staff deactivate or activate': async ({ staff, systems, random, subscriber }) =>
    await toggleStatus(staff(random.pick(systems)), { id: subscriber.artist.id }),
}
const deletion: Actions = {
  'staff delete the artist': async ({ staff, systems, random, subscriber }) =>
    await deleteUser(staff(random.pick(systems)), { id: subscriber.artist.id }),
}
/** By staff at Stripe, and by banks. */
const atStripe: Actions = {
  'staff refund': refund,
  'a bank disputes': dispute,
}
const rarelyAtStripe: Actions = {
  'staff delete the customer': async ({ stripe, all }) => await stripe.customers.del(idOf(all[0]?.customer)),
}
const onRunning: Actions = {
  'staff end it at once': async ({ stripe, subscription }) => await stripe.subscriptions.cancel(subscription?.id ?? ''),
  'staff change the plan': changePlanAtStripe,
  'staff choose the day of the end': async ({ stripe, subscription, app, random }) => {
    const cancelAt = Math.floor(app.clock.now().getTime() / 1000) + random.whole(1, 50) * 86_400
    await stripe.subscriptions.update(subscription?.id ?? '', { cancel_at: cancelAt })
  },
}

/** What may happen next; what ends a life is rare. */
function possibleActions(step: Step, account: { isActive: boolean; deletionAskedAt: Date | null }): Actions {
  const { random, all, subscription, subscriber } = step
  const isInOrder = account.isActive && account.deletionAskedAt === null
  const isKnown = all.length > 0
  const isOwing = isInOrder && ['past_due', 'unpaid'].includes(subscription?.status ?? '')
  const openPages = subscriber.pages.length > 0 ? onOpenPages : {}
  if (isOwing && random.oneIn(2)) return { ...byDebtor, ...openPages }
  return {
    ...(isInOrder && (!subscription || random.oneIn(3)) ? byArtist : {}),
    ...(isInOrder && isKnown ? bySubscriber : {}),
    ...(isInOrder && random.oneIn(10) ? byLeaving : {}),
    ...(account.isActive && account.deletionAskedAt ? byLeaver : {}),
    ...openPages,
    ...(!account.isActive || random.oneIn(5) ? byStaff : {}),
    ...(isKnown && random.oneIn(2) ? atStripe : {}),
    ...(subscription && random.oneIn(2) ? onRunning : {}),
    ...(isInOrder && isKnown && !subscription ? { 'staff give a trial': giveTrial } : {}),
    ...(isKnown && random.oneIn(10) ? rarelyAtStripe : {}),
    ...(random.oneIn(12) ? deletion : {}),
  }
}

/** A random thing that will happen to an artist's subscription. Refusals are part of it; any other error is thrown. */
export async function planStep(world: World, subscriber: Subscriber): Promise<() => Promise<void>> {
  const { random, stripe, systems, trace, app } = world
  const account = await accountOf(world, subscriber)
  if (!account || account.purgingAt) return async () => {}
  const all = (await stripe.subscriptions.list({ status: 'all', limit: 100 })).data.filter(
    (one) => one.metadata['user_id'] === subscriber.artist.id,
  )
  const subscription = currentOf(all.filter((one) => !hasEnded(one)))
  const ctx = () => subscriberCtx(subscriber.artist, random.pick(systems))
  const step: Step = { ...world, subscriber, all, subscription, ctx }
  const [name, act] = random.pick(Object.entries(possibleActions(step, account)))
  return async () => {
    trace.push(`${app.clock.now().toISOString()} ${subscriber.artist.id.slice(-4)} ${name}`)
    if (random.oneIn(5)) await breakStripe(world)
    try {
      await act(step)
    } catch (error) {
      if (!(error instanceof AppError || error instanceof Stripe.errors.StripeError)) throw error
      trace.push(`  ${String(error).slice(0, 120)}`)
    }
  }
}

/** The next instant at which Stripe does something by itself, with its subscription; seconds. */
function nextAtStripe(one: Stripe.Subscription, open: Stripe.Invoice | undefined): number {
  if (one.status === 'incomplete') return one.created + 23 * 3600
  if (open) return open.next_payment_attempt ?? open.created + 9 * 86_400
  const end = one.items.data[0]?.current_period_end ?? 0
  return Math.min(end, one.cancel_at ?? end)
}

/** Advances the clock; Stripe renews, retries and ends what is due meanwhile. `settle` runs before each longer wait. */
export async function passTime(world: World, ms: number, settle: () => Promise<void>): Promise<void> {
  const { app, stripe, trace } = world
  const now = () => app.clock.now().getTime()
  const until = now() + ms
  const reminderMs = 2 * 86_400_000
  let isSettled = false
  for (;;) {
    const living = (await stripe.subscriptions.list({ status: 'all', limit: 100 })).data.filter((one) => !hasEnded(one))
    const open = (await stripe.invoices.list({ status: 'open', limit: 100 })).data
    const dues = living.map((one) => ({
      id: one.id,
      ms:
        nextAtStripe(
          one,
          open.find((invoice) => subscriptionOf(invoice) === one.id),
        ) * 1000,
    }))
    const due = dues.toSorted((a, b) => a.ms - b.ms).at(0)
    const reminders = living.flatMap((one) => (one.cancel_at ? [one.cancel_at * 1000 - reminderMs] : []))
    const next = Math.min(until, ...(due ? [due.ms] : []), ...reminders.filter((at) => at > now()))
    if (next - now() > 86_400_000 && !isSettled) {
      // It may end a subscription, so Stripe is read again.
      await settle()
      isSettled = true
      continue
    }
    isSettled = false
    if (next > now()) app.clock.set(new Date(next).toISOString())
    if (due && due.ms <= next) {
      trace.push(`${app.clock.now().toISOString()} Stripe continues ${due.id}`)
      await control(app, 'POST', '/stripe/advance', { subscription: due.id, to: 'renewal' })
    }
    if (next >= until) return
  }
}
