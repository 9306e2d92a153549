import { type StaffList, staffLists } from '@flashsheet/contracts/admin/limits'
import { platformNames } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { sql, type SQL } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import { among, findWho, found, like, named, type Slice, type UserSearch } from './users.ts'

/**
 * One list across artists. `rows`: id, user_id, status, rank (the failing ones are 0) and at, of those `whose` means, written so that
 * the list's own index (`…_for_staff`) is its order; a list out of two tables takes the first `top` of each, if that is given. `words`:
 * what a row says, read for the rows of the page alone. `called`: the artists whose row itself has a word, where that is searched too.
 * `first`: the states that stand before the others, in the order of their ranks.
 */
type Source = {
  first: readonly string[]
  rows: (whose: SQL, status: string | undefined, top: number | undefined) => SQL
  words: SQL
  called?: (term: string) => SQL
}

/** A network by its name, not by its id. */
const networkName = (column: string): SQL =>
  sql.raw(
    `case ${column} ${Object.entries(platformNames)
      .map(([id, name]) => `when '${id}' then '${name}'`)
      .join(' ')} end`,
  )

const sources: Record<StaffList, Source> = {
  'scheduled-posts': {
    first: ['failed', 'scheduled'],
    rows: (whose) =>
      sql`select p.id::text as id, p.user_id, p.status, (case p.status when 'failed' then 0 when 'scheduled' then 1 else 2 end) as rank, p.scheduled_at as at, p.id as tie from posts p where ${whose}`,
    words: sql`select coalesce(nullif(t.title, ''), t.message, '') as title,
        (select string_agg(distinct ${networkName('x.platform')} || ': ' || x.page_name, ', ') from post_targets x where x.post_id = p.id) as detail,
        p.error_message as problem
      from posts p left join lateral (select title, message from post_targets where post_id = p.id order by id limit 1) t on true where p.id = page.id::uuid`,
  },
  appointments: {
    first: ['pending', 'confirmed'],
    rows: (whose) =>
      sql`select a.id::text as id, a.user_id, a.status, (case a.status when 'pending' then 0 when 'confirmed' then 1 else 2 end) as rank, a.starts_at as at, a.id as tie from appointments a where ${whose}`,
    words: sql`select a.client_name as title, a.booking_type || ', ' || a.time_slot as detail,
        case when a.set_aside then 'Set aside as spam' end as problem, a.email, a.phone
      from appointments a where a.id = page.id::uuid`,
  },
  media: {
    first: ['refused'],
    rows: (
      whose,
      status,
      top,
    ) => sql`(select u.id, u.user_id, 'refused' as status, 0 as rank, u.created_at as at, u.id as tie from uploads u
        where u.refusal is not null and ${status ?? 'refused'} = 'refused' and ${whose} ${top === undefined ? sql`` : sql`order by u.created_at desc nulls last, u.id desc nulls last limit ${top}`})
      union all (select m.id::text, m.user_id, m.kind, 1, m.created_at, m.id::text from media_items m
        where ${status === undefined ? sql`true` : status === 'refused' ? sql`false` : sql`m.kind = ${status}`} and ${whose} ${top === undefined ? sql`` : sql`order by m.created_at desc nulls last, m.id desc nulls last limit ${top}`})`,
    words: sql`select coalesce(m.file_name, u.file_name) as title,
        coalesce(m.width || ' × ' || m.height || ', ', '') || pg_size_pretty(coalesce(m.bytes, u.bytes)) as detail, u.refusal as problem
      from (select 1) one
      left join media_items m on m.id = case when page.status <> 'refused' then page.id::uuid end
      left join uploads u on page.status = 'refused' and u.id = page.id`,
  },
  websites: {
    first: ['ended', 'hidden'],
    rows: (whose) => sql`select s.user_id::text as id, s.user_id,
        (case when s.closed_at is not null then 'ended' when s.published then 'published' else 'hidden' end) as status,
        (case when s.closed_at is not null then 0 when s.published then 2 else 1 end) as rank, s.updated_at as at, s.user_id as tie from sites s where ${whose}`,
    words: sql`select s.domain_name as title, s.shop_name as detail, case when s.closed_at is not null then 'The plan no longer includes a site' end as problem
      from sites s where s.user_id = page.user_id`,
    called: (term) => sql`select user_id from sites where domain_name like ${`%${like(term.toLowerCase())}%`}`,
  },
  'social-accounts': {
    first: ['reconnect'],
    rows: (whose) =>
      sql`select a.id::text as id, a.user_id, a.health as status, (case a.health when 'reconnect' then 0 else 1 end) as rank, a.connected_at as at, a.id as tie from social_accounts a where a.leaving_at is null and ${whose}`,
    words: sql`select ${networkName('a.platform')} || ': ' || a.provider_name as title,
        (select string_agg(g.name, ', ' order by g.name) from social_pages g where g.account_id = a.id and g.removed_at is null) as detail,
        case a.health when 'reconnect' then 'Only the artist can mend it, by connecting again' end as problem
      from social_accounts a where a.id = page.id::uuid`,
  },
}

/** Who has a word in name or address, or in what the list searches of its own; some twice. */
function holders(list: StaffList, term: string): SQL {
  const { called } = sources[list]
  return called ? sql`${named(term)} union all ${called(term)}` : named(term)
}

/** Whether a row of `users` is one of them. */
function has(list: StaffList, term: string): SQL {
  const { called } = sources[list]
  return called
    ? sql`${found(term)} or exists (select 1 from (${called(term)}) c where c.user_id = ${users.id})`
    : found(term)
}

