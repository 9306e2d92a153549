import { adminLimits } from '@flashsheet/contracts/admin/limits'
import type { AdminAnalytics, SubscriptionStats } from '@flashsheet/contracts/admin/schema'
import type { Tx } from '@flashsheet/db/client'
import type { AdminCtx } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { findFirstOrderDay, listOrders } from '../queries/orders.ts'
import { sumMovements, sumRevenue, sumSubscriptions } from '../queries/tallies.ts'
import { computeAnalytics, subscriptionStatsOf, windowAt, type Tallies } from '../rules/figures.ts'
import { orderView } from '../view.ts'

/** Reads the tallies, and `extra` figures, in one snapshot; otherwise a concurrent change could make them differ. */
async function readTallies<T>(ctx: AdminCtx, readExtra: (tx: Tx) => Promise<T>): Promise<Tallies & { extra: T }> {
  const { from, today } = windowAt(ctx.now())
  const scope = everyoneScope()
  return await ctx.db.transaction(
    async (tx) => ({
      revenue: await sumRevenue(tx, scope, from),
      subscriptions: await sumSubscriptions(tx, scope, from, today),
      movements: await sumMovements(tx, scope, from),
      extra: await readExtra(tx),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

const newest = { offset: 0, limit: adminLimits.recentOrders }

export async function getAnalytics(ctx: AdminCtx): Promise<AdminAnalytics> {
  const { extra: recent, ...tallies } = await readTallies(
    ctx,
    async (tx) => await listOrders(tx, everyoneScope(), null, {}, { sortOrder: 'desc' }, newest),
  )
  const figures = computeAnalytics(tallies)
  if (!figures.addsUp)
    ctx.log.error(
      { movement: figures.movement, mrr: figures.current.monthlyRecurringRevenue },
      'the MRR movements do not add up to the MRR',
    )
  return { ...figures, recentOrders: recent.map(orderView) }
}

/** The header of Recent Orders (`/api/subscriptions/stats`). */
export async function getSubscriptionStats(ctx: AdminCtx): Promise<SubscriptionStats> {
  const { extra: since, ...tallies } = await readTallies(
    ctx,
    async (tx) => await findFirstOrderDay(tx, everyoneScope()),
  )
  return subscriptionStatsOf(tallies, since)
}
