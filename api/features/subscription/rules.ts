import { isLive, planIds, type OrderAction, type PlanId, type SubscriptionStatus } from '@flashsheet/contracts/subscription'
import type { PlanPrice } from '../../gateways/stripe.ts'
import type { BillingChange, BillingInvoice, BillingPrice, BillingSubscription } from '../../gateways/stripe-objects.ts'
import type { MovementKind, OrderFacts, SubscriptionFacts } from './queries.ts'

/** Events after which the customer is read anew (platform-apis 7.5); `invoice.paid` alone, since its twin would say it again. */
export const watchedEvents: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.finalization_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'charge.refunded',
]

/** Stripe's eight states as the product's five (platform-apis 7.3). */
export function productStatus(stripeStatus: string): SubscriptionStatus {
  switch (stripeStatus) {
    case 'active':
    case 'trialing':
      return 'active'
    case 'past_due':
      return 'past_due'
    case 'unpaid':
    case 'paused':
      return 'unpaid'
    case 'canceled':
    case 'incomplete_expired':
      return 'canceled'
    default:
      return 'incomplete'
  }
}

type PriceNames = { lookupKey?: string | null; priceId?: string | undefined; productId?: string | undefined }

/** The plan a price sells: by its lookup key, else as the price or product of today's plans. Undefined: none of ours. */
export function planOf(price: PriceNames, planPrices: readonly PlanPrice[]): PlanId | undefined {
  const found =
    planPrices.find((one) => one.priceId === price.priceId) ?? planPrices.find((one) => one.productId !== '' && one.productId === price.productId)
  return planIds.find((id) => id === price.lookupKey) ?? planIds.find((id) => id === found?.lookupKey)
}

export function planOfSubscription(subscription: BillingSubscription, planPrices: readonly PlanPrice[]): PlanId | undefined {
  for (const { price } of subscription.items) {
    const plan = planOf({ lookupKey: price.lookupKey, priceId: price.id, productId: price.productId }, planPrices)
    if (plan) return plan
  }
  return undefined
}

/** On an invoice of a plan change the plan is the one being charged, not the one being credited. */
function planOfInvoice(invoice: BillingInvoice, planPrices: readonly PlanPrice[]): PlanId | undefined {
  for (const line of invoice.lines.toSorted((a, b) => b.amount - a.amount)) {
    const plan = planOf(line, planPrices)
    if (plan) return plan
  }
  return undefined
}

const perMonth = { day: 365 / 12, week: 365 / 84, month: 1, year: 1 / 12 } as const

function monthlyPrice(price: BillingPrice, quantity: number): number {
  if (price.interval === undefined) return 0
  return (price.unitAmount * quantity * perMonth[price.interval]) / price.intervalCount
}

/** Cents a month a subscription counts for: active and past_due only, neither trials nor what is unpaid (bookings-sites-billing 4.1). */
export function monthlyRevenue(subscription: BillingSubscription): number {
  if (subscription.status !== 'active' && subscription.status !== 'past_due') return 0
  return Math.round(subscription.items.reduce((sum, { price, quantity }) => sum + monthlyPrice(price, quantity), 0))
}

/** What the product keeps of a subscription; undefined when it sells none of our plans. */
export function subscriptionFacts(subscription: BillingSubscription, planPrices: readonly PlanPrice[]): SubscriptionFacts | undefined {
  const plan = planOfSubscription(subscription, planPrices)
  const [item] = subscription.items
  if (!plan || !item) return undefined
  const { cancelAt } = subscription
  return {
    plan,
    status: productStatus(subscription.status),
    currentPeriodStart: item.periodStart,
    // An end that was scheduled earlier than the period's is the end the artist is told of.
    currentPeriodEnd: cancelAt !== null && cancelAt < item.periodEnd ? cancelAt : item.periodEnd,
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd || cancelAt !== null,
    mrr: monthlyRevenue(subscription),
  }
}

/** How MRR moved; undefined when it did not (design 7: new minus stored). */
export function movementKind(before: number, after: number, cameBack: boolean): MovementKind | undefined {
  if (after === before) return undefined
  if (before === 0) return cameBack ? 'reactivation' : 'new'
  if (after === 0) return 'churn'
  return after > before ? 'expansion' : 'contraction'
}

/** Which of the three actions that carry money a paid invoice is (design 7). */
function paidAction(reason: string | null): OrderAction {
  if (reason === 'subscription_create') return 'created'
  return reason === 'subscription_cycle' ? 'renewed' : 'payment_succeeded'
}

