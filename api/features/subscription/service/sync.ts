import { type HeldPlan, isLive, planIds, isEntitled } from '@flashsheet/contracts/plans'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import { z } from 'zod'
import type { System } from '../../../core/context.ts'
import { shareInFlight, type Lease } from '../../../core/leases.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import type { StripeGateway } from '../../../gateways/stripe.ts'
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
  listStoredSubscriptions,
  listUsersWithIds,
  lockSubscriber,
  markEventsProcessed,
  upsertOrders,
  upsertSubscription,
} from '../queries.ts'
import { billingMails } from '../rules/mails.ts'
import { isReturning, changeOrders, invoiceOrders, isInOurCurrency, lifecycleOrders } from '../rules/orders.ts'
import {
  isPaymentDue,
  movementKind,
  openInvoiceOf,
  owedOf,
  planOfSubscription,
  pricesOfStoredPlans,
  productStatus,
  supersededSubscriptions,
  subscriptionFacts,
} from '../rules/state.ts'
import { stripeOf, withCustomer } from './customer-lock.ts'
import { sendBillingMails } from './mails.ts'

/** Handles one job; does nothing if an earlier job has processed the event. */
export async function syncAfterEvent(
  system: System,
  job: { customerId?: string | undefined; chargeId?: string | undefined; eventId: string },
): Promise<void> {
  const scope = everyoneScope()
  if (!(await isEventOpen(system.db, scope, job.eventId))) return
  if (job.customerId !== undefined) return await syncCustomer(system, job.customerId)
  // A dispute names a charge but no customer.
  const customerId = job.chargeId && (await stripeOf(system).findCustomerOfCharge(job.chargeId))
  if (customerId) await syncCustomer(system, customerId)
  await markEventsProcessed(system.db, scope, [job.eventId], system.now())
}

const syncsInFlight = new WeakMap<System['hooks'], ReturnType<typeof shareInFlight<void>>>()

/**
 * Reads everything Stripe has of a customer and stores it; idempotent at any time. Concurrent calls for one customer
 * share a run that begins after the calls.
 */
export async function syncCustomer(system: System, customerId: string): Promise<void> {
  const share = syncsInFlight.get(system.hooks) ?? shareInFlight<void>()
  syncsInFlight.set(system.hooks, share)
  await share(
    customerId,
    async () =>
      await withCustomer(system, customerId, async (lease) => await syncUnderLease(system, lease, customerId)),
  )
}

/**
 * The same for a caller that holds the lease. All calls to Stripe come before the one transaction that writes. Throws
 * Stripe's refusals.
 */
export async function syncUnderLease(system: System, lease: Lease, customerId: string): Promise<void> {
  const stripe = stripeOf(system)
  const scope = everyoneScope()
  // Listed before Stripe is read: an event that arrives later needs another run.
  const events = await listOpenEvents(system.db, scope, customerId)
  const stored = await listStoredSubscriptions(system.db, scope, customerId)
  const facts = await readCustomer(system, stripe, customerId, stored)
  const foundUserId = await findUser(system, stripe, customerId, facts.subscriptions)
  const held = foundUserId === undefined ? undefined : await findCurrentSubscription(system.db, ownerScope(foundUserId))
  // A checkout page that was opened before would start a second subscription.
  if (!isLive(held?.status) && facts.hasLive) await stripe.expireCheckouts(customerId)
  for (const { id, currency } of facts.invoices.filter((invoice) => !isInOurCurrency(invoice))) {
    system.log.error(
      { invoice: id, currency },
      'an invoice in another currency is not counted: the prices at Stripe must be in US dollars',
    )
  }
  const orders = [
    ...facts.invoices.flatMap((invoice) => invoiceOrders(invoice, facts.planPrices, facts.refunded)),
    ...facts.subscriptions.flatMap((subscription) =>
      lifecycleOrders(subscription, facts.subscriptions, facts.invoices, facts.planPrices),
    ),
  ]
  for (const event of events) {
    if (event.type !== 'customer.subscription.updated') continue
    const change = await stripe.findChange(event.id)
    if (change) orders.push(...changeOrders(change, facts.planPrices))
  }
  await lease.write(async (tx) => {
    const isKnown = foundUserId !== undefined && (await lockSubscriber(tx, ownerScope(foundUserId)))
    const userId = isKnown ? foundUserId : null
    const before = userId === null ? undefined : await findCurrentSubscription(tx, ownerScope(userId))
    await writeSubscriptions(system, tx, { ...facts, customerId, userId })
    await upsertOrders(tx, scope, { userId, stripeCustomerId: customerId }, orders)
    await markEventsProcessed(
      tx,
      scope,
      events.map((event) => event.id),
      system.now(),
    )
    if (userId === null) return
    await adoptStripeCustomer(tx, scope, userId, customerId, system.now())
    await sendBillingMails(system, tx, ownerScope(userId), billingMails(facts, system.now()))
    await runHooks(system, tx, userId, before ?? null)
  })
}

