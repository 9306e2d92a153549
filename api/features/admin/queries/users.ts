import { countedFinds, type UserSortKey } from '@flashsheet/contracts/admin/limits'
import type { PlanId, SubscriptionStatus } from '@flashsheet/contracts/plans'
import type { Tx } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { sites } from '@flashsheet/db/schema/website'
import { idList } from '@flashsheet/db/reads'
import { currentSubscriptionOf } from '@flashsheet/db/sessions'
import { asc, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Everyone } from '../../../core/scope.ts'
import type { KeysetAnchor } from './keyset-anchors.ts'
import { begins, type Place } from './tallies.ts'

export type UserRow = {
  id: string
  name: string
  email: string
  isActive: boolean
  isAdmin: boolean
  emailVerifiedAt: Date | null
  createdAt: Date
  deletionAskedAt: Date | null
  purgingAt: Date | null
  plan: PlanId | null
  status: SubscriptionStatus | null
  /** What the artist's site says of them; null without one. */
  phone: string | null
  city: string | null
  state: string | null
}

/** Which rows of an ordered list: `backwards` counts them from its end, for pages that are nearer to that. */
export type Slice = { offset: number; limit: number; backwards: boolean }

/** What a list is ordered by; each has an index that holds all of it. */
const keys: Record<UserSortKey, (AnyPgColumn | SQL)[]> = {
  createdAt: [users.createdAt],
  name: [sql`lower(${users.name})`, users.name],
  email: [users.email],
}

/** `%` and `_` are letters in what people search for. */
export const like = (term: string): string => term.replaceAll(/[\\%_]/g, '\\$&')

const nameAndAddress = sql`${users.name} || ' ' || ${users.email}`

/** Has this in name or address. */
export function found(term: string): SQL {
  const has = (where: SQL, part: string) => sql`(${where}) ilike ${`%${like(part)}%`}`
  // What follows the @ stands in very many addresses, and so may what one begins with: the index looks for the few letters before the @
  // alone, which takes a tenth of the time, and the whole is looked for in what that finds.
  const end = /\w{3,5}@(?=.)(?!.*\w{3}@.)/s.exec(term)?.[0]
  return end === undefined
    ? has(nameAndAddress, term)
    : sql`${has(nameAndAddress, end)} and ${has(sql`${nameAndAddress} || ''`, term)}`
}

/** Who a search means: these, in no order; null when there are more than are counted. */
export type UserSearch = { term: string; ids: readonly string[] | null }

/** The ids of those who have this in name or address. */
export const named = (term: string): SQL => sql`select ${users.id} from ${users} where ${found(term)}`

/** Who has this in name or address. */
export async function findUsers(db: Tx, _scope: Everyone, term: string): Promise<UserSearch> {
  return await findWho(db, term, named(term))
}

/** Whom a term means by a statement of ids. Of more than are counted, `held` is asked of the first of them (`first`) instead. */
export async function findWho(db: Tx, term: string, who: SQL, held = sql`0`): Promise<UserSearch & { held: number }> {
  const [row] = await db.execute<{ n: number; ids: string | null; held: number | null }>(sql`
    with first as materialized (select id from (${who}) w (id) limit ${countedFinds + 1})
    select n, case when n <= ${countedFinds} then (select string_agg(id::text, ',') from first) end as ids, case when n > ${countedFinds} then (${held})::int end as held
    from (select count(*)::int as n from first) counted`)
  return { term, ids: row && row.n > countedFinds ? null : (row?.ids?.split(',') ?? []), held: row?.held ?? 0 }
}

/** How many have this in name or address; one more than `most` when there are more. */
export async function countFound(db: Tx, _scope: Everyone, term: string, most: number): Promise<number> {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from (select 1 from ${users} where ${found(term)} limit ${most + 1}) counted`,
  )
  return row?.n ?? 0
}

/** These ids, as one value of a statement. */
export const among = (ids: readonly string[]): SQL => sql`any(${idList(ids)}::uuid[])`

/** What lies before the days the page begins in (`place`), or before a name or an address (`from`, in rising order), is left out. */
type Order = {
  sortBy: UserSortKey
  sortOrder: 'asc' | 'desc'
  place?: Place | undefined
  from?: KeysetAnchor | undefined
}

/** One page of users: all of them, or those with a word in name or address. */
export async function listUsers(
  db: Tx,
  _scope: Everyone,
  search: UserSearch | null,
  order: Order,
  slice: Slice,
): Promise<UserRow[]> {
  const direction = (order.sortOrder === 'asc') === slice.backwards ? desc : asc
  const by = [...keys[order.sortBy], users.id].map((key) => direction(key))
  const lies = order.from
    ? sql`${keys[order.sortBy][0]} >= ${order.from.key}`
    : order.place && begins(users.createdAt, order.sortOrder, order.place)
  const where = search ? found(search.term) : lies
  // Of few all are read and sorted; of very many the order finds the first.
  const source = search?.ids
    ? sql`(select * from ${users} where ${users.id} = ${among(search.ids)} offset 0) users`
    : sql`${users} where ${where ?? sql`true`}`
  const page = sql`select ${users.id} from ${source} order by ${sql.join(by, sql`, `)} limit ${slice.limit} offset ${slice.offset}`
  const rows = await selectUsers(db, sql`${users.id} in (${page})`, by)
  return slice.backwards ? rows.reverse() : rows
}

export async function findUser(db: Tx, _scope: Everyone, id: string): Promise<UserRow | undefined> {
  const [row] = await selectUsers(db, eq(users.id, id), [])
  return row
}

async function selectUsers(db: Tx, where: SQL, by: SQL[]): Promise<UserRow[]> {
  const current = currentSubscriptionOf(users.id)
  return await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      isActive: users.isActive,
      isAdmin: users.isAdmin,
      emailVerifiedAt: users.emailVerifiedAt,
      createdAt: users.createdAt,
      deletionAskedAt: users.deletionAskedAt,
      purgingAt: users.purgingAt,
      plan: current.plan,
      status: current.status,
      phone: sites.phone,
      city: sites.city,
      state: sites.state,
    })
    .from(users)
    .leftJoin(sites, eq(sites.userId, users.id))
    .leftJoinLateral(current, sql`true`)
    .where(where)
    .orderBy(...by)
}
