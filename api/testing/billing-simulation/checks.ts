import { leases } from '@flashsheet/db/schema/leases'
import { mails } from '@flashsheet/db/schema/outbox'
import { postTargets } from '@flashsheet/db/schema/posts'
import { mrrMovements, stripeEvents, subscriptionOrders, subscriptions } from '@flashsheet/db/schema/subscription'
import { eq, isNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import { expect } from 'vitest'
import { createSessions } from '../../core/sessions/session.ts'
import { getAnalytics } from '../../features/admin/service/analytics.ts'
import { createVisitor } from '../actors.ts'
import { verdict } from '../guard-verdicts.ts'
import { accountOf, type Subscriber } from './life.ts'
import {
  currentOf,
  hasEnded,
  idOf,
  isLiving,
  planOf,
  readTruth,
  returnedOf,
  shownStatus,
  subscriptionOf,
  type Truth,
} from './truth.ts'
import type { World } from './world.ts'

const instant = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000).toISOString() : null)

/** Compares lists of texts, each of which occurs once, and names what differs. */
function expectSame(what: string, shown: readonly string[], real: readonly string[]): void {
  const differences = [
    ...shown.filter((one) => !real.includes(one)).map((one) => `only here: ${one}`),
    ...real.filter((one) => !shown.includes(one)).map((one) => `only at Stripe: ${one}`),
  ]
  if (differences.length > 0) throw new Error([`${what} differ`, ...differences].join('\n    '))
  expect(shown.length, `${what} are stored once`).toBe(real.length)
}

/** What holds at any moment: the movements add up. */
export async function checkAlways({ app }: World): Promise<void> {
  const movements = await app.client.db.select().from(mrrMovements)
  for (const { stripeSubscriptionId: id, mrr } of await app.client.db.select().from(subscriptions)) {
    const own = movements.filter((one) => one.stripeSubscriptionId === id)
    expect(
      own.reduce((sum, { delta }) => sum + delta, 0),
      `the movements of ${id}`,
    ).toBe(mrr)
  }
}

/** What holds once everything that Stripe sent, or lists at night, was processed. */
export async function checkSettled(world: World, subscribers: readonly Subscriber[]): Promise<void> {
  const { app, stripe, events } = world
  const truth = await readTruth(stripe, events.values())
  const { db } = app.client
  await checkAlways(world)
  expect(await db.select().from(leases), 'no lease is held').toEqual([])
  const open = await db.select().from(stripeEvents).where(isNull(stripeEvents.processedAt))
  expect(open, 'every event is processed').toEqual([])
  await checkSubscriptions(world, truth)
  await checkOrders(world, truth)
  await checkFigures(world, truth)
  await app.running.caughtUp()
  for (const subscriber of subscribers) await checkArtist(world, truth, subscriber)
}

const mrrOf = (one: Stripe.Subscription): number =>
  ['active', 'past_due'].includes(one.status) ? (one.items.data[0]?.price.unit_amount ?? 0) : 0

async function checkSubscriptions({ app }: World, truth: Truth): Promise<void> {
  const stored = await app.client.db.select().from(subscriptions)
  const line = (...facts: unknown[]) => facts.map(String).join(', ')
  const shown = stored.map((row) =>
    line(
      row.stripeSubscriptionId,
      row.stripeCustomerId,
      row.plan,
      row.status,
      row.currentPeriodStart?.toISOString(),
      row.currentPeriodEnd?.toISOString(),
      row.cancelAtPeriodEnd,
      row.mrr,
      row.amountDue,
    ),
  )
  const real = truth.subscriptions.map((one) => {
    const [item] = one.items.data
    const owed = hasEnded(one)
      ? undefined
      : openInvoicesOf(one, truth)
          .toSorted((a, b) => b.created - a.created)
          .at(0)
    const end = instant(one.cancel_at ?? item?.current_period_end)
    const isEnding = one.cancel_at_period_end || one.cancel_at !== null
    const period = [instant(item?.current_period_start), end, isEnding]
    return line(
      one.id,
      idOf(one.customer),
      planOf(one),
      shownStatus[one.status],
      ...period,
      mrrOf(one),
      owed?.amount_remaining ?? 0,
    )
  })
  expectSame('subscriptions', shown, real)
}

const openInvoicesOf = (one: Stripe.Subscription, { invoices }: Truth) =>
  invoices.filter((invoice) => subscriptionOf(invoice) === one.id && invoice.status === 'open')

const paymentNames: Record<string, string> = { subscription_create: 'created', subscription_cycle: 'renewed' }