/** All rows in a state, of those `whose` means. */
function inState(list: StaffList, whose: SQL, status: string | undefined, top?: number): SQL {
  const { first, rows } = sources[list]
  const all = sql`select id, user_id, status, rank, at, tie from (${rows(whose, status, top)}) all_rows`
  if (status === undefined) return all
  // With its rank, so that what stands before is not read. Where the rank says it all nothing else does: how many rows have one
  // Postgres knows, how many have both it would have to guess.
  const rank = sql`rank = ${sql.raw(String([...first, status].indexOf(status)))}`
  const isAlone = first.includes(status) || staffLists[list].length === first.length + 1
  return isAlone ? sql`${all} where ${rank}` : sql`${all} where ${rank} and status = ${status}`
}

/** Whom a search of a list means; of very many, how many rows the first of them have, counted to one more than `most`. */
export type ListSearch = UserSearch & { held: number }

export async function findListed(
  db: Tx,
  _scope: Everyone,
  list: StaffList,
  term: string,
  status: string | undefined,
  most: number,
): Promise<ListSearch> {
  const once = sources[list].called ? sql`select distinct id from first` : sql`select id from first`
  const theirs = sql`${inState(list, sql`user_id = who.id`, status)} offset 0`
  return await findWho(
    db,
    term,
    holders(list, term),
    sql`select count(*) from (select 1 from (${once}) who cross join lateral (${theirs}) t limit ${most + 1}) held`,
  )
}

/** Which rows: those in a state, of whom a search means. */
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

/** One page, and how many rows there are: more than `most` when there are more. */
export type Listed = { rows: ListedRow[]; matches: number }

/** Of one state all have one rank, and Postgres is not to sort by that. */
const orderOf = (status: string | undefined): SQL =>
  status === undefined
    ? sql`rank, at desc nulls last, tie desc nulls last`
    : sql`at desc nulls last, tie desc nulls last`

/**
 * How many entries of a list are looked at for a word that very many artists have: at once more where they have few of these; and if
 * it is met too seldom there, all that its artists have is read.
 */
const walks = { many: [500, 2000], few: [2000] }

/**
 * A number in the statement itself: Postgres can then keep a plan, which takes it as long to make as to follow. Of few different
 * numbers alone, as each makes a statement of its own.
 */
const plain = (n: number): SQL => sql.raw(String(n))

/** As many, or up to twice as many. */
const roundedUp = (n: number): number => 10 * 2 ** Math.ceil(Math.log2(n / 10))

/** One page, the failing ones first, then the newest. */
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
    const first = (n: number) => inState(list, sql`true`, status, n)
    return await read({
      source: first(end),
      matches: sql`select count(*) from (select 1 from (${first(most + 1)}) f limit ${most + 1}) counted`,
    })
  }
  // Of a few artists all rows are read by their owner and sorted then: their order is no way to find them.
  if (search.ids) return await read(matching(inState(list, sql`user_id = ${among(search.ids)}`, status)))
  // Very many are soon met along the order; unless few of them have any, or have theirs far down.
  const needed = plain(search.held > most ? roundedUp(end) : most + 1)
  const isHolder = sql`select 1 from ${users} where ${users.id} = entry.user_id and (${has(list, search.term)}) offset 0`
  for (const entries of search.held > most ? walks.many : walks.few) {
    const along = inState(list, sql`true`, status, entries)
    const met = sql`select entry.* from (${along} order by ${order} limit ${plain(entries)}) entry cross join lateral (${isHolder}) holder order by ${order} limit ${needed}`
    const isAll = sql`(select count(*) from matched) >= ${needed} or (select count(*) from (${along} limit ${plain(entries)}) entries) < ${plain(entries)}`
    const page = await read({ ...matching(met), isAll })
    if (page.isAll) return { ...page, matches: Math.max(page.matches, search.held) }
  }
  return await read(matching(inState(list, sql`user_id in (${holders(list, search.term)})`, status)))
}

/** Rows that are counted and sorted: read once for both. */
const matching = (rows: SQL) => ({
  before: sql`with matched as materialized (${rows})`,
  source: sql`select * from matched`,
  matches: sql`select count(*) from matched`,
})

type Reading = { before?: SQL; source: SQL; matches: SQL; isAll?: SQL }
type Found = {
  user_id: string
  user_name: string
  status: string
  at: string
  title: string | null
  detail: string | null
  problem: string | null
  email?: string
  phone?: string
}
type Answered = Record<string, unknown> & { matches: number; is_all: boolean } & (
    | { id: null }
    | ({ id: string } & Found)
  )

/** A page of a source with what its rows say, and the number: one row at least, so that a page beyond the end has it too. */
async function readPage(
  db: Tx,
  list: StaffList,
  { before = sql``, source, matches, isAll = sql`true` }: Reading,
  order: SQL,
  slice: Slice,
): Promise<Listed & { isAll: boolean }> {
  const answered = await db.execute<Answered>(sql`${before}
    select (${matches})::int as matches, (${isAll}) as is_all, shown.*
    from (select 1) one left join (
      select page.id, page.user_id, u.name as user_name, page.status, page.rank, page.at, page.tie, words.*
      from (select * from (${source}) f order by ${order} limit ${slice.limit} offset ${slice.offset}) page
      join users u on u.id = page.user_id
      cross join lateral (${sources[list].words}) words
    ) shown on true
    order by ${order}`)
  const rows = answered.flatMap((row) => (row.id === null ? [] : [listedRow(row)]))
  return { rows, matches: answered[0]?.matches ?? 0, isAll: answered[0]?.is_all ?? true }
}

function listedRow({
  id,
  user_id: userId,
  user_name: userName,
  status,
  at,
  title,
  detail,
  problem,
  email,
  phone,
}: Found & { id: string }): ListedRow {
  return {
    id,
    userId,
    userName,
    status,
    at: new Date(at),
    title: title ?? '',
    detail,
    problem,
    email: email ?? null,
    phone: phone ?? null,
  }
}
