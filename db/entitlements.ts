import { entitlements, type Entitlement } from '@flashsheet/contracts/plans'
import { and, inArray, type SQL } from 'drizzle-orm'
import { subscriptions } from './schema/subscription.ts'

/** Whether the subscription of a row opens `what`: the SQL form of `isEntitled` in contracts/plans.ts, from the same table. */
export function subscriptionGrants(what: Entitlement): SQL | undefined {
  const { plans, statuses } = entitlements[what]
  return and(inArray(subscriptions.plan, plans), inArray(subscriptions.status, statuses))
}
