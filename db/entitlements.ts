import { entitlements, type Entitlement } from '@flashsheet/contracts/plans'
import { and, eq, exists, inArray, isNull, type SQL } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import { users } from './schema/auth.ts'
import { subscriptions } from './schema/subscription.ts'

/** Whether the subscription of a row opens `what`: `isEntitled` (contracts/plans.ts) in SQL, from the same table. */
export function isEntitledSql(what: Entitlement): SQL | undefined {
  const { plans, statuses } = entitlements[what]
  return and(inArray(subscriptions.plan, plans), inArray(subscriptions.status, statuses))
}

/** Whether work goes on for the artist of a row of `users`: the account is active and stays, and the subscription opens publishing. */
export const isServed = and(
  eq(users.isActive, true),
  isNull(users.deletionAskedAt),
  exists(
    new QueryBuilder()
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .where(and(eq(subscriptions.userId, users.id), isEntitledSql('publishing'))),
  ),
)
