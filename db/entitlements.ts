import { entitlements, type Entitlement } from '@flashsheet/contracts/plans'
import { and, inArray, type SQL } from 'drizzle-orm'
import { subscriptions } from './schema/subscription.ts'

/** Whether the subscription of a row opens `what`: `isEntitled` (contracts/plans.ts) in SQL, from the same table. */
export function isEntitledSql(what: Entitlement): SQL | undefined {
  const { plans, statuses } = entitlements[what]
  return and(inArray(subscriptions.plan, plans), inArray(subscriptions.status, statuses))
}