/** The orders an invoice stands for: its payment, and that a try at it failed. Nothing for drafts and for other people's products. */
export function invoiceOrders(invoice: BillingInvoice, planPrices: readonly PlanPrice[], refunded: ReadonlyMap<string, number>): OrderFacts[] {
  const plan = planOfInvoice(invoice, planPrices)
  if (!plan || invoice.status === 'draft') return []
  const orders: OrderFacts[] = []
  const row = { stripeObjectId: invoice.id, plan, amount: 0, refunded: 0, currency: invoice.currency }
  const paid = invoice.status === 'paid'
  if (invoice.attemptCount > (paid ? 1 : 0)) {
    orders.push({ ...row, action: 'payment_failed', status: invoice.reason === 'subscription_create' ? 'incomplete' : 'past_due', createdAt: invoice.issuedAt })
  }
  if (paid) {
    const back = invoice.paymentIds.reduce((sum, id) => sum + (refunded.get(id) ?? 0), 0)
    orders.push({
      ...row,
      action: paidAction(invoice.reason),
      status: 'active',
      amount: invoice.amountPaid,
      refunded: Math.min(back, invoice.amountPaid),
      createdAt: invoice.paidAt ?? invoice.issuedAt,
    })
  }
  return orders
}

const wasEverPaid = (subscription: BillingSubscription, invoices: readonly BillingInvoice[]): boolean =>
  invoices.some((invoice) => invoice.subscriptionId === subscription.id && invoice.status === 'paid')

/** Whether this is a return: an earlier subscription of the same customer had been paid for, and is over. */
export function cameBack(subscription: BillingSubscription, all: readonly BillingSubscription[], invoices: readonly BillingInvoice[]): boolean {
  // When it ended is not asked: an unpaid one ends just after the one that replaces it began. Stripe's times are whole seconds.
  return all.some((one) => one.id !== subscription.id && one.createdAt <= subscription.createdAt && one.endedAt !== null && wasEverPaid(one, invoices))
}

/** The orders a subscription as it stands now stands for: its end, and that it was a return (design 7). */
export function lifeOrders(
  subscription: BillingSubscription,
  all: readonly BillingSubscription[],
  invoices: readonly BillingInvoice[],
  planPrices: readonly PlanPrice[],
): OrderFacts[] {
  const plan = planOfSubscription(subscription, planPrices)
  if (!plan || !wasEverPaid(subscription, invoices)) return []
  const row = { stripeObjectId: subscription.id, plan, amount: 0, refunded: 0, currency: 'usd' }
  const orders: OrderFacts[] = []
  if (cameBack(subscription, all, invoices)) orders.push({ ...row, action: 'reactivated', status: 'active', createdAt: subscription.createdAt })
  if (subscription.endedAt !== null) orders.push({ ...row, action: 'canceled', status: 'canceled', createdAt: subscription.endedAt })
  return orders
}

/**
 * The orders a change stands for: entering past_due or unpaid, another plan, an end taken back, a return from unpaid.
 * They come from what the event says changed, never from comparing with what we stored, so that neither order nor
 * repetition of events matters; the event's id keeps them single.
 */
export function changeOrders(change: BillingChange, planPrices: readonly PlanPrice[]): OrderFacts[] {
  const { before, subscription } = change
  const plan = planOfSubscription(subscription, planPrices)
  if (!plan) return []
  const status = productStatus(subscription.status)
  const actions = new Set<OrderAction>()
  if (before.status !== undefined) {
    const left = productStatus(before.status)
    if (left !== status && (status === 'past_due' || status === 'unpaid')) actions.add(status)
    if (left === 'unpaid' && status === 'active') actions.add('reactivated')
  }
  const wasLeaving = before.cancelAtPeriodEnd === true || (before.cancelAt !== undefined && before.cancelAt !== null)
  if (wasLeaving && !subscription.cancelAtPeriodEnd && subscription.cancelAt === null && subscription.endedAt === null) actions.add('reactivated')
  const oldPlan = before.prices?.map((price) => planOf({ lookupKey: price.lookupKey, priceId: price.id, productId: price.productId }, planPrices)).find(Boolean)
  if (oldPlan && oldPlan !== plan) actions.add('updated')
  return [...actions].map((action) => ({
    stripeObjectId: change.eventId,
    plan,
    action,
    status,
    amount: 0,
    refunded: 0,
    currency: 'usd',
    createdAt: change.at,
  }))
}

/** Unpaid and unfinished subscriptions that a younger living one has replaced; they must not begin to charge again. */
export function replaced(all: readonly BillingSubscription[]): BillingSubscription[] {
  const newestLive = all
    .filter((one) => isLive(productStatus(one.status)))
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .at(0)
  if (!newestLive) return []
  return all.filter((one) => ['unpaid', 'paused', 'incomplete'].includes(one.status) && one.createdAt <= newestLive.createdAt)
}

/** Where the card provider sends the browser back to (spec 2). */
export function returnAddresses(publicUrl: string): { successUrl: string; cancelUrl: string } {
  return {
    successUrl: `${publicUrl}/subscription/success?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${publicUrl}/subscription/cancel`,
  }
}

/** Whether a text can be the id of a checkout; anything else is not worth asking Stripe about. */
export function isCheckoutId(text: string): boolean {
  return /^cs_[A-Za-z0-9_]+$/.test(text)
}
