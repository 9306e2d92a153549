import type { Tx } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { subscriptionOrders as orders } from '@flashsheet/db/schema/subscription'
import { and, asc, desc, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import { fromAnchor, matchesFilter, type OrderFilter, type DayAnchor } from './tallies.ts'
import { countUpTo, isAnyOf, matchesTerm, escapeLike, type Slice, type UserSearch } from './users.ts'

export type OrderRow = Awaited<ReturnType<typeof selectOrders>>[number]

/**
 * The orders of one user, or those that a term matches: by the user's name or address, or by the beginning of a customer
 * id. The orders of few users are read by index. For a term that very many users match, orders are scanned from the
 * newest on, and only names and addresses are searched.
 */
export type OrderSearch = { userId: string } | UserSearch

/** Selects ids and times of the matching orders. Each half of the union uses its own index; the caller sorts. */
function matches(search: OrderSearch, filter: OrderFilter): SQL {
  const restriction = matchesFilter(orders, filter) ?? sql`true`
  const selectMatch = sql`select ${orders.id}, ${orders.createdAt} from ${orders}`
  if ('userId' in search) return sql`${selectMatch} where ${orders.userId} = ${search.userId} and ${restriction}`
  if (!search.ids)
    return sql`${selectMatch} join ${users} on ${users.id} = ${orders.userId} where ${matchesTerm(search.term)} and ${restriction}`
  const ofUsers = sql`(${selectMatch} where ${orders.userId} = ${isAnyOf(search.ids)} and ${restriction} offset 0)`
  if (!/^\w+$/.test(search.term)) return ofUsers
  return sql`${ofUsers} union (${selectMatch} where ${orders.stripeCustomerId} like ${`${escapeLike(search.term)}%`} and ${restriction} offset 0)`
}

/** The number of matching orders; `maxCount` + 1 if there are more. */
export async function countMatchingOrders(
  db: Tx,
  _scope: Everyone,
  search: OrderSearch,
  filter: OrderFilter,
  maxCount: number,
): Promise<number> {
  return await countUpTo(db, sql`select 1 from (${matches(search, filter)}) m`, maxCount)
}

/** `anchor`: the days in which the page begins; earlier ones are skipped. */
type Order = { sortOrder: 'asc' | 'desc'; anchor?: DayAnchor | undefined }

/** One page of orders by their time. */
export async function listOrders(
  db: Tx,
  _scope: Everyone,
  search: OrderSearch | null,
  filter: OrderFilter,
  { sortOrder, anchor }: Order,
  slice: Slice,
): Promise<OrderRow[]> {
  const direction = sql.raw(sortOrder)
  const source = search
    ? sql`select id from (${matches(search, filter)}) m order by created_at ${direction}, id ${direction}`
    : sql`select ${orders.id} from ${orders} where ${and(matchesFilter(orders, filter), anchor && fromAnchor(orders.createdAt, sortOrder, anchor)) ?? sql`true`} order by ${orders.createdAt} ${direction}, ${orders.id} ${direction}`
  return await selectOrders(
    db,
    sql`${orders.id} in (${source} limit ${slice.limit} offset ${slice.offset - (anchor?.before ?? 0)})`,
    [orders.createdAt, orders.id].map(sortOrder === 'asc' ? asc : desc),
  )
}

/** The UTC day of the first order; null without any. */
export async function findFirstOrderDay(db: Tx, _scope: Everyone): Promise<string | null> {
  const [row] = await db
    .select({ day: sql<string>`(${orders.createdAt} at time zone 'UTC')::date::text` })
    .from(orders)
    .orderBy(asc(orders.createdAt))
    .limit(1)
  return row?.day ?? null
}

export async function findOrder(db: Tx, _scope: Everyone, id: string): Promise<OrderRow | undefined> {
  const [row] = await selectOrders(db, eq(orders.id, id), [])
  return row
}

async function selectOrders(db: Tx, where: SQL, by: SQL[]) {
  return await db
    .select({ ...getTableColumns(orders), userId: users.id, userName: users.name, userEmail: users.email })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(where)
    .orderBy(...by)
}
