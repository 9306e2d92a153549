import type { HistoryInput } from '@flashsheet/contracts/admin/schema'
import type { Tx } from '@flashsheet/db/client'
import { movementTallies, orderTallies, subscriptionTallies, userTallies } from '@flashsheet/db/schema/admin'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Everyone } from '../../../core/scope.ts'

/** A UTC day as Postgres writes it: `2026-11-21`. */
export type Day = string

const total = (column: unknown, where?: SQL): SQL<number> =>
  (where ? sql`coalesce(sum(${column}) filter (where ${where}), 0)` : sql`coalesce(sum(${column}), 0)`).mapWith(
    Number,
  ) as SQL<number>

export type RevenueTally = Awaited<ReturnType<typeof sumRevenue>>[number]

/** Payments less refunds, per plan: in total, and before `from`. Cents. */
export async function sumRevenue(db: Tx, _scope: Everyone, from: Day) {
  const net = sql`${orderTallies.amount} - ${orderTallies.refunded}`
  return await db
    .select({
      plan: orderTallies.plan,
      revenue: total(net),
      before: total(net, sql`${orderTallies.day} < ${from}`),
    })
    .from(orderTallies)
    .groupBy(orderTallies.plan)
}

export type OrderFilter = Pick<HistoryInput, 'plan' | 'status' | 'action'>

/** The number of orders that match a filter. */
export async function countOrders(db: Tx, _scope: Everyone, filter: OrderFilter): Promise<number> {
  const [row] = await db
    .select({ orders: total(orderTallies.orders) })
    .from(orderTallies)
    .where(matchesFilter(orderTallies, filter))
  return row?.orders ?? 0
}

/** Whether an order, or a tally of orders, matches a filter; undefined without one. */
export const matchesFilter = (
  { plan, status, action }: Record<keyof OrderFilter, AnyPgColumn>,
  filter: OrderFilter,
): SQL | undefined =>
  and(
    filter.plan && eq(plan, filter.plan),
    filter.status && eq(status, filter.status),
    filter.action && eq(action, filter.action),
  )

/**
 * The UTC days on which a page begins, and the number of entries before them. A week if it ends before the cutoff of the
 * compaction, otherwise one day; `until` is exclusive.
 */
export type DayAnchor = { from: Day; until: Day; before: number }

type AnchorPage = [cutoff: Day, order: 'asc' | 'desc', offset: number]

/**
 * Finds the days on which an offset in a list by time falls, so that the entries before them are counted and not read.
 * Undefined if the list is shorter.
 */
async function findDayAnchor(
  db: Tx,
  days: { day: AnyPgColumn; count: AnyPgColumn; rows: SQL },
  ...[cutoff, order, offset]: AnchorPage
): Promise<DayAnchor | undefined> {
  const week = sql`date_trunc('week', ${days.day}::timestamp)::date`
  const isWeek = sql`${week} + 7 <= ${cutoff}::date`
  const [row] = await db.execute<{ from: Day; until: Day; before: string }>(sql`
    select "from"::text, (case when weekly then "from" + 7 else "from" + 1 end)::text as until, before from (
      select "from", weekly, n, sum(n) over (order by "from" ${sql.raw(order)}) - n as before from (
        select case when ${isWeek} then ${week} else ${days.day} end as "from", ${isWeek} as weekly, sum(${days.count}) as n from ${days.rows}
        group by 1, 2 having sum(${days.count}) <> 0
      ) spans
    ) anchors where before <= ${offset} and before + n > ${offset} limit 1`)
  return row && { ...row, before: Number(row.before) }
}

/** The condition for the entries of a list by `time` that are not before an anchor. */
export function fromAnchor(time: AnyPgColumn, order: 'asc' | 'desc', { from, until }: DayAnchor): SQL {
  const midnight = (day: Day) => sql`(${day}::date)::timestamp at time zone 'UTC'`
  return order === 'asc' ? sql`${time} >= ${midnight(from)}` : sql`${time} < ${midnight(until)}`
}

