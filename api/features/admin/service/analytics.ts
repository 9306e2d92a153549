import { adminLimits, type AdminAnalytics, type SubscriptionStats } from '@flashsheet/contracts/admin'
import type { AdminCtx } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { listOrders } from '../queries/orders.ts'
import { sumMovements, sumRevenue, sumSubscriptions } from '../queries/tallies.ts'
import { analyse, statsOf, windowAt } from '../rules/figures.ts'
import { orderView } from '../view.ts'

async function readTallies(ctx: AdminCtx) {
  const { from, today } = windowAt(ctx.now())
  const scope = everyoneScope()
  // One snapshot: figures read one after the other need not add up.
  return await ctx.db.transaction(
    async (tx) => ({
      revenue: await sumRevenue(tx, scope, from),
      subscriptions: await sumSubscriptions(tx, scope, from, today),
      movements: await sumMovements(tx, scope, from),
      recent: await listOrders(tx, scope, null, {}, { sortOrder: 'desc' }, { offset: 0, limit: adminLimits.recentOrders, backwards: false }),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** The dashboard's figures (spec 3, Admin analytics), by the definitions of bookings-sites-billing 4.1. */
export async function analytics(ctx: AdminCtx): Promise<AdminAnalytics> {
  const { recent, ...tallies } = await readTallies(ctx)
  const figures = analyse(tallies)
  if (!figures.addsUp) ctx.log.error({ movement: figures.movement, mrr: figures.current.monthlyRecurringRevenue }, 'the movements of MRR do not add up to it')
  return { ...figures, recentOrders: recent.map(orderView) }
}

/** The head of Recent Orders (wire: subscriptions/stats). */
export async function subscriptionStats(ctx: AdminCtx): Promise<SubscriptionStats> {
  return statsOf(await readTallies(ctx))
}
