import { planIds, plans, type Plan, type Subscription } from '@flashsheet/contracts/subscription'
import type { SubscriptionRow } from './queries.ts'

/** A subscription as the outside sees it (spec 3). */
export function subscriptionView(row: SubscriptionRow): Subscription {
  return {
    plan: row.plan,
    status: row.status,
    currentPeriodStart: row.currentPeriodStart?.toISOString() ?? null,
    currentPeriodEnd: row.currentPeriodEnd?.toISOString() ?? null,
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
  }
}

/** The plans on sale, in the order they are shown (wire: plans). */
export function planList(): Plan[] {
  return planIds.map((id) => {
    const { name, price, currency, features } = plans[id]
    return { id, name, price, currency, features: [...features] }
  })
}