/** Each order as one line, so that a missing, repeated or wrong one is shown by name. */
async function checkOrders({ app }: World, truth: Truth): Promise<void> {
  const stored = await app.client.db.select().from(subscriptionOrders)
  const shown = stored.map((row) =>
    row.amount > 0 || ['created', 'renewed'].includes(row.action)
      ? `${row.stripeObjectId} ${row.action} ${row.amount} ${row.currency}, ${row.refunded} returned, ${row.plan}, ${row.createdAt.toISOString()}`
      : `${row.stripeObjectId} ${row.action} ${row.plan}`,
  )
  expectSame('orders', shown, [...paymentsOf(truth), ...lifecycleOf(truth), ...changesOf(truth)])
}

function planOfInvoice(invoice: Stripe.Invoice, { prices }: Truth): string {
  const line = invoice.lines.data.toSorted((a, b) => b.amount - a.amount).at(0)
  return prices.find(({ id }) => id === idOf(line?.pricing?.price_details?.price))?.lookup_key ?? ''
}

function paymentsOf(truth: Truth): string[] {
  return truth.invoices.flatMap((invoice) => {
    const { id, attempt_count: attempts, amount_paid: amount, currency, billing_reason: reason } = invoice
    const plan = planOfInvoice(invoice, truth)
    const isPaid = invoice.status === 'paid'
    const name = paymentNames[reason ?? ''] ?? 'payment_succeeded'
    const returned = Math.min(amount, returnedOf(invoice, truth))
    return [
      ...(attempts > (isPaid ? 1 : 0) ? [`${id} payment_failed ${plan}`] : []),
      ...(isPaid && (amount > 0 || name !== 'payment_succeeded')
        ? [
            `${id} ${name} ${amount} ${currency}, ${returned} returned, ${plan}, ${instant(invoice.status_transitions.paid_at)}`,
          ]
        : []),
    ]
  })
}

const wasPaid = (one: Stripe.Subscription, { invoices }: Truth): boolean =>
  invoices.some((invoice) => subscriptionOf(invoice) === one.id && invoice.status === 'paid')

/** The plan that a subscription began with. */
function firstPlanOf({ id }: Stripe.Subscription, truth: Truth): string {
  const first = truth.invoices.find((one) => subscriptionOf(one) === id && one.billing_reason === 'subscription_create')
  return first ? planOfInvoice(first, truth) : ''
}

function lifecycleOf(truth: Truth): string[] {
  return truth.subscriptions
    .filter((one) => wasPaid(one, truth))
    .flatMap((one) => {
      const isReturn = truth.subscriptions.some(
        (earlier) =>
          earlier.id !== one.id &&
          idOf(earlier.customer) === idOf(one.customer) &&
          earlier.created <= one.created &&
          hasEnded(earlier) &&
          wasPaid(earlier, truth),
      )
      return [
        ...(isReturn ? [`${one.id} reactivated ${firstPlanOf(one, truth)}`] : []),
        ...(hasEnded(one) ? [`${one.id} canceled ${planOf(one)}`] : []),
      ]
    })
}

function changesOf({ changes }: Truth): string[] {
  return changes.flatMap((event) => {
    const now = event.data.object as Stripe.Subscription
    const before = (event.data.previous_attributes ?? {}) as Partial<Stripe.Subscription>
    const plan = planOf(now)
    const oldPlan = before.items?.data[0]?.price.lookup_key
    const hasResumed = Boolean(before.cancel_at_period_end ?? before.cancel_at) && now.cancel_at === null
    const names = [
      ...(before.status !== undefined && ['past_due', 'unpaid'].includes(now.status) ? [now.status] : []),
      ...((before.status === 'unpaid' && now.status === 'active') || (hasResumed && !hasEnded(now))
        ? ['reactivated']
        : []),
      ...(oldPlan && oldPlan !== plan ? ['updated'] : []),
    ]
    return names.map((name) => `${event.id} ${name} ${plan}`)
  })
}

/** The figures that staff see equal the payments at Stripe. */
async function checkFigures({ staff, systems }: World, truth: Truth): Promise<void> {
  const [system] = systems
  const { current, addsUp } = await getAnalytics(staff(system!))
  const net = truth.invoices.map((one) => one.amount_paid - Math.min(one.amount_paid, returnedOf(one, truth)))
  expect({ ...current, addsUp }, 'figures').toMatchObject({
    addsUp: true,
    totalRevenue: net.reduce((sum, one) => sum + one, 0),
    monthlyRecurringRevenue: truth.subscriptions.reduce((sum, one) => sum + mrrOf(one), 0),
    activeSubscriptions: truth.subscriptions.filter(isLiving).length,
    totalSubscriptions: truth.subscriptions.length,
  })
}

