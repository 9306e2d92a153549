import type { Tx } from '@flashsheet/db/client'
import { cohortFigures } from '@flashsheet/db/schema/admin'
import { eq, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

/** How the subscribers of an instant have changed since. MRR in cents. */
export type CohortChange = {
  /** How many have no subscription any more. */
  left: number
  /** MRR lost by downgrades and cancellations. */
  lost: number
  /** MRR gained by upgrades. */
  gained: number
}

/** The change since `from`. Reads only movements since then: MRR at `from` is the current MRR less these movements. */
export async function sumCohort(db: Tx, _scope: Everyone, from: Date): Promise<CohortChange> {
  const [row] = await db.execute<{ left: string; lost: string; gained: string }>(sql`
    with by_subscription as (
      -- New subscriptions had no MRR at the start. They are most of the rows, so they are excluded early.
      select stripe_subscription_id, sum(delta) as delta from mrr_movements where at >= ${from.toISOString()}::timestamptz group by 1 having bool_or(kind <> 'new')
    ), moved as (
      -- One index lookup each, since few of all subscriptions move in a month.
      select s.stripe_customer_id as customer_id, sum(b.delta) as delta
      from by_subscription b cross join lateral (select stripe_customer_id from subscriptions s where s.stripe_subscription_id = b.stripe_subscription_id offset 0) s
      group by 1
    ), then_and_now as (
      select moved.delta, now.mrr as now, now.mrr - moved.delta as before
      from moved cross join lateral (select sum(s.mrr) as mrr from subscriptions s where s.stripe_customer_id = moved.customer_id) now
    )
    select count(*) filter (where now = 0) as left,
           coalesce(-sum(delta) filter (where delta < 0), 0) as lost,
           coalesce(sum(delta) filter (where delta > 0), 0) as gained
    from then_and_now where before > 0`)
  return { left: Number(row?.left ?? 0), lost: Number(row?.lost ?? 0), gained: Number(row?.gained ?? 0) }
}

/** The stored result for the window that ends with this UTC day. */
export async function findCohort(db: Tx, _scope: Everyone, day: string): Promise<CohortChange | undefined> {
  const { left, lost, gained } = cohortFigures
  const [row] = await db.select({ left, lost, gained }).from(cohortFigures).where(eq(cohortFigures.day, day))
  return row
}

export async function writeCohort(db: Tx, _scope: Everyone, day: string, change: CohortChange): Promise<void> {
  await db
    .insert(cohortFigures)
    .values({ day, ...change })
    .onConflictDoUpdate({ target: cohortFigures.day, set: change })
}
