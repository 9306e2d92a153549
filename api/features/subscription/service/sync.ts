import { type HeldPlan, isLive, planIds, opens } from '@flashsheet/contracts/plans'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import { z } from 'zod'
import type { System } from '../../../core/context.ts'
import { shareInFlight, type Lease } from '../../../core/leases.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import type { PlanPrice, StripeGateway } from '../../../gateways/stripe.ts'
import type { BillingInvoice, BillingSubscription, PaymentProblem } from '../../../gateways/stripe-objects.ts'
import {
  adoptStripeCustomer,
  findCurrentSubscription,
  findUserOfCustomer,
  hasMovements,
  insertMovement,
  isEventOpen,
  listOpenEvents,
  listStoredRevenue,
  listUnendedOf,
  listUsersWithIds,
  markEventsProcessed,
  upsertOrders,
  upsertSubscription,
} from '../queries.ts'
import { billingMails } from '../rules/mails.ts'
import { isReturning, changeOrders, invoiceOrders, isInOurCurrency, lifecycleOrders } from '../rules/orders.ts'
import {
  movementKind,
  openInvoiceOf,
  owedOf,
  planOfSubscription,
  supersededSubscriptions,
  subscriptionFacts,
} from '../rules/state.ts'
import { stripeOf, withCustomer } from './customer-lock.ts'
import { sendBillingMails } from './mails.ts'

type EventJob = { customerId?: string | undefined; chargeId?: string | undefined; eventId?: string | undefined }

/** Handles one job; does nothing when an earlier job processed this event. */
export async function syncAfterEvent(system: System, job: EventJob): Promise<void> {
  if (job.eventId !== undefined && !(await isEventOpen(system.db, everyoneScope(), job.eventId))) return
  // A dispute names the charge but no customer.
  const customerId =
    job.customerId ??
    (job.chargeId === undefined ? undefined : await stripeOf(system).findCustomerOfCharge(job.chargeId))
  if (customerId !== undefined) await syncCustomer(system, customerId)
  if (job.customerId === undefined && job.eventId !== undefined)
    await markEventsProcessed(system.db, everyoneScope(), [job.eventId], system.now())
}

const looks = new WeakMap<System['hooks'], ReturnType<typeof shareInFlight<void>>>()

/**
 * Reads everything Stripe has of a customer and stores it; idempotent at any time. Concurrent calls for one customer
 * share a run that begins after they asked.
 */
export async function syncCustomer(system: System, customerId: string): Promise<void> {
  const shared = looks.get(system.hooks) ?? shareInFlight<void>()
  looks.set(system.hooks, shared)
  await shared(
    customerId,
    async () => await withCustomer(system, customerId, async (lease) => await syncInTurn(system, lease, customerId)),
  )
}

/**
 * The same for a caller that holds the lease: first all reads, without a database connection, then all writes. Throws
 * Stripe's refusals.
 */
export async function syncInTurn(system: System, lease: Lease, customerId: string): Promise<void> {
  const stripe = stripeOf(system)
  const scope = everyoneScope()
  // The events that this run covers are fixed before reading: a later one gets a run of its own.
  const events = await listOpenEvents(system.db, scope, customerId)
  const found = await readCustomer(stripe, customerId, await listUnendedOf(system.db, scope, customerId))
  const userId = (await findUser(system, stripe, customerId, found.subscriptions)) ?? null
  for (const { id, currency } of found.invoices.filter((invoice) => !isInOurCurrency(invoice))) {
    system.log.error(
      { invoice: id, currency },
      'an invoice in another currency is not counted: the prices at Stripe must be in US dollars',
    )
  }
  const orders = [
    ...found.invoices.flatMap((invoice) => invoiceOrders(invoice, found.planPrices, found.refunded)),
    ...found.subscriptions.flatMap((one) =>
      lifecycleOrders(one, found.subscriptions, found.invoices, found.planPrices),
    ),
  ]
  for (const event of events) {
    if (event.type !== 'customer.subscription.updated') continue
    const change = await stripe.findChange(event.id)
    if (change) orders.push(...changeOrders(change, found.planPrices))
  }
  await lease.write(async (tx) => {
    const before = userId === null ? undefined : await findCurrentSubscription(tx, ownerScope(userId))
    await writeSubscriptions(system, tx, { ...found, customerId, userId })
    await upsertOrders(tx, scope, { userId, stripeCustomerId: customerId }, orders)
    await markEventsProcessed(
      tx,
      scope,
      events.map((event) => event.id),
      system.now(),
    )
    if (userId === null) return
    if (found.subscriptions.length > 0) await adoptStripeCustomer(tx, scope, userId, customerId, system.now())
    await sendBillingMails(system, tx, ownerScope(userId), billingMails(found, system.now()))
    await runHooks(system, tx, userId, before ?? null)
  })
}

type CustomerFacts = {
  planPrices: PlanPrice[]
  subscriptions: BillingSubscription[]
  invoices: BillingInvoice[]
  refunded: Map<string, number>
  /** Why charged open invoices are not paid, by invoice. */
  problems: Map<string, PaymentProblem>
}