type StoredSubscriptions = Awaited<ReturnType<typeof listStoredSubscriptions>>
type CustomerFacts = Awaited<ReturnType<typeof readCustomer>>

/**
 * A customer's current state at Stripe, after ending superseded subscriptions and voiding what ended ones still owe. Oldest
 * subscription first.
 */
async function readCustomer({ log }: System, stripe: StripeGateway, customerId: string, stored: StoredSubscriptions) {
  const knownIds = [...stored.values()].flatMap(({ id, status }) => (status === 'canceled' ? [] : [id]))
  const read = async () => {
    const [invoices, refunded] = await Promise.all([stripe.listInvoices(customerId), stripe.listRefunded(customerId)])
    // After the invoices: a status is then never older than the failed attempt that caused it.
    const subscriptions = await listWithKnown(stripe, customerId, knownIds)
    // A charge may fail between the two reads; the status would then be stored without the invoice that is owed.
    const isInvoiceMissing = subscriptions.some((one) => isPaymentDue(one) && !openInvoiceOf(one, invoices))
    return { invoices: isInvoiceMissing ? await stripe.listInvoices(customerId) : invoices, refunded, subscriptions }
  }
  const [currentPrices, first] = await Promise.all([stripe.findPlanPrices(planIds), read()])
  const planPrices = [...currentPrices, ...pricesOfStoredPlans(first.subscriptions, stored, currentPrices)]
  // Subscriptions to other products of the same Stripe account are never changed.
  const isOurs = (subscription: BillingSubscription): boolean =>
    planOfSubscription(subscription, planPrices) !== undefined
  const superseded = supersededSubscriptions(first.subscriptions.filter(isOurs))
  for (const { id, status } of superseded) {
    if (isLive(productStatus(status)))
      log.error(
        { subscription: id, customer: customerId },
        'a customer had two subscriptions; the older one was ended, and its last payment may have to be refunded',
      )
    await stripe.endNow(id)
  }
  const { invoices, refunded, subscriptions } = superseded.length > 0 ? await read() : first
  const endedIds = new Set(subscriptions.flatMap((one) => (isOurs(one) && one.endedAt !== null ? [one.id] : [])))
  // Stripe leaves them open: the links in old mails and the portal would still take money, for nothing.
  for (const { id, subscriptionId, status } of invoices) {
    if (status !== 'open' || !endedIds.has(subscriptionId)) continue
    // It may have been paid meanwhile, or the key may not write invoices: the customer is stored nevertheless.
    await stripe
      .voidInvoice(id)
      .catch((error: unknown) => log.warn({ err: error, invoice: id }, 'an invoice could not be voided'))
  }
  return {
    planPrices,
    hasLive: subscriptions.some((one) => isOurs(one) && isLive(productStatus(one.status))),
    subscriptions: subscriptions.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()),
    invoices: subscriptions.length > 0 ? invoices : [],
    /** Cents refunded, by payment id. */
    refunded,
    /** Why charged open invoices are unpaid, by invoice id. */
    problems: await readPaymentProblems(stripe, subscriptions.filter(isOurs), invoices),
  }
}

/**
 * Stripe may list nothing for a deleted customer. Known subscriptions that are not listed are read by id; otherwise
 * they would stay live here.
 */
async function listWithKnown(
  stripe: StripeGateway,
  customerId: string,
  knownIds: readonly string[],
): Promise<BillingSubscription[]> {
  const listed = await stripe.listSubscriptions(customerId)
  const unlistedIds = knownIds.filter((id) => !listed.some((subscription) => subscription.id === id))
  const unlisted = await Promise.all(unlistedIds.map(async (id) => await stripe.findSubscription(id)))
  return [...listed, ...unlisted.filter((subscription) => subscription !== undefined)]
}

/**
 * Reads why open invoices are unpaid. Also tells Stripe to make the card that pays one the default, so that the failing
 * card is not charged next month.
 */
