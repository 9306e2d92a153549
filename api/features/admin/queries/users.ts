import { maxCountedSearchRows, type UserSortKey } from '@flashsheet/contracts/admin/limits'
import type { Tx } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { sites } from '@flashsheet/db/schema/website'
import { idList } from '@flashsheet/db/prepared-statements'
import { currentSubscriptionOf } from '@flashsheet/db/sessions'
import { asc, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Everyone } from '../../../core/scope.ts'
import { fromAnchor, type DayAnchor } from './tallies.ts'

/** `phone`, `city` and `state` are the site's; null without one. */
export type UserRow = Awaited<ReturnType<typeof selectUsers>>[number]

/** The rows of a page. `isBackwards`: `offset` counts from the end of the list, which is nearer to the page. */
export type Slice = { offset: number; limit: number; isBackwards?: boolean }

/** The sort keys of a list; each has a covering index. */
const sortKeys: Record<UserSortKey, (AnyPgColumn | SQL)[]> = {
  createdAt: [users.createdAt],
  name: [sql`lower(${users.name})`, users.name],
  email: [users.email],
}

/** Escapes the wildcards of LIKE. */
export const escapeLike = (term: string): string => term.replaceAll(/[\\%_]/g, '\\$&')

const nameAndAddress = sql`${users.name} || ' ' || ${users.email}`

/** Whether the name or address of a user contains the term. */
export function matchesTerm(term: string): SQL {
  const contains = (text: SQL, part: string) => sql`(${text}) ilike ${`%${escapeLike(part)}%`}`
  // Very many addresses share the part after the @, and possibly their beginning. Searching the index only for the few
  // letters before the @ takes a tenth of the time; the whole term is checked in the rows that it finds.
  const rarePart = /\w{3,5}@(?=.)(?!.*\w{3}@.)/s.exec(term)?.[0]
  return rarePart === undefined
    ? contains(nameAndAddress, term)
    : sql`${contains(nameAndAddress, rarePart)} and ${contains(sql`${nameAndAddress} || ''`, term)}`
}

/** The ids that match, unordered; null if there are more than `maxCountedSearchRows`. */
export type UserSearch = { term: string; ids: readonly string[] | null }

/** Selects the ids of users whose name or address contains the term. */
export const idsMatchingTerm = (term: string): SQL => sql`select ${users.id} from ${users} where ${matchesTerm(term)}`

/** The users whose name or address contains the term. */
export async function findUsers(db: Tx, _scope: Everyone, term: string): Promise<UserSearch> {
  return await findMatchingUsers(db, term, idsMatchingTerm(term))
}

/**
 * The users whose ids `matchingIds` selects. If there are too many, `rowCount` is the value of the statement of that
 * name, which may read the first of them from the table `first`.
 */
export async function findMatchingUsers(db: Tx, term: string, matchingIds: SQL, rowCount = sql`0`) {
  const [row] = await db.execute<{ n: number; ids: string | null; rowCount: number | null }>(sql`
    with first as materialized (select id from (${matchingIds}) matching (id) limit ${maxCountedSearchRows + 1})
    select n, case when n <= ${maxCountedSearchRows} then (select string_agg(id::text, ',') from first) end as ids, case when n > ${maxCountedSearchRows} then (${rowCount})::int end as "rowCount"
    from (select count(*)::int as n from first) counted`)
  return {
    term,
    ids: row && row.n > maxCountedSearchRows ? null : (row?.ids?.split(',') ?? []),
    rowCount: row?.rowCount ?? 0,
  }
}

/** The number of rows that a statement selects; `maxCount` + 1 if there are more. */
export async function countUpTo(db: Tx, rows: SQL, maxCount: number): Promise<number> {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from (${rows} limit ${maxCount + 1}) counted`,
  )
  return row?.n ?? 0
}

/** The number of users whose name or address contains the term; `maxCount` + 1 if there are more. */
export async function countMatchingUsers(db: Tx, _scope: Everyone, term: string, maxCount: number): Promise<number> {
  return await countUpTo(db, sql`select 1 from ${users} where ${matchesTerm(term)}`, maxCount)
}

/** These ids as one array parameter. */
export const isAnyOf = (ids: readonly string[]): SQL => sql`any(${idList(ids)}::uuid[])`

/** `anchor`: the days in which a page by registration begins; earlier ones are skipped. */
type Order = { sortBy: UserSortKey; sortOrder: 'asc' | 'desc'; anchor: DayAnchor | undefined }

/** One page of all users, or of those that a search matches. */
export async function listUsers(
  db: Tx,
  _scope: Everyone,
  search: UserSearch | null,
  order: Order,
  slice: Slice,
): Promise<UserRow[]> {
  const { sortBy, sortOrder, anchor } = order
  const { offset, limit, isBackwards = false } = slice
  const direction = (sortOrder === 'asc') === isBackwards ? desc : asc
  const by = [...sortKeys[sortBy], users.id].map((key) => direction(key))
  const isFromAnchorOn = anchor && fromAnchor(users.createdAt, sortOrder, anchor)
  const where = search ? matchesTerm(search.term) : isFromAnchorOn
  // Few matches are read by id and sorted; very many are found by a scan in the order of the list.
  const source = search?.ids
    ? sql`(select * from ${users} where ${users.id} = ${isAnyOf(search.ids)} offset 0) users`
    : sql`${users} where ${where ?? sql`true`}`
  const page = sql`select ${users.id} from ${source} order by ${sql.join(by, sql`, `)} limit ${limit} offset ${offset - (anchor?.before ?? 0)}`
  const rows = await selectUsers(db, sql`${users.id} in (${page})`, by)
  return isBackwards ? rows.reverse() : rows
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
      currentPeriodEnd: current.currentPeriodEnd,
      cancelAtPeriodEnd: current.cancelAtPeriodEnd,
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
