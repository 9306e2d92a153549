import { countedFinds, type UserSortKey } from '@flashsheet/contracts/admin/limits'
import type { Tx } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { sites } from '@flashsheet/db/schema/website'
import { idList } from '@flashsheet/db/reads'
import { currentSubscriptionOf } from '@flashsheet/db/sessions'
import { asc, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Everyone } from '../../../core/scope.ts'
import { fromAnchor, type DayAnchor } from './tallies.ts'

/** `phone`, `city` and `state` are the site's; null without one. */
export type UserRow = Awaited<ReturnType<typeof selectUsers>>[number]

/** The rows of a page; `backwards` counts from the end of the list, for pages that are nearer to that. */
export type Slice = { offset: number; limit: number; backwards: boolean }

/** The sort keys of a list; each has a covering index. */
const keys: Record<UserSortKey, (AnyPgColumn | SQL)[]> = {
  createdAt: [users.createdAt],
  name: [sql`lower(${users.name})`, users.name],
  email: [users.email],
}

/** Escapes the wildcards of LIKE. */
export const escapeLike = (term: string): string => term.replaceAll(/[\\%_]/g, '\\$&')

const nameAndAddress = sql`${users.name} || ' ' || ${users.email}`

/** Whether the term is in the name or address. */
export function matchesTerm(term: string): SQL {
  const has = (where: SQL, part: string) => sql`(${where}) ilike ${`%${escapeLike(part)}%`}`
  // The part after the @ is common to very many addresses, and so may be the beginning. So the index is searched for
  // the few letters before the @ only, which takes a tenth of the time, and the whole term is checked in those rows.
  const end = /\w{3,5}@(?=.)(?!.*\w{3}@.)/s.exec(term)?.[0]
  return end === undefined
    ? has(nameAndAddress, term)
    : sql`${has(nameAndAddress, end)} and ${has(sql`${nameAndAddress} || ''`, term)}`
}

/** The ids that match, unordered; null when there are more than are counted. */
export type UserSearch = { term: string; ids: readonly string[] | null }

/** The ids of users with the term in name or address. */
export const idsMatchingTerm = (term: string): SQL => sql`select ${users.id} from ${users} where ${matchesTerm(term)}`

/** The users with the term in name or address. */
export async function findUsers(db: Tx, _scope: Everyone, term: string): Promise<UserSearch> {
  return await findMatchingUsers(db, term, idsMatchingTerm(term))
}

/**
 * Users selected by a statement of ids. When there are too many, `held` is evaluated for the first of them (`first`)
 * instead.
 */
export async function findMatchingUsers(
  db: Tx,
  term: string,
  who: SQL,
  held = sql`0`,
): Promise<UserSearch & { held: number }> {
  const [row] = await db.execute<{ n: number; ids: string | null; held: number | null }>(sql`
    with first as materialized (select id from (${who}) w (id) limit ${countedFinds + 1})
    select n, case when n <= ${countedFinds} then (select string_agg(id::text, ',') from first) end as ids, case when n > ${countedFinds} then (${held})::int end as held
    from (select count(*)::int as n from first) counted`)
  return { term, ids: row && row.n > countedFinds ? null : (row?.ids?.split(',') ?? []), held: row?.held ?? 0 }
}

/** The number of rows that a statement selects; `most` + 1 when there are more. */
export async function countUpTo(db: Tx, rows: SQL, most: number): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`select count(*)::int as n from (${rows} limit ${most + 1}) counted`)
  return row?.n ?? 0
}

/** The number of users with the term in name or address; `most` + 1 when there are more. */
export async function countFound(db: Tx, _scope: Everyone, term: string, most: number): Promise<number> {
  return await countUpTo(db, sql`select 1 from ${users} where ${matchesTerm(term)}`, most)
}

/** These ids as one array parameter. */
export const isAnyOf = (ids: readonly string[]): SQL => sql`any(${idList(ids)}::uuid[])`

/** `place`: the day in which a page by registration begins; earlier ones are skipped. */
type Order = {
  sortBy: UserSortKey
  sortOrder: 'asc' | 'desc'
  place?: DayAnchor | undefined
}

/** One page of users: all, or those with a term in name or address. */
export async function listUsers(
  db: Tx,
  _scope: Everyone,
  search: UserSearch | null,
  order: Order,
  slice: Slice,
): Promise<UserRow[]> {
  const direction = (order.sortOrder === 'asc') === slice.backwards ? desc : asc
  const by = [...keys[order.sortBy], users.id].map((key) => direction(key))
  const lies = order.place && fromAnchor(users.createdAt, order.sortOrder, order.place)
  const where = search ? matchesTerm(search.term) : lies
  // Few matches are read and sorted; very many are found along the order.
  const source = search?.ids
    ? sql`(select * from ${users} where ${users.id} = ${isAnyOf(search.ids)} offset 0) users`
    : sql`${users} where ${where ?? sql`true`}`
  const page = sql`select ${users.id} from ${source} order by ${sql.join(by, sql`, `)} limit ${slice.limit} offset ${slice.offset}`
  const rows = await selectUsers(db, sql`${users.id} in (${page})`, by)
  return slice.backwards ? rows.reverse() : rows
}

export async function findUser(db: Tx, _scope: Everyone, id: string): Promise<UserRow | undefined> {
  const [row] = await selectUsers(db, eq(users.id, id), [])
  return row
}

async function selectUsers(db: Tx, where: SQL, by: SQL[]) {
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
      timeZone: users.timeZone,
      stripeCustomerId: users.stripeCustomerId,
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
