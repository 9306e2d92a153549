import { countedMatches } from '@flashsheet/contracts/admin'
import type { Tx } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { subscriptionOrders as orders } from '@flashsheet/db/schema/subscription'
import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import type { OrderFilter } from './tallies.ts'
import { like, type Slice } from './users.ts'

const columns = {
  id: orders.id,
  stripeCustomerId: orders.stripeCustomerId,
  stripeObjectId: orders.stripeObjectId,
  plan: orders.plan,
  amount: orders.amount,
  refunded: orders.refunded,
  currency: orders.currency,
  action: orders.action,
  status: orders.status,
  createdAt: orders.createdAt,
  userId: users.id,
  userName: users.name,
  userEmail: users.email,
}

export type OrderRow = Pick<typeof orders.$inferSelect, Exclude<keyof typeof columns, 'userId' | 'userName' | 'userEmail'>> & {
  userId: string | null
  userName: string | null
  userEmail: string | null
}

/**
 * Which orders a search means: those of these users and those whose customer id begins like this; or, when the word is in
 * very many names, those whose user has it.
 */
export type OrderSearch = { userIds: readonly string[]; customer: string | null } | { term: string }

const meets = (filter: OrderFilter): SQL | undefined =>
  and(
    filter.plan && eq(orders.plan, filter.plan),
    filter.status && eq(orders.status, filter.status),
    filter.action && eq(orders.action, filter.action),
  )

/** Ids and times of what a search means. Each half is read by its own index first, and sorted afterwards. */
function matches(search: OrderSearch, filter: OrderFilter): SQL {
  const restriction = meets(filter) ?? sql`true`
  if ('term' in search) {
    return sql`select ${orders.id}, ${orders.createdAt} from ${orders} join ${users} on ${users.id} = ${orders.userId}
      where (${users.name} || ' ' || ${users.email}) ilike ${`%${like(search.term)}%`} and ${restriction}`
  }
  const ids = sql.param(`{${search.userIds.join(',')}}`)
  const ofUsers = sql`(select ${orders.id}, ${orders.createdAt} from ${orders} where ${orders.userId} = any(${ids}::uuid[]) and ${restriction} offset 0)`
  if (search.customer === null) return ofUsers
  return sql`${ofUsers} union (select ${orders.id}, ${orders.createdAt} from ${orders} where ${orders.stripeCustomerId} like ${`${like(search.customer)}%`} and ${restriction} offset 0)`
}

/** How many orders a search means; one more than are counted when there are many. */
export async function countMatchingOrders(db: Tx, _scope: Everyone, search: OrderSearch, filter: OrderFilter): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`select count(*)::int as n from (select 1 from (${matches(search, filter)}) m limit ${countedMatches + 1}) counted`)
  return row?.n ?? 0
}

/** `from`: the UTC day the page begins on; what lies before it is left out. */
type Order = { sortOrder: 'asc' | 'desc'; from?: string | undefined }

function begins({ sortOrder, from }: Order): SQL | undefined {
  if (from === undefined) return undefined
  const midnight = sql`(${from}::date)::timestamp at time zone 'UTC'`
  return sortOrder === 'asc' ? sql`${orders.createdAt} >= ${midnight}` : sql`${orders.createdAt} < ${midnight} + interval '1 day'`
}

/** One page of orders by their time. */
export async function listOrders(db: Tx, _scope: Everyone, search: OrderSearch | null, filter: OrderFilter, order: Order, slice: Slice): Promise<OrderRow[]> {
  const isRising = (order.sortOrder === 'asc') !== slice.backwards
  const direction = sql.raw(isRising ? 'asc' : 'desc')
  const source = search
    ? sql`select id from (${matches(search, filter)}) m order by created_at ${direction}, id ${direction}`
    : sql`select ${orders.id} from ${orders} where ${and(meets(filter), begins(order)) ?? sql`true`} order by ${orders.createdAt} ${direction}, ${orders.id} ${direction}`
  const rows = await selectOrders(
    db,
    sql`${orders.id} in (${source} limit ${slice.limit} offset ${slice.offset})`,
    [orders.createdAt, orders.id].map(isRising ? asc : desc),
  )
  return slice.backwards ? rows.reverse() : rows
}

export async function findOrder(db: Tx, _scope: Everyone, id: string): Promise<OrderRow | undefined> {
  const [row] = await selectOrders(db, eq(orders.id, id), [])
  return row
}

async function selectOrders(db: Tx, where: SQL, by: SQL[]): Promise<OrderRow[]> {
  return await db
    .select(columns)
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(where)
    .orderBy(...by)
}
