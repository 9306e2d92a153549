import { type StaffList, staffLists } from '@flashsheet/contracts/admin/limits'
import { platformNames } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { sql, type SQL } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import {
  isAnyOf,
  findMatchingUsers,
  matchesTerm,
  escapeLike,
  idsMatchingTerm,
  type Slice,
  type UserSearch,
} from './users.ts'

/**
 * One list across artists. `rows`: id, user_id, status, rank (failing ones are 0) and at, filtered by `ownerCondition`,
 * written so that the list's own index (`…_for_staff`) gives the order; a list over two tables takes the first `top` of
 * each, if given. `words`: title, detail and problem, read for the rows of the page only. `matchingArtists`: the
 * artists whose own row in the list contains the term, where that is searched too. `first`: the states that sort first,
 * in the order of their ranks.
 */
type Source = {
  first: readonly string[]
  rows: (ownerCondition: SQL, status: string | undefined, top: number | undefined) => SQL
  words: SQL
  matchingArtists?: (term: string) => SQL
}

/** A network's name instead of its id. */
const networkName = (column: string): SQL =>
  sql.raw(
    `case ${column} ${Object.entries(platformNames)
      .map(([id, name]) => `when '${id}' then '${name}'`)
      .join(' ')} end`,
  )

const sources: Record<StaffList, Source> = {
  'scheduled-posts': {
    first: ['failed', 'scheduled'],
    rows: (ownerCondition) =>
      sql`select p.id::text as id, p.user_id, p.status, (case p.status when 'failed' then 0 when 'scheduled' then 1 else 2 end) as rank, p.scheduled_at as at, p.id as tie from posts p where ${ownerCondition}`,
    words: sql`select coalesce(nullif(t.title, ''), t.message, '') as title,
        (select string_agg(distinct ${networkName('x.platform')} || ': ' || x.page_name, ', ') from post_targets x where x.post_id = p.id) as detail,
        p.error_message as problem
      from posts p left join lateral (select title, message from post_targets where post_id = p.id order by id limit 1) t on true where p.id = page.id::uuid`,
  },
  appointments: {
    first: ['pending', 'confirmed'],
    rows: (ownerCondition) =>
      sql`select a.id::text as id, a.user_id, a.status, (case a.status when 'pending' then 0 when 'confirmed' then 1 else 2 end) as rank, a.starts_at as at, a.id as tie from appointments a where ${ownerCondition}`,
    words: sql`select a.client_name as title, a.booking_type || ', ' || a.time_slot as detail,
        case when a.set_aside then 'Set aside as spam' end as problem, a.email, a.phone
      from appointments a where a.id = page.id::uuid`,
  },
  media: {
    first: ['refused'],
    rows: (
      ownerCondition,
      status,
      top,
    ) => sql`(select u.id, u.user_id, 'refused' as status, 0 as rank, u.created_at as at, u.id as tie from uploads u
        where u.refusal is not null and ${status ?? 'refused'} = 'refused' and ${ownerCondition} ${top === undefined ? sql`` : sql`order by u.created_at desc nulls last, u.id desc nulls last limit ${top}`})
      union all (select m.id::text, m.user_id, m.kind, 1, m.created_at, m.id::text from media_items m
        where ${status === undefined ? sql`true` : status === 'refused' ? sql`false` : sql`m.kind = ${status}`} and ${ownerCondition} ${top === undefined ? sql`` : sql`order by m.created_at desc nulls last, m.id desc nulls last limit ${top}`})`,
    words: sql`select coalesce(m.file_name, u.file_name) as title,
        coalesce(m.width || ' × ' || m.height || ', ', '') || pg_size_pretty(coalesce(m.bytes, u.bytes)) as detail, u.refusal as problem
      from (select 1) one
      left join media_items m on m.id = case when page.status <> 'refused' then page.id::uuid end
      left join uploads u on page.status = 'refused' and u.id = page.id`,
  },
  websites: {
    first: ['ended', 'hidden'],
    rows: (ownerCondition) => sql`select s.user_id::text as id, s.user_id,
        (case when s.closed_at is not null then 'ended' when s.published then 'published' else 'hidden' end) as status,
        (case when s.closed_at is not null then 0 when s.published then 2 else 1 end) as rank, s.updated_at as at, s.user_id as tie from sites s where ${ownerCondition}`,
    words: sql`select s.domain_name as title, s.shop_name as detail, case when s.closed_at is not null then 'The plan no longer includes a site' end as problem
      from sites s where s.user_id = page.user_id`,
    matchingArtists: (term) =>
      sql`select user_id from sites where domain_name like ${`%${escapeLike(term.toLowerCase())}%`}`,
  },
  'social-accounts': {
    first: ['reconnect'],
    rows: (ownerCondition) =>
      sql`select a.id::text as id, a.user_id, a.health as status, (case a.health when 'reconnect' then 0 else 1 end) as rank, a.connected_at as at, a.id as tie from social_accounts a where a.leaving_at is null and ${ownerCondition}`,
    words: sql`select ${networkName('a.platform')} || ': ' || a.provider_name as title,
        (select string_agg(g.name, ', ' order by g.name) from social_pages g where g.account_id = a.id and g.removed_at is null) as detail,
        case a.health when 'reconnect' then 'Only the artist can mend it, by connecting again' end as problem
      from social_accounts a where a.id = page.id::uuid`,
  },
}