async function checkArtist(world: World, truth: Truth, { artist, domainName, hasReturned }: Subscriber): Promise<void> {
  const { app } = world
  const account = await accountOf(world, { artist })
  const own = truth.subscriptions.filter((one) => one.metadata['user_id'] === artist.id)
  const name = `artist ${artist.id.slice(-4)}`
  const unended = own.filter((one) => !hasEnded(one))
  expect(unended.length, `living subscriptions of ${name}`).toBeLessThanOrEqual(account?.deletionAskedAt ? 0 : 1)
  const kinds = (await app.client.db.select().from(mrrMovements).where(eq(mrrMovements.userId, artist.id))).map(
    (one) => one.kind,
  )
  expect(kinds.filter((kind) => kind === 'new').length, `first subscriptions of ${name}`).toBeLessThanOrEqual(1)
  if (!account || account.purgingAt) return
  const current = currentOf(own)
  const isOpen = account.isActive && current !== undefined && isLiving(current)
  const targets = await app.client.db.select().from(postTargets).where(eq(postTargets.userId, artist.id))
  // What was bought before a deletion is undone does not release posts; they are released when they are due.
  const isHeld = targets.map(({ held }) => held && !(hasReturned && isOpen))
  expect(isHeld, `the post of ${name} is held`).toEqual([!isOpen])
  await checkAccess(world, { artist, domainName }, account, current)
  await checkMails(world, truth, artist.email, own)
}

/** What the plan and the status open, as in `docs/product/billing.md`. */
async function checkAccess(
  { app }: World,
  { artist, domainName }: Pick<Subscriber, 'artist' | 'domainName'>,
  account: { isActive: boolean; deletionAskedAt: Date | null },
  current: Stripe.Subscription | undefined,
): Promise<void> {
  const visitor = createVisitor(app.url)
  const { cookie } = await createSessions(app.client.db, app.running.config, app.clock.now).begin(artist.id)
  const [, cookieName = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
  visitor.cookies.set(cookieName, value)
  const hasStudio = current !== undefined && planOf(current) === 'complete-shading'
  const isPaid = current !== undefined && shownStatus[current.status] === 'active'
  const refusal = account.isActive
    ? account.deletionAskedAt
      ? '403 leaving'
      : isPaid
        ? null
        : '403 no_subscription'
    : '403 deactivated'
  const site = await (await fetch(`${app.url}/s/${domainName}`)).text()
  const seen = {
    posts: await verdict(visitor, 'GET /api/posts'),
    studio: await verdict(visitor, 'POST /api/websitebuilder'),
    site: site.includes('Fine lines.'),
  }
  expect(seen, 'access').toEqual({
    posts: refusal,
    studio: refusal ?? (hasStudio ? null : '403 plan'),
    site: account.isActive && hasStudio && isLiving(current),
  })
}

/** Every mail about a payment was written once, for its own event. */
async function checkMails({ app }: World, truth: Truth, email: string, own: Stripe.Subscription[]): Promise<void> {
  const written = await app.client.db.select().from(mails).where(eq(mails.to, email))
  const count = (subject: RegExp, text = '') =>
    written.filter((mail) => subject.test(mail.subject) && mail.text.includes(text)).length
  const ids = new Set(own.map(({ id }) => id))
  const invoices = truth.invoices.filter((one) => ids.has(subscriptionOf(one)))
  for (const { amount_paid: amount, status, number } of invoices)
    if (status === 'paid' && amount > 0)
      expect(
        count(new RegExp(`^Your receipt: \\$${amount / 100}`), `Invoice: ${number}`),
        `receipts of ${number}`,
      ).toBe(1)
  expect(count(/^Your receipt/), 'receipts').toBe(invoices.filter((one) => one.amount_paid > 0).length)
  for (const one of own.filter((each) => !hasEnded(each) && each.status !== 'incomplete'))
    for (const { attempt_count: attempts, hosted_invoice_url: url, number } of openInvoicesOf(one, truth)) {
      const failures = count(/did not go through|confirm your payment|is on hold/, url ?? '')
      expect(failures, `mails about failed charges of ${number}`).toBeGreaterThanOrEqual(Math.min(1, attempts))
      expect(failures, `mails about failed charges of ${number}`).toBeLessThanOrEqual(attempts + 1)
    }
  const paid = own.filter((one) => wasPaid(one, truth))
  expect(count(/^Welcome/), 'welcomes').toBeLessThanOrEqual(paid.length)
  expect(count(/has ended$/), 'mails about ends').toBeLessThanOrEqual(paid.filter(hasEnded).length)
  const endings = truth.changes.filter(({ data }) => {
    const one = data.object as Stripe.Subscription
    return ids.has(one.id) && one.canceled_at !== null && 'canceled_at' in (data.previous_attributes ?? {})
  })
  expect(count(/^Your subscription ends on/), 'mails about requested ends').toBeLessThanOrEqual(endings.length)
  const soon = written.filter(({ subject }) => subject.startsWith('Your subscription ends soon'))
  expect(new Set(soon.map(({ text }) => text)).size, 'reminders').toBe(soon.length)
}
