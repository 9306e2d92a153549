import { isLive, type PlanId, planIds, type SubscriptionStatus } from '@flashsheet/contracts/plans'
import type { PlanPrice } from '../../../gateways/stripe.ts'
import type {
  BillingInvoice,
  BillingPrice,
  BillingSubscription,
  PaymentProblem,
} from '../../../gateways/stripe-objects.ts'
import type { MovementKind, SubscriptionFacts } from '../queries.ts'

/** Maps Stripe's eight statuses to the product's five. */
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

/**
 * The plan of a price: by its lookup key, otherwise by the price or product of a current plan. Undefined for another
 * product.
 */
export function planOf(price: PriceNames, planPrices: readonly PlanPrice[]): PlanId | undefined {
  const planPrice =
    planPrices.find((one) => one.priceId === price.priceId) ??
    planPrices.find((one) => one.productId !== '' && one.productId === price.productId)
  return planIds.find((id) => id === price.lookupKey) ?? planIds.find((id) => id === planPrice?.lookupKey)
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

const intervalsPerMonth = { day: 365 / 12, week: 365 / 84, month: 1, year: 1 / 12 } as const

function monthlyPrice(price: BillingPrice, quantity: number): number {
  if (price.interval === undefined) return 0
  return (price.unitAmount * quantity * intervalsPerMonth[price.interval]) / price.intervalCount
}

/** MRR in cents. Only active and past_due subscriptions have any; trials have none. */
export function monthlyRevenue(subscription: BillingSubscription): number {
  if (subscription.status !== 'active' && subscription.status !== 'past_due') return 0
  return Math.round(subscription.items.reduce((sum, { price, quantity }) => sum + monthlyPrice(price, quantity), 0))
}

/** The amount owed, and why the charge failed. */
type AmountOwed = Pick<SubscriptionFacts, 'amountDue' | 'paymentProblem'>
const nothingOwed: AmountOwed = { amountDue: 0, paymentProblem: null }

/** Whether Stripe failed to charge an invoice that is still owed. */
export const isPaymentDue = ({ status }: BillingSubscription): boolean => status === 'past_due' || status === 'unpaid'

/** The newest open invoice of a live or incomplete subscription. */
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

export function owedOf(invoice: BillingInvoice | undefined, problems: ReadonlyMap<string, PaymentProblem>): AmountOwed {
  return invoice ? { amountDue: invoice.amountDue, paymentProblem: problems.get(invoice.id) ?? null } : nothingOwed
}

/** The facts to store; undefined for a subscription of another product. */
export function subscriptionFacts(
  subscription: BillingSubscription,
  planPrices: readonly PlanPrice[],
  owed: AmountOwed = nothingOwed,
): SubscriptionFacts | undefined {
  const plan = planOfSubscription(subscription, planPrices)
  const [item] = subscription.items
  if (!plan || !item) return undefined
  const { cancelAt } = subscription
  return {
    plan,
    status: productStatus(subscription.status),
    currentPeriodStart: item.periodStart,
    // A scheduled end before the end of the period is the date that the artist sees.
    currentPeriodEnd: cancelAt !== null && cancelAt < item.periodEnd ? cancelAt : item.periodEnd,
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd || cancelAt !== null,
    mrr: monthlyRevenue(subscription),
    ...owed,
  }
}

/** The kind of a change of MRR; undefined when there was none. */
export function movementKind(before: number, after: number, isReturn: boolean): MovementKind | undefined {
  if (after === before) return undefined
  if (before === 0) return isReturn ? 'reactivation' : 'new'
  if (after === 0) return 'churn'
  return after > before ? 'expansion' : 'contraction'
}

/** Unpaid and incomplete subscriptions that a newer live one supersedes; they must not be charged again. */
export function supersededSubscriptions(all: readonly BillingSubscription[]): BillingSubscription[] {
  const newestLive = all
    .filter((one) => isLive(productStatus(one.status)))
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .at(0)
  if (!newestLive) return []
  return all.filter(
    (one) => ['unpaid', 'paused', 'incomplete'].includes(one.status) && one.createdAt <= newestLive.createdAt,
  )
}