async function readPaymentProblems(
  stripe: StripeGateway,
  subscriptions: readonly BillingSubscription[],
  invoices: readonly BillingInvoice[],
): Promise<Map<string, PaymentProblem>> {
  const problems = new Map<string, PaymentProblem>()
  for (const subscription of subscriptions) {
    const invoice = openInvoiceOf(subscription, invoices)
    if (!invoice) continue
    if (invoice.attemptCount > 0) problems.set(invoice.id, await stripe.findPaymentProblem(invoice.id))
    if (!subscription.savesPayingCard && isPaymentDue(subscription)) await stripe.savePayingCard(subscription.id)
  }
  return problems
}

/** The customer's artist: by a subscription's metadata, otherwise by the stored customer id, otherwise by a checkout. */
async function findUser(
  { db }: System,
  stripe: StripeGateway,
  customerId: string,
  subscriptions: readonly BillingSubscription[],
): Promise<string | undefined> {
  const byMetadata = await firstUser(
    db,
    subscriptions.toReversed().flatMap((subscription) => subscription.userId ?? []),
  )
  if (byMetadata !== undefined) return byMetadata
  const byCustomer = await findUserOfCustomer(db, everyoneScope(), customerId)
  if (byCustomer !== undefined || subscriptions.length === 0) return byCustomer
  return await firstUser(db, await stripe.listCheckoutUsers(customerId))
}

/** The first candidate that is a user's id. Metadata at Stripe may hold any text. */
async function firstUser(db: Tx, candidates: readonly string[]): Promise<string | undefined> {
  const ids = candidates.filter((candidate) => z.uuid().safeParse(candidate).success)
  const knownIds = new Set(await listUsersWithIds(db, everyoneScope(), ids))
  return ids.find((id) => knownIds.has(id))
}

async function writeSubscriptions(
  system: System,
  tx: Tx,
  customer: CustomerFacts & { customerId: string; userId: string | null },
): Promise<void> {
  const scope = everyoneScope()
  const { subscriptions, invoices, planPrices, problems, customerId: stripeCustomerId, userId } = customer
  const storedById = await listStoredRevenue(
    tx,
    scope,
    subscriptions.map(({ id }) => id),
  )
  for (const subscription of subscriptions) {
    const facts = subscriptionFacts(subscription, planPrices, owedOf(openInvoiceOf(subscription, invoices), problems))
    if (!facts) continue
    const { id: stripeSubscriptionId, createdAt, endedAt } = subscription
    const stored = storedById.get(stripeSubscriptionId)
    const storedMrr = stored?.mrr ?? 0
    const isReturn =
      isReturning(subscription, subscriptions, invoices) ||
      (await hasMovements(tx, scope, userId, stripeSubscriptionId))
    const kind = movementKind(storedMrr, facts.mrr, isReturn)
    if (kind) {
      const at = kind === 'churn' ? endedAt : stored ? null : createdAt
      await insertMovement(tx, scope, {
        userId,
        stripeSubscriptionId,
        kind,
        fromPlan: storedMrr === 0 ? null : (stored?.plan ?? null),
        toPlan: facts.mrr === 0 ? null : facts.plan,
        delta: facts.mrr - storedMrr,
        at: at ?? system.now(),
      })
    }
    const row = { ...facts, stripeSubscriptionId, stripeCustomerId, userId, createdAt }
    await upsertSubscription(tx, scope, row, system.now())
  }
}

/** Runs the hooks by which later slices hold or resume their work, and makes open screens reload. */
async function runHooks(system: System, tx: Tx, userId: string, before: HeldPlan): Promise<void> {
  const owner = ownerScope(userId)
  const after = (await findCurrentSubscription(tx, owner)) ?? null
  if (isLive(before?.status) && !isLive(after?.status))
    await system.hooks.run('subscriptionStopped', system, tx, { owner })
  if (!isLive(before?.status) && isLive(after?.status))
    await system.hooks.run('subscriptionResumed', system, tx, { owner })
  if (isEntitled(before, 'publicSite') && !isEntitled(after, 'publicSite'))
    await system.hooks.run('studioClosed', system, tx, { owner })
  if (!isEntitled(before, 'publicSite') && isEntitled(after, 'publicSite'))
    await system.hooks.run('studioOpened', system, tx, { owner })
  await notifyLive(tx, { owner, topic: 'subscription' })
}
