import { isLive, planIds, plans } from '@flashsheet/contracts/plans'
import { subscriptionLimits } from '@flashsheet/contracts/subscription/limits'
import type { BillingDetails, Plan, Subscription } from '@flashsheet/contracts/subscription/schema'
import type { SubscriptionRow } from './queries.ts'

export function subscriptionView(row: SubscriptionRow): Subscription {
  return {
    plan: row.plan,
    status: row.status,
    currentPeriodStart: row.currentPeriodStart?.toISOString() ?? null,
    currentPeriodEnd: row.currentPeriodEnd?.toISOString() ?? null,
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
  }
}

/** The amount owed, and how long the first payment is refundable; null: not at all, or already refunded. */
export function billingDetails(row: SubscriptionRow, isRefunded: boolean, now: Date): BillingDetails {
  const refundUntil = new Date(row.createdAt.getTime() + subscriptionLimits.refundWindowDays * 24 * 60 * 60 * 1000)
  return {
    amountDue: row.amountDue,
    paymentProblem: row.paymentProblem,
    refundUntil: isLive(row.status) && !isRefunded && refundUntil > now ? refundUntil.toISOString() : null,
  }
}

/** The plans on sale, in the order they are shown. */
export function planList(): Plan[] {
  return planIds.map((id) => {
    const { name, price, currency, features } = plans[id]
    return { id, name, price, currency, features: [...features] }
  })
}
