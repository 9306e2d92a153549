import { isLive, type PlanId, planIds, type SubscriptionStatus } from '@flashsheet/contracts/plans'
import type { PlanPrice } from '../../../gateways/stripe.ts'
import type {
  BillingInvoice,
  BillingPrice,
  BillingSubscription,
  PaymentProblem,
} from '../../../gateways/stripe-objects.ts'
import type { MovementKind, SubscriptionFacts } from '../queries.ts'

const productStatuses: Record<string, SubscriptionStatus> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'unpaid',
  canceled: 'canceled',
  incomplete_expired: 'canceled',
}

/** Maps Stripe's eight statuses to the product's five. */
export const productStatus = (stripeStatus: string): SubscriptionStatus => productStatuses[stripeStatus] ?? 'incomplete'

type PriceNames = { lookupKey?: string | null; id?: string | undefined; productId?: string | undefined }

/**
 * The plan of the first price that has one: by its lookup key, otherwise by the price or product of a current plan.
 * Undefined for other products.
 */
export function planOf(prices: readonly PriceNames[], planPrices: readonly PlanPrice[]): PlanId | undefined {
  for (const { lookupKey, id, productId } of prices) {
    const planPrice =
      planPrices.find((one) => one.priceId === id) ??
      planPrices.find((one) => one.productId !== '' && one.productId === productId)
    const plan = planIds.find((one) => one === lookupKey) ?? planIds.find((one) => one === planPrice?.lookupKey)
    if (plan) return plan
  }
  return undefined
}

export const planOfSubscription = ({ items }: BillingSubscription, planPrices: readonly PlanPrice[]) =>
  planOf(
    items.map(({ price }) => price),
    planPrices,
  )

/**
 * The prices of stored subscriptions that name no plan: staff may have agreed on another price with the artist at Stripe, or
 * moved the plan's lookup key to another product. Such a subscription keeps its stored plan, so that its end is still noticed.
 */
export function pricesOfStoredPlans(
  all: readonly BillingSubscription[],
  storedById: ReadonlyMap<string, { plan: PlanId }>,
  planPrices: readonly PlanPrice[],
): PlanPrice[] {
  return all.flatMap((subscription) => {
    const stored = storedById.get(subscription.id)
    if (!stored || planOfSubscription(subscription, planPrices)) return []
    return subscription.items.map(({ price }) => ({ lookupKey: stored.plan, priceId: price.id, productId: '' }))
  })
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
  subscription: Pick<BillingSubscription, 'id' | 'endedAt'>,
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
    // A scheduled end, before or after the end of the period, is the date that the artist sees.
    currentPeriodEnd: cancelAt ?? item.periodEnd,
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

/**
 * Subscriptions that a newer live one supersedes; they must not be charged again. A live one is superseded too: its open
 * invoice may have been paid at the same moment as the checkout of the newer one.
 */
export function supersededSubscriptions(all: readonly BillingSubscription[]): BillingSubscription[] {
  const newestLive = all
    .filter((one) => isLive(productStatus(one.status)))
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .at(0)
  if (!newestLive) return []
  return all.filter(
    (one) =>
      one !== newestLive &&
      (isLive(productStatus(one.status)) || ['unpaid', 'paused', 'incomplete'].includes(one.status)) &&
      one.createdAt <= newestLive.createdAt,
  )
}