/** Artists who match a term by name or address, or by what the list searches itself; may contain duplicates. */
function artistsMatching(list: StaffList, term: string): SQL {
  const { matchingArtists } = sources[list]
  return matchingArtists ? sql`${idsMatchingTerm(term)} union all ${matchingArtists(term)}` : idsMatchingTerm(term)
}

/** Whether a row of `users` is among them. */
function artistMatches(list: StaffList, term: string): SQL {
  const { matchingArtists } = sources[list]
  return matchingArtists
    ? sql`${matchesTerm(term)} or exists (select 1 from (${matchingArtists(term)}) c where c.user_id = ${users.id})`
    : matchesTerm(term)
}

/** All rows in a state, filtered by `ownerCondition`. */
function rowsInState(list: StaffList, ownerCondition: SQL, status: string | undefined, top?: number): SQL {
  const { first, rows } = sources[list]
  const all = sql`select id, user_id, status, rank, at, tie from (${rows(ownerCondition, status, top)}) all_rows`
  if (status === undefined) return all
  // The condition on the rank uses the index. Where the rank implies the status there is no second condition: Postgres
  // has statistics for one, but would have to guess for both.
  const rank = sql`rank = ${sql.raw(String([...first, status].indexOf(status)))}`
  const isAlone = first.includes(status) || staffLists[list].length === first.length + 1
  return isAlone ? sql`${all} where ${rank}` : sql`${all} where ${rank} and status = ${status}`
}

/**
 * The artists a search matches; when they are too many, the number of rows of the first of them, up to `most` + 1, which
 * spares a page of a common word up to 50 ms (docs/benchmarks.md, "admin").
 */
export type ListSearch = UserSearch & { held: number }

export async function findListed(
  db: Tx,
  _scope: Everyone,
  list: StaffList,
  term: string,
  status: string | undefined,
  most: number,
): Promise<ListSearch> {
  const once = sources[list].matchingArtists ? sql`select distinct id from first` : sql`select id from first`
  const theirs = sql`${rowsInState(list, sql`user_id = who.id`, status)} offset 0`
  return await findMatchingUsers(
    db,
    term,
    artistsMatching(list, term),
    sql`select count(*) from (select 1 from (${once}) who cross join lateral (${theirs}) t limit ${most + 1}) held`,
  )
}

/** Rows in a state, of the artists that a search matches. */
export type ListFilter = { status?: string | undefined; search: ListSearch | null }

export type ListedRow = {
  id: string
  userId: string
  userName: string
  status: string
  at: Date
  title: string
  detail: string | null
  problem: string | null
  email: string | null
  phone: string | null
}

/** One page and the number of rows: above `most` when there are more. */
export type Listed = { rows: ListedRow[]; matches: number }

/** Within one state the rank is constant; leaving it out spares Postgres a sort. */
const orderOf = (status: string | undefined): SQL =>
  status === undefined
    ? sql`rank, at desc nulls last, tie desc nulls last`
    : sql`at desc nulls last, tie desc nulls last`

