import { isLive, type PlanId, planIds, type SubscriptionStatus } from '@flashsheet/contracts/plans'
import type { PlanPrice } from '../../../gateways/stripe.ts'
import type {
  BillingInvoice,
  BillingPrice,
  BillingSubscription,
  PaymentProblem,
} from '../../../gateways/stripe-objects.ts'
import type { MovementKind, SubscriptionFacts } from '../queries.ts'

/** Stripe's eight states as the product's five. */
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
    planPrices.find((one) => one.priceId === price.priceId) ??
    planPrices.find((one) => one.productId !== '' && one.productId === price.productId)
  return planIds.find((id) => id === price.lookupKey) ?? planIds.find((id) => id === found?.lookupKey)
}

export function planOfSubscription(
  subscription: BillingSubscription,
  planPrices: readonly PlanPrice[],
): PlanId | undefined {
  for (const { price } of subscription.items) {
    const plan = planOf({ lookupKey: price.lookupKey, priceId: price.id, productId: price.productId }, planPrices)
    if (plan) return plan
  }
  return undefined
}

const perMonth = { day: 365 / 12, week: 365 / 84, month: 1, year: 1 / 12 } as const

function monthlyPrice(price: BillingPrice, quantity: number): number {
  if (price.interval === undefined) return 0
  return (price.unitAmount * quantity * perMonth[price.interval]) / price.intervalCount
}

/** Cents a month a subscription counts for: active and past_due only, neither trials nor what is unpaid. */
export function monthlyRevenue(subscription: BillingSubscription): number {
  if (subscription.status !== 'active' && subscription.status !== 'past_due') return 0
  return Math.round(subscription.items.reduce((sum, { price, quantity }) => sum + monthlyPrice(price, quantity), 0))
}

/** What is to be paid, and why it was not. */
export type Owed = Pick<SubscriptionFacts, 'amountDue' | 'paymentProblem'>
const nothingOwed: Owed = { amountDue: 0, paymentProblem: null }

/** The invoice a living or unfinished subscription waits for: the newest open one. */
export function openInvoiceOf(
  subscription: BillingSubscription,
  invoices: readonly BillingInvoice[],
): BillingInvoice | undefined {
  if (subscription.endedAt !== null) return undefined
  return invoices
    .filter((one) => one.subscriptionId === subscription.id && one.status === 'open' && one.amountDue > 0)
    .toSorted((a, b) => b.issuedAt.getTime() - a.issuedAt.getTime())
    .at(0)
}

export function owedOf(invoice: BillingInvoice | undefined, problems: ReadonlyMap<string, PaymentProblem>): Owed {
  return invoice ? { amountDue: invoice.amountDue, paymentProblem: problems.get(invoice.id) ?? null } : nothingOwed
}

/** What the product keeps of a subscription; undefined when it sells none of our plans. */
export function subscriptionFacts(
  subscription: BillingSubscription,
  planPrices: readonly PlanPrice[],
  owed: Owed = nothingOwed,
): SubscriptionFacts | undefined {
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
    ...owed,
  }
}

/** How MRR moved; undefined when it did not (new minus stored). */
export function movementKind(before: number, after: number, cameBack: boolean): MovementKind | undefined {
  if (after === before) return undefined
  if (before === 0) return cameBack ? 'reactivation' : 'new'
  if (after === 0) return 'churn'
  return after > before ? 'expansion' : 'contraction'
}

/** Unpaid and unfinished subscriptions that a younger living one has replaced; they must not begin to charge again. */
export function replaced(all: readonly BillingSubscription[]): BillingSubscription[] {
  const newestLive = all
    .filter((one) => isLive(productStatus(one.status)))
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .at(0)
  if (!newestLive) return []
  return all.filter(
    (one) => ['unpaid', 'paused', 'incomplete'].includes(one.status) && one.createdAt <= newestLive.createdAt,
  )
}