/** Where a page of orders begins. */
export async function findOrderAnchor(
  db: Tx,
  _scope: Everyone,
  filter: OrderFilter,
  ...page: AnchorPage
): Promise<DayAnchor | undefined> {
  const rows = sql`${orderTallies} where ${matchesFilter(orderTallies, filter) ?? sql`true`}`
  return await findDayAnchor(db, { day: orderTallies.day, count: orderTallies.orders, rows }, ...page)
}

/** Where a page of users by registration begins. */
export async function findUserAnchor(db: Tx, _scope: Everyone, ...page: AnchorPage): Promise<DayAnchor | undefined> {
  const { day, users: count } = userTallies
  return await findDayAnchor(db, { day, count, rows: sql`${userTallies}` }, ...page)
}

export type SubscriptionTally = Awaited<ReturnType<typeof sumSubscriptions>>[number]

/** Subscriptions per plan and status; `before` and `today` count those that began before `from` and on `today`. */
export async function sumSubscriptions(db: Tx, _scope: Everyone, from: Day, today: Day) {
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

export type MovementTally = Awaited<ReturnType<typeof sumMovements>>[number]

/** Movements of each kind between two plans: before `from`, and since. Cents a month. */
export async function sumMovements(db: Tx, _scope: Everyone, from: Day) {
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

export type MonthTally = Awaited<ReturnType<typeof sumMovementsByMonth>>[number]

/** Movements by calendar month of UTC, `2026-11`, oldest first. */
export async function sumMovementsByMonth(db: Tx, _scope: Everyone) {
  const { day, kind, movements, delta } = movementTallies
  const month = sql<string>`to_char(${day}, 'YYYY-MM')`
  return await db
    .select({ month, kind, movements: total(movements), delta: total(delta) })
    .from(movementTallies)
    .groupBy(sql`1`, kind)
    .orderBy(sql`1`)
}

export async function sumUsers(db: Tx, _scope: Everyone, today: Day) {
  const { users, isActive, day } = userTallies
  const [row] = await db
    .select({
      total: total(users),
      active: total(users, sql`${isActive}`),
      today: total(users, sql`${day} = ${today}`),
    })
    .from(userTallies)
  return row ?? { total: 0, active: 0, today: 0 }
}

/**
 * Merges the rows of each group in every tally table, so that a page costs the same after ten years. Days before
 * `cutoff` are merged into weeks or months, since older figures are not needed by day. Concurrent readers see either the
 * rows or their sum; a concurrent second run finds the rows deleted.
 */
export async function compactTallies(db: Tx, _scope: Everyone, cutoff: Day): Promise<void> {
  for (const tally of tallyTables) {
    const { table, keys, nullable = [], values } = tally
    const { names, groupValue, groupValues, keyColumns, sums, isNonZero, ordinals, into } = sqlParts(tally, cutoff)
    const isOfGroup = sql.join(
      [
        ...keys.map((name) => sql`${groupValue(name)} = repeated.${sql.raw(name)}`),
        ...nullable.map((name) => sql`${groupValue(name)} is not distinct from repeated.${sql.raw(name)}`),
      ],
      sql` and `,
    )
    const returned = sql.raw(
      [...names.map((name) => `repeated.${name}`), ...values.map((value) => `t.${value}`)].join(', '),
    )
    await db.execute(sql`
      with repeated (${keyColumns}) as (select ${groupValues} from ${sql.raw(table)} t group by ${ordinals} having count(*) > 1),
      deleted as (delete from ${sql.raw(table)} t using repeated where ${isOfGroup} returning ${returned})
      insert into ${into} select ${keyColumns}, ${sums} from deleted group by ${keyColumns} having ${isNonZero}`)
  }
}

/** Parts of the statements that sum the rows of each group in a tally table `t`. */
function sqlParts({ table, span, keys, nullable = [], values }: TallyTable, cutoff: Day) {
  const names = [...keys, ...nullable]
  const groupValue = (name: string): SQL => (name === 'day' && span ? firstDayOf(span, cutoff) : sql.raw(`t.${name}`))
  return {
    names,
    groupValue,
    groupValues: sql.join(names.map(groupValue), sql`, `),
    keyColumns: sql.raw(names.join(', ')),
    sums: sql.raw(values.map((value) => `sum(${value})`).join(', ')),
    isNonZero: sql.raw(values.map((value) => `sum(${value}) <> 0`).join(' or ')),
    ordinals: sql.raw(names.map((_, at) => at + 1).join(', ')),
    into: sql.raw(`${table} (${[...names, ...values].join(', ')})`),
  }
}

/**
 * Corrects tallies that differ from the sums of their tables. A restore of data alone causes that: it loads the tallies,
 * and the triggers count the loaded rows again. The differences are inserted as rows, which blocks no writer; rows and
 * tallies are read in one snapshot, so that concurrent writes are not counted twice. Returns how many rows it inserted.
 */
export async function recountTallies(db: Tx, _scope: Everyone, cutoff: Day): Promise<number> {
  let added = 0
  for (const tally of tallyTables) {
    const { table, values, sourceRows } = tally
    const { names, groupValues, keyColumns, sums, isNonZero, ordinals, into } = sqlParts(tally, cutoff)
    const negated = sql.raw(values.map((value) => `-${value}`).join(', '))
    const rows = await db.execute(sql`
      insert into ${into} select ${groupValues}, ${sums} from (
        select ${sql.raw(sourceRows)} union all select ${keyColumns}, ${negated} from ${sql.raw(table)}
      ) t (${sql.raw([...names, ...values].join(', '))}) group by ${ordinals} having ${isNonZero} returning 1`)
    added += rows.length
  }
  return added
}

/** The first day of the row's week or month if that ends before `cutoff`, otherwise the row's day. */
const firstDayOf = (span: 'week' | 'month', cutoff: Day): SQL => {
  const first = sql.raw(`date_trunc('${span}', t.day::timestamp)`)
  return sql`(case when ${first} + ${sql.raw(`interval '1 ${span}'`)} <= ${cutoff}::date then ${first}::date else t.day end)`
}

type TallyTable = {
  table: string
  /** What old days are merged into: weeks for lists paged by day, months for monthly figures. */
  span?: 'week' | 'month'
  keys: readonly string[]
  /** Keys that may be null. */
  nullable?: readonly string[]
  values: readonly string[]
  /** Selects the tally of each row of the source table, as its trigger does. */
  sourceRows: string
}

const tallyTables: readonly TallyTable[] = [
  {
    table: 'order_tallies',
    span: 'week',
    keys: ['day', 'plan', 'action', 'status'],
    values: ['orders', 'amount', 'refunded'],
    sourceRows:
      "(created_at at time zone 'UTC')::date, plan, action, status, 1, amount, refunded from subscription_orders",
  },
  {
    table: 'subscription_tallies',
    span: 'month',
    keys: ['day', 'plan', 'status', 'leaving'],
    values: ['subscriptions', 'mrr'],
    sourceRows: "(created_at at time zone 'UTC')::date, plan, status, cancel_at_period_end, 1, mrr from subscriptions",
  },
  {
    table: 'movement_tallies',
    span: 'month',
    keys: ['day', 'kind'],
    nullable: ['from_plan', 'to_plan'],
    values: ['movements', 'delta'],
    sourceRows: "(at at time zone 'UTC')::date, kind, from_plan, to_plan, 1, delta from mrr_movements",
  },
  {
    table: 'user_tallies',
    span: 'week',
    keys: ['day', 'is_active'],
    values: ['users'],
    sourceRows: "(created_at at time zone 'UTC')::date, is_active, 1 from users",
  },
  { table: 'media_tallies', keys: ['kind'], values: ['items', 'bytes'], sourceRows: 'kind, 1, bytes from media_items' },
]