/**
 * How many entries of a list are scanned, in its order, for a term that very many artists match; the scan ends with the
 * page. If too few match there, all entries of these artists are read.
 */
const scanned = 2000

/**
 * A literal in the statement: with a parameter Postgres would plan each time, which takes as long as the query. Only
 * for few different numbers, since each makes a statement of its own.
 */
const inlineNumber = (n: number): SQL => sql.raw(String(n))

/** Rounded up to 10 times a power of two. */
const roundUp = (n: number): number => 10 * 2 ** Math.ceil(Math.log2(n / 10))

/** One page, failing ones first, then the newest. */
export async function listAcross(
  db: Tx,
  _scope: Everyone,
  list: StaffList,
  { status, search }: ListFilter,
  slice: Slice,
  most: number,
): Promise<Listed> {
  const order = orderOf(status)
  const read = async (reading: Reading) => await readPage(db, list, reading, order, slice)
  const end = slice.offset + slice.limit
  if (!search) {
    const first = (n: number) => rowsInState(list, sql`true`, status, n)
    return await read({
      source: first(end),
      matches: sql`select count(*) from (select 1 from (${first(most + 1)}) f limit ${most + 1}) counted`,
    })
  }
  // A few artists: all their rows are read by owner and sorted, because the list's order would not find them.
  if (search.ids) return await read(matching(rowsInState(list, sql`user_id = ${isAnyOf(search.ids)}`, status)))
  // Very many artists match: scanning in the list's order finds a page soon, unless they have few entries or only old
  // ones.
  const needed = inlineNumber(search.held > most ? roundUp(end) : most + 1)
  const isHolder = sql`select 1 from ${users} where ${users.id} = entry.user_id and (${artistMatches(list, search.term)}) offset 0`
  const along = rowsInState(list, sql`true`, status, scanned)
  const first = inlineNumber(scanned)
  const met = sql`select entry.* from (${along} order by ${order} limit ${first}) entry cross join lateral (${isHolder}) holder order by ${order} limit ${needed}`
  const isAll = sql`(select count(*) from matched) >= ${needed} or (select count(*) from (${along} limit ${first}) entries) < ${first}`
  const page = await read({ ...matching(met), isAll })
  if (page.isAll) return { ...page, matches: Math.max(page.matches, search.held) }
  return await read(matching(rowsInState(list, sql`user_id in (${artistsMatching(list, search.term)})`, status)))
}

/** Matching rows, read once for both the count and the page. */
const matching = (rows: SQL) => ({
  before: sql`with matched as materialized (${rows})`,
  source: sql`select * from matched`,
  matches: sql`select count(*) from matched`,
})

type Reading = { before?: SQL; source: SQL; matches: SQL; isAll?: SQL }
type Found = Omit<ListedRow, 'at' | 'title' | 'email' | 'phone'> & {
  at: string
  title: string | null
  email?: string
  phone?: string
}
type Answered = Record<string, unknown> & { matches: number; isAll: boolean } & ({ id: null } | Found)

/**
 * A page of a source with its texts, and the count. The left join returns at least one row, so that a page beyond the
 * end has the count too.
 */
async function readPage(
  db: Tx,
  list: StaffList,
  { before = sql``, source, matches, isAll = sql`true` }: Reading,
  order: SQL,
  slice: Slice,
): Promise<Listed & { isAll: boolean }> {
  const answered = await db.execute<Answered>(sql`${before}
    select (${matches})::int as matches, (${isAll}) as "isAll", shown.*
    from (select 1) one left join (
      select page.id, page.user_id as "userId", u.name as "userName", page.status, page.rank, page.at, page.tie, words.*
      from (select * from (${source}) f order by ${order} limit ${slice.limit} offset ${slice.offset}) page
      join users u on u.id = page.user_id
      cross join lateral (${sources[list].words}) words
    ) shown on true
    order by ${order}`)
  const rows = answered.flatMap((row) =>
    row.id === null
      ? []
      : { ...row, at: new Date(row.at), title: row.title ?? '', email: row.email ?? null, phone: row.phone ?? null },
  )
  return { rows, matches: answered[0]?.matches ?? 0, isAll: answered[0]?.isAll ?? true }
}
