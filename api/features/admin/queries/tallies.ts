import type { PlanId, SubscriptionStatus } from '@flashsheet/contracts/subscription'
import type { Tx } from '@flashsheet/db/client'
import { movementTallies, orderTallies, subscriptionTallies, userTallies } from '@flashsheet/db/schema/admin'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { OrderAction } from '@flashsheet/contracts/subscription'
import type { Everyone } from '../../../core/scope.ts'
import type { MovementKind } from '../../subscription/queries.ts'

/** A UTC day as Postgres writes it: `2026-11-21`. */
export type Day = string

const total = (column: unknown, where?: SQL): SQL<number> =>
  (where ? sql`coalesce(sum(${column}) filter (where ${where}), 0)` : sql`coalesce(sum(${column}), 0)`).mapWith(Number) as SQL<number>

/** What was paid, less what was given back, per plan: all of it, and what was before `from`. Cents. */
export type RevenueTally = { plan: PlanId; revenue: number; before: number; since: Day | null }

export async function sumRevenue(db: Tx, _scope: Everyone, from: Day): Promise<RevenueTally[]> {
  const kept = sql`${orderTallies.amount} - ${orderTallies.refunded}`
  return await db
    .select({
      plan: orderTallies.plan,
      revenue: total(kept),
      before: total(kept, sql`${orderTallies.day} < ${from}`),
      since: sql<Day | null>`min(${orderTallies.day})::text`,
    })
    .from(orderTallies)
    .groupBy(orderTallies.plan)
}

export type OrderFilter = { plan?: PlanId | undefined; status?: SubscriptionStatus | undefined; action?: OrderAction | undefined }

/** How many orders there are of a kind. */
export async function countOrders(db: Tx, _scope: Everyone, filter: OrderFilter): Promise<number> {
  const [row] = await db
    .select({ orders: total(orderTallies.orders) })
    .from(orderTallies)
    .where(
      and(
        filter.plan && eq(orderTallies.plan, filter.plan),
        filter.status && eq(orderTallies.status, filter.status),
        filter.action && eq(orderTallies.action, filter.action),
      ),
    )
  return row?.orders ?? 0
}

/**
 * The UTC day a place in the list of orders falls on, and how many orders come before that day: what lies before a page is
 * then counted and not read. Undefined when the list is shorter.
 */
export async function findOrderDay(db: Tx, _scope: Everyone, filter: OrderFilter, order: 'asc' | 'desc', offset: number): Promise<{ day: Day; before: number } | undefined> {
  const direction = sql.raw(order)
  const { day, plan, status, action, orders } = orderTallies
  const [row] = await db.execute<{ day: Day; before: string }>(sql`
    select day::text, before from (
      select day, n, sum(n) over (order by day ${direction}) - n as before from (
        select ${day} as day, sum(${orders}) as n from ${orderTallies}
        where ${filter.plan ? sql`${plan} = ${filter.plan}` : sql`true`} and ${filter.status ? sql`${status} = ${filter.status}` : sql`true`} and ${filter.action ? sql`${action} = ${filter.action}` : sql`true`}
        group by ${day} having sum(${orders}) <> 0
      ) days
    ) places where before <= ${offset} and before + n > ${offset} limit 1`)
  return row && { day: row.day, before: Number(row.before) }
}

/** Subscriptions per plan and state; `before` and `today` count those that began before `from`, and on `today`. */
export type SubscriptionTally = {
  plan: PlanId
  status: SubscriptionStatus
  leaving: boolean
  subscriptions: number
  before: number
  today: number
  mrr: number
}

export async function sumSubscriptions(db: Tx, _scope: Everyone, from: Day, today: Day): Promise<SubscriptionTally[]> {
  const { plan, status, leaving, subscriptions, day, mrr } = subscriptionTallies
  return await db
    .select({
      plan,
      status,
      leaving,
      subscriptions: total(subscriptions),
      before: total(subscriptions, sql`${day} < ${from}`),
      today: total(subscriptions, sql`${day} = ${today}`),
      mrr: total(mrr),
    })
    .from(subscriptionTallies)
    .groupBy(plan, status, leaving)
}

/** Movements of one kind between two plans: before `from`, and since. Cents a month. */
export type MovementTally = {
  kind: MovementKind
  fromPlan: PlanId | null
  toPlan: PlanId | null
  before: { movements: number; delta: number }
  within: { movements: number; delta: number }
}

export async function sumMovements(db: Tx, _scope: Everyone, from: Day): Promise<MovementTally[]> {
  const { kind, fromPlan, toPlan, movements, delta, day } = movementTallies
  const before = sql`${day} < ${from}`
  const within = sql`${day} >= ${from}`
  return await db
    .select({
      kind,
      fromPlan,
      toPlan,
      before: { movements: total(movements, before), delta: total(delta, before) },
      within: { movements: total(movements, within), delta: total(delta, within) },
    })
    .from(movementTallies)
    .groupBy(kind, fromPlan, toPlan)
}

/** Movements by calendar month of UTC, `2026-11`, oldest first. */
export type MonthTally = { month: string; kind: MovementKind; movements: number; delta: number }

export async function sumMovementsByMonth(db: Tx, _scope: Everyone): Promise<MonthTally[]> {
  const { day, kind, movements, delta } = movementTallies
  const month = sql<string>`to_char(${day}, 'YYYY-MM')`
  return await db
    .select({ month, kind, movements: total(movements), delta: total(delta) })
    .from(movementTallies)
    .groupBy(sql`1`, kind)
    .orderBy(sql`1`)
}

export async function sumUsers(db: Tx, _scope: Everyone, today: Day): Promise<{ total: number; active: number; today: number }> {
  const { users, isActive, day } = userTallies
  const [row] = await db.select({ total: total(users), active: total(users, sql`${isActive}`), today: total(users, sql`${day} = ${today}`) }).from(userTallies)
  return row ?? { total: 0, active: 0, today: 0 }
}

/**
 * Adds up the rows of one group, in each table where there are several. Readers at the same time see either the parts or the
 * sum; a second run at the same time finds the parts gone.
 */
export async function compactTallies(db: Tx, _scope: Everyone): Promise<void> {
  for (const { table, keys, values } of compacted) {
    const key = sql.raw(keys.join(', '))
    const sums = sql.raw(values.map((value) => `sum(${value})`).join(', '))
    const anyLeft = sql.raw(values.map((value) => `sum(${value}) <> 0`).join(' or '))
    const same = sql.raw(keys.map((name) => `t.${name} is not distinct from several.${name}`).join(' and '))
    const into = sql.raw(`${table} (${[...keys, ...values].join(', ')})`)
    await db.execute(sql`
      with several as (select ${key} from ${sql.raw(table)} group by ${key} having count(*) > 1),
      gone as (delete from ${sql.raw(table)} t using several where ${same} returning t.*)
      insert into ${into} select ${key}, ${sums} from gone group by ${key} having ${anyLeft}`)
  }
}

const compacted = [
  { table: 'order_tallies', keys: ['day', 'plan', 'action', 'status'], values: ['orders', 'amount', 'refunded'] },
  { table: 'subscription_tallies', keys: ['day', 'plan', 'status', 'leaving'], values: ['subscriptions', 'mrr'] },
  { table: 'movement_tallies', keys: ['day', 'kind', 'from_plan', 'to_plan'], values: ['movements', 'delta'] },
  { table: 'user_tallies', keys: ['day', 'is_active'], values: ['users'] },
  { table: 'media_tallies', keys: ['kind'], values: ['items', 'bytes'] },
] as const
