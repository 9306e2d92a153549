import { currencies, type Currency, type PlanId } from '@flashsheet/contracts/plans'
import type { OrderAction } from '@flashsheet/contracts/subscription/limits'
import type { PlanPrice } from '../../../gateways/stripe.ts'
import type { BillingChange, BillingInvoice, BillingSubscription } from '../../../gateways/stripe-objects.ts'
import type { OrderFacts } from '../queries.ts'
import { planOf, planOfSubscription, productStatus } from './state.ts'

/** The plan that an invoice charges. The invoice of a plan change also credits the old plan, in a negative line. */
export function planOfInvoice({ lines }: BillingInvoice, planPrices: readonly PlanPrice[]): PlanId | undefined {
  const prices = lines
    .toSorted((a, b) => b.amount - a.amount)
    .map(({ priceId, productId }) => ({ id: priceId, productId }))
  return planOf(prices, planPrices)
}

function paidAction(reason: string | null): OrderAction {
  if (reason === 'subscription_create') return 'created'
  return reason === 'subscription_cycle' ? 'renewed' : 'payment_succeeded'
}

/** Whether the invoice's amounts may be summed with the others. */
export const isInOurCurrency = <I extends Pick<BillingInvoice, 'currency'>>(
  invoice: I,
): invoice is I & { currency: Currency } => currencies.some((one) => one === invoice.currency)

/**
 * The orders of an invoice: its payment, and a failed charge. None for drafts, other products and other currencies.
 */
export function invoiceOrders(
  invoice: BillingInvoice,
  planPrices: readonly PlanPrice[],
  refunded: ReadonlyMap<string, number>,
): OrderFacts[] {
  const plan = planOfInvoice(invoice, planPrices)
  if (!plan || invoice.status === 'draft' || !isInOurCurrency(invoice)) return []
  const orders: OrderFacts[] = []
  const row = { stripeObjectId: invoice.id, plan, amount: 0, refunded: 0, currency: invoice.currency }
  const isPaid = invoice.status === 'paid'
  if (invoice.attemptCount > (isPaid ? 1 : 0)) {
    orders.push({
      ...row,
      action: 'payment_failed',
      status: invoice.reason === 'subscription_create' ? 'incomplete' : 'past_due',
      createdAt: invoice.issuedAt,
    })
  }
  // A downgrade gives credit: its invoice of zero is no payment.
  if (isPaid && (invoice.amountPaid > 0 || paidAction(invoice.reason) !== 'payment_succeeded')) {
    const refundedTotal = invoice.paymentIds.reduce((sum, id) => sum + (refunded.get(id) ?? 0), 0)
    orders.push({
      ...row,
      action: paidAction(invoice.reason),
      status: 'active',
      amount: invoice.amountPaid,
      refunded: Math.min(refundedTotal, invoice.amountPaid),
      createdAt: invoice.paidAt ?? invoice.issuedAt,
    })
  }
  return orders
}

const wasEverPaid = (subscription: BillingSubscription, invoices: readonly BillingInvoice[]): boolean =>
  invoices.some((invoice) => invoice.subscriptionId === subscription.id && invoice.status === 'paid')

/** Whether an earlier subscription of the same customer was paid for and has ended. */
export function isReturning(
  subscription: BillingSubscription,
  all: readonly BillingSubscription[],
  invoices: readonly BillingInvoice[],
): boolean {
  // The ends are not compared: an unpaid subscription ends just after its replacement began, and Stripe's times are
  // whole seconds.
  return all.some(
    (one) =>
      one.id !== subscription.id &&
      one.createdAt <= subscription.createdAt &&
      one.endedAt !== null &&
      wasEverPaid(one, invoices),
  )
}

/** The orders of a subscription's current state: that it was a return, and its end. */
export function lifecycleOrders(
  subscription: BillingSubscription,
  all: readonly BillingSubscription[],
  invoices: readonly BillingInvoice[],
  planPrices: readonly PlanPrice[],
): OrderFacts[] {
  const plan = planOfSubscription(subscription, planPrices)
  if (!plan || !wasEverPaid(subscription, invoices)) return []
  const row = { stripeObjectId: subscription.id, plan, amount: 0, refunded: 0, currency: 'usd' as const }
  const orders: OrderFacts[] = []
  if (isReturning(subscription, all, invoices)) {
    // The plan may have changed before this was read.
    const first = invoices.find((one) => one.subscriptionId === subscription.id && one.reason === 'subscription_create')
    const firstPlan = (first && planOfInvoice(first, planPrices)) ?? plan
    orders.push({ ...row, plan: firstPlan, action: 'reactivated', status: 'active', createdAt: subscription.createdAt })
  }
  if (subscription.endedAt !== null)
    orders.push({ ...row, action: 'canceled', status: 'canceled', createdAt: subscription.endedAt })
  return orders
}

/**
 * The orders of a change: entering past_due or unpaid, another plan, an undone end, a return from unpaid. They are
 * derived from the event alone and not from our data, so that the order and repetition of events do not matter. The
 * event's id makes them unique.
 */
export function changeOrders(change: BillingChange, planPrices: readonly PlanPrice[]): OrderFacts[] {
  const { before, subscription } = change
  const plan = planOfSubscription(subscription, planPrices)
  if (!plan) return []
  const status = productStatus(subscription.status)
  const actions = new Set<OrderAction>()
  if (before.status !== undefined) {
    const oldStatus = productStatus(before.status)
    if (oldStatus !== status && (status === 'past_due' || status === 'unpaid')) actions.add(status)
    if (oldStatus === 'unpaid' && status === 'active') actions.add('reactivated')
  }
  const wasEnding = before.cancelAtPeriodEnd === true || (before.cancelAt !== undefined && before.cancelAt !== null)
  if (wasEnding && !subscription.cancelAtPeriodEnd && subscription.cancelAt === null && subscription.endedAt === null)
    actions.add('reactivated')
  const oldPlan = planOf(before.prices ?? [], planPrices)
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