/** A customer's current state at Stripe, after ending superseded subscriptions. Oldest subscription first. */
async function readCustomer(
  stripe: StripeGateway,
  customerId: string,
  known: readonly string[],
): Promise<CustomerFacts> {
  const [planPrices, listed] = await Promise.all([
    stripe.findPlanPrices(planIds),
    listWithKnown(stripe, customerId, known),
  ])
  // Other products of the same Stripe account are never touched.
  const isOurs = (one: BillingSubscription): boolean => planOfSubscription(one, planPrices) !== undefined
  const over = supersededSubscriptions(listed.filter(isOurs))
  for (const one of over) await stripe.endNow(one.id)
  const subscriptions = over.length > 0 ? await listWithKnown(stripe, customerId, known) : listed
  if (subscriptions.length === 0)
    return { planPrices, subscriptions, invoices: [], refunded: new Map(), problems: new Map() }
  const [invoices, refunded] = await Promise.all([stripe.listInvoices(customerId), stripe.listRefunded(customerId)])
  const problems = await readProblems(stripe, subscriptions.filter(isOurs), invoices)
  return {
    planPrices,
    subscriptions: subscriptions.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()),
    invoices,
    refunded,
    problems,
  }
}

/**
 * The list of a customer deleted at Stripe may be empty. Subscriptions that we know are then read by id, or they would
 * stay live here.
 */
async function listWithKnown(
  stripe: StripeGateway,
  customerId: string,
  known: readonly string[],
): Promise<BillingSubscription[]> {
  const listed = await stripe.listSubscriptions(customerId)
  const unlisted = known.filter((id) => !listed.some((one) => one.id === id))
  const found = await Promise.all(unlisted.map(async (id) => await stripe.findSubscription(id)))
  return [...listed, ...found.filter((one) => one !== undefined)]
}

/**
 * Reads why open invoices are unpaid. Also makes the card that paid one the default, so that the failing card is not
 * charged next month.
 */
async function readProblems(
  stripe: StripeGateway,
  subscriptions: readonly BillingSubscription[],
  invoices: readonly BillingInvoice[],
): Promise<Map<string, PaymentProblem>> {
  const problems = new Map<string, PaymentProblem>()
  for (const one of subscriptions) {
    const open = openInvoiceOf(one, invoices)
    if (!open) continue
    if (open.attemptCount > 0) problems.set(open.id, await stripe.findPaymentProblem(open.id))
    if (!one.savesPayingCard && ['past_due', 'unpaid'].includes(one.status)) await stripe.savePayingCard(one.id)
  }
  return problems
}

/** The subscription's artist: by its metadata, else by the customer, else by the checkout. */
async function findUser(
  { db }: System,
  stripe: StripeGateway,
  customerId: string,
  subscriptions: readonly BillingSubscription[],
): Promise<string | undefined> {
  const marks = subscriptions.toReversed().flatMap((one) => one.userId ?? [])
  const byMark = await firstUser(db, marks)
  if (byMark !== undefined) return byMark
  const byCustomer = await findUserOfCustomer(db, everyoneScope(), customerId)
  if (byCustomer !== undefined || subscriptions.length === 0) return byCustomer
  return await firstUser(db, await stripe.listCheckoutUsers(customerId))
}

async function firstUser(db: Tx, marks: readonly string[]): Promise<string | undefined> {
  const ids = marks.filter((mark) => z.uuid().safeParse(mark).success)
  const known = new Set(await listUsersWithIds(db, everyoneScope(), ids))
  return ids.find((id) => known.has(id))
}

async function writeSubscriptions(
  system: System,
  tx: Tx,
  found: CustomerFacts & { customerId: string; userId: string | null },
): Promise<void> {
  const scope = everyoneScope()
  const { subscriptions, invoices, planPrices, problems, customerId, userId } = found
  const stored = await listStoredRevenue(
    tx,
    scope,
    subscriptions.map((one) => one.id),
  )
  for (const one of subscriptions) {
    const facts = subscriptionFacts(one, planPrices, owedOf(openInvoiceOf(one, invoices), problems))
    if (!facts) continue
    const storedOne = stored.get(one.id)
    const was = storedOne?.mrr ?? 0
    const isReturn = isReturning(one, subscriptions, invoices) || (await hasMovements(tx, scope, userId, one.id))
    const kind = movementKind(was, facts.mrr, isReturn)
    if (kind) {
      const at = kind === 'churn' ? one.endedAt : storedOne ? null : one.createdAt
      const fromPlan = was === 0 ? null : (storedOne?.plan ?? null)
      const toPlan = facts.mrr === 0 ? null : facts.plan
      await insertMovement(tx, scope, {
        userId,
        stripeSubscriptionId: one.id,
        kind,
        fromPlan,
        toPlan,
        delta: facts.mrr - was,
        at: at ?? system.now(),
      })
    }
    const row = {
      ...facts,
      stripeSubscriptionId: one.id,
      stripeCustomerId: customerId,
      userId,
      createdAt: one.createdAt,
    }
    await upsertSubscription(tx, scope, row, system.now())
  }
}

/** Later slices hold or resume their work; open screens reload. */
async function runHooks(system: System, tx: Tx, userId: string, before: HeldPlan): Promise<void> {
  const owner = ownerScope(userId)
  const after = (await findCurrentSubscription(tx, owner)) ?? null
  if (isLive(before?.status) && !isLive(after?.status))
    await system.hooks.run('subscriptionStopped', system, tx, { owner })
  if (!isLive(before?.status) && isLive(after?.status))
    await system.hooks.run('subscriptionResumed', system, tx, { owner })
  if (opens(before, 'publicSite') && !opens(after, 'publicSite'))
    await system.hooks.run('studioClosed', system, tx, { owner })
  await notifyLive(tx, { owner, topic: 'subscription' })
}
