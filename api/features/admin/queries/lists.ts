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

/** The SQL of one list across artists. */
type Source = {
  /** The statuses that sort first, in the order of their ranks. All others share the next rank. */
  firstStatuses: readonly string[]
  /**
   * Selects id, user_id, status, rank, at and tie of the rows whose artist meets `ownerCondition`, so that the list's
   * own index (`…_for_staff`) gives the order. A list over two tables selects only the first `limit` of each, if given.
   */
  rows: (ownerCondition: SQL, status: string | undefined, limit: number | undefined) => SQL
  /** Selects title, detail and problem of a row, for the rows of the page only. `u` is the artist's user. */
  texts: SQL
  /** Selects the artists whose own row in the list contains the term, where that is searched too. */
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
    firstStatuses: ['failed', 'scheduled'],
    rows: (ownerCondition) =>
      sql`select p.id::text as id, p.user_id, p.status, (case p.status when 'failed' then 0 when 'scheduled' then 1 else 2 end) as rank, p.scheduled_at as at, p.id as tie from posts p where ${ownerCondition}`,
    texts: sql`select coalesce(nullif(t.title, ''), t.message, '') as title,
        (select string_agg(distinct ${networkName('x.platform')} || ': ' || x.page_name, ', ') from post_targets x where x.post_id = p.id) as detail,
        p.error_message as problem
      from posts p left join lateral (select title, message from post_targets where post_id = p.id order by id limit 1) t on true where p.id = page.id::uuid`,
  },
  appointments: {
    firstStatuses: ['pending', 'confirmed'],
    rows: (ownerCondition) =>
      sql`select a.id::text as id, a.user_id, a.status, (case a.status when 'pending' then 0 when 'confirmed' then 1 else 2 end) as rank, a.starts_at as at, a.id as tie from appointments a where ${ownerCondition}`,
    texts: sql`select a.client_name as title, a.booking_type || ' from ' || split_part(a.time_slot, '-', 1) as detail,
        case when a.set_aside then 'Set aside as spam' end as problem, a.email, a.phone
      from appointments a where a.id = page.id::uuid`,
  },
  media: {
    firstStatuses: ['refused'],
    rows: (
      ownerCondition,
      status,
      limit,
    ) => sql`(select u.id, u.user_id, 'refused' as status, 0 as rank, u.created_at as at, u.id as tie from uploads u
        where u.refusal is not null and ${status ?? 'refused'} = 'refused' and ${ownerCondition} ${limit === undefined ? sql`` : sql`order by u.created_at desc nulls last, u.id desc nulls last limit ${limit}`})
      union all (select m.id::text, m.user_id, m.kind, 1, m.created_at, m.id::text from media_items m
        where ${status === undefined ? sql`true` : status === 'refused' ? sql`false` : sql`m.kind = ${status}`} and ${ownerCondition} ${limit === undefined ? sql`` : sql`order by m.created_at desc nulls last, m.id desc nulls last limit ${limit}`})`,
    texts: sql`select coalesce(m.file_name, u.file_name) as title,
        coalesce(m.width || ' × ' || m.height || ', ', '') || pg_size_pretty(coalesce(m.bytes, u.bytes)) as detail, u.refusal as problem
      from (select 1) one
      left join media_items m on m.id = case when page.status <> 'refused' then page.id::uuid end
      left join uploads u on page.status = 'refused' and u.id = page.id`,
  },
  websites: {
    firstStatuses: ['ended', 'hidden'],
    rows: (ownerCondition) => sql`select s.user_id::text as id, s.user_id,
        (case when s.closed_at is not null then 'ended' when s.published then 'published' else 'hidden' end) as status,
        (case when s.closed_at is not null then 0 when s.published then 2 else 1 end) as rank, s.updated_at as at, s.user_id as tie from sites s where ${ownerCondition}`,
    texts: sql`select s.domain_name as title, s.shop_name as detail, case when s.closed_at is not null then 'The plan no longer includes a site'
          when not u.is_active then 'The artist is deactivated' end as problem
      from sites s where s.user_id = page.user_id`,
    matchingArtists: (term) =>
      sql`select user_id from sites where domain_name like ${`%${escapeLike(term.toLowerCase())}%`}`,
  },
  'social-accounts': {
    firstStatuses: ['reconnect'],
    rows: (ownerCondition) =>
      sql`select a.id::text as id, a.user_id, a.health as status, (case a.health when 'reconnect' then 0 else 1 end) as rank, a.connected_at as at, a.id as tie from social_accounts a where a.leaving_at is null and ${ownerCondition}`,
    texts: sql`select ${networkName('a.platform')} || ': ' || a.provider_name as title,
        (select string_agg(g.name, ', ' order by g.name) from social_pages g where g.account_id = a.id and g.removed_at is null) as detail,
        case a.health when 'reconnect' then 'Only the artist can fix it, by connecting again' end as problem
      from social_accounts a where a.id = page.id::uuid`,
  },
}

/** Selects the artists whose name, address or own row in the list contains a term; may contain duplicates. */
function artistsMatching(list: StaffList, term: string): SQL {
  const { matchingArtists } = sources[list]
  return matchingArtists ? sql`${idsMatchingTerm(term)} union all ${matchingArtists(term)}` : idsMatchingTerm(term)
}

/** Whether a row of `users` is one of these artists. */
function artistMatches(list: StaffList, term: string): SQL {
  const { matchingArtists } = sources[list]
  return matchingArtists
    ? sql`${matchesTerm(term)} or exists (select 1 from (${matchingArtists(term)}) c where c.user_id = ${users.id})`
    : matchesTerm(term)
}

/** Selects the rows of a status, or of all statuses, whose artist meets `ownerCondition`. */
function rowsOfStatus(list: StaffList, ownerCondition: SQL, status: string | undefined, limit?: number): SQL {
  const { firstStatuses, rows } = sources[list]
  const all = sql`select id, user_id, status, rank, at, tie from (${rows(ownerCondition, status, limit)}) all_rows`
  if (status === undefined) return all
  // The condition on the rank uses the index. If the rank implies the status, a second condition would only make the
  // planner guess how many rows meet both.
  const rank = sql`rank = ${sql.raw(String([...firstStatuses, status].indexOf(status)))}`
  const isOnlyOneOfRank = firstStatuses.includes(status) || staffLists[list].length === firstStatuses.length + 1
  return isOnlyOneOfRank ? sql`${all} where ${rank}` : sql`${all} where ${rank} and status = ${status}`
}

/**
 * The artists a search matches. If there are too many, `rowCount` is the number of rows of the first of them, up to
 * `maxCount` + 1: a page of a common word is up to 50 ms faster with it (docs/benchmarks.md, "admin").
 */
export type ListSearch = UserSearch & { rowCount: number }

export async function findArtistsForList(
  db: Tx,
  _scope: Everyone,
  list: StaffList,
  term: string,
  status: string | undefined,
  maxCount: number,
): Promise<ListSearch> {
  const artists = sources[list].matchingArtists ? sql`select distinct id from first` : sql`select id from first`
  const rowsOfArtist = sql`${rowsOfStatus(list, sql`user_id = artist.id`, status)} offset 0`
  return await findMatchingUsers(
    db,
    term,
    artistsMatching(list, term),
    sql`select count(*) from (select 1 from (${artists}) artist cross join lateral (${rowsOfArtist}) t limit ${maxCount + 1}) counted_rows`,
  )
}

/** Rows of a status, of the artists that a search matches. */
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

/** One page and the number of rows: above `maxCount` if there are more than are counted. */
export type ListResult = { rows: ListedRow[]; matches: number }

/** Within one status the rank is constant; without it Postgres needs no sort. */
const orderOf = (status: string | undefined): SQL =>
  status === undefined
    ? sql`rank, at desc nulls last, tie desc nulls last`
    : sql`at desc nulls last, tie desc nulls last`

/**
 * For a term that very many artists match, rows are scanned in the order of the list until the page is full, but no
 * more than this. If too few of the scanned rows match, all rows of these artists are read.
 */
const maxScannedRows = 2000

/**
 * A literal in the statement. With a parameter Postgres would plan each time, which takes as long as the query. Only for
 * few different numbers, since each needs its own prepared statement.
 */
const inlineNumber = (n: number): SQL => sql.raw(String(n))

/** Rounded up to 10 times a power of two. */
const roundUp = (n: number): number => 10 * 2 ** Math.ceil(Math.log2(n / 10))

/** One page: the first statuses first, then the newest. */
export async function listStaffRows(
  db: Tx,
  _scope: Everyone,
  list: StaffList,
  { status, search }: ListFilter,
  slice: Slice,
  maxCount: number,
): Promise<ListResult> {
  const order = orderOf(status)
  const read = async (query: PageQuery) => await readPage(db, list, query, order, slice)
  const end = slice.offset + slice.limit
  if (!search) {
    const first = (n: number) => rowsOfStatus(list, sql`true`, status, n)
    return await read({
      source: first(end),
      matches: sql`select count(*) from (select 1 from (${first(maxCount + 1)}) f limit ${maxCount + 1}) counted`,
    })
  }
  // Few artists match: all their rows are read by owner and sorted, since a scan in the list's order may not find them.
  if (search.ids) return await read(materialized(rowsOfStatus(list, sql`user_id = ${isAnyOf(search.ids)}`, status)))
  // Very many artists match: a scan in the list's order soon fills the page, unless they have few rows or old ones only.
  const needed = inlineNumber(search.rowCount > maxCount ? roundUp(end) : maxCount + 1)
  const isOfMatchingArtist = sql`select 1 from ${users} where ${users.id} = entry.user_id and (${artistMatches(list, search.term)}) offset 0`
  const scan = rowsOfStatus(list, sql`true`, status, maxScannedRows)
  const limit = inlineNumber(maxScannedRows)
  const scannedMatches = sql`select entry.* from (${scan} order by ${order} limit ${limit}) entry cross join lateral (${isOfMatchingArtist}) artist order by ${order} limit ${needed}`
  const isComplete = sql`(select count(*) from matched) >= ${needed} or (select count(*) from (${scan} limit ${limit}) entries) < ${limit}`
  const page = await read({ ...materialized(scannedMatches), isComplete })
  if (page.isComplete) return { ...page, matches: Math.max(page.matches, search.rowCount) }
  return await read(materialized(rowsOfStatus(list, sql`user_id in (${artistsMatching(list, search.term)})`, status)))
}

/** Reads the rows once for both the count and the page. */
const materialized = (rows: SQL) => ({
  with: sql`with matched as materialized (${rows})`,
  source: sql`select * from matched`,
  matches: sql`select count(*) from matched`,
})

/** `isComplete`: whether the source has enough rows for the page and its count. */
type PageQuery = { with?: SQL; source: SQL; matches: SQL; isComplete?: SQL }
type SelectedRow = Omit<ListedRow, 'at' | 'title' | 'email' | 'phone'> & {
  at: string
  title: string | null
  email?: string
  phone?: string
}
type ResultRow = Record<string, unknown> & { matches: number; isComplete: boolean } & ({ id: null } | SelectedRow)

/**
 * A page of a source with its texts, and the count. The left join returns one row with the count even for a page beyond
 * the end.
 */
async function readPage(
  db: Tx,
  list: StaffList,
  { with: withClause = sql``, source, matches, isComplete = sql`true` }: PageQuery,
  order: SQL,
  slice: Slice,
): Promise<ListResult & { isComplete: boolean }> {
  const results = await db.execute<ResultRow>(sql`${withClause}
    select (${matches})::int as matches, (${isComplete}) as "isComplete", shown.*
    from (select 1) one left join (
      select page.id, page.user_id as "userId", u.name as "userName", page.status, page.rank, page.at, page.tie, texts.*
      from (select * from (${source}) f order by ${order} limit ${slice.limit} offset ${slice.offset}) page
      join users u on u.id = page.user_id
      cross join lateral (${sources[list].texts}) texts
    ) shown on true
    order by ${order}`)
  const rows = results.flatMap((row) =>
    row.id === null
      ? []
      : { ...row, at: new Date(row.at), title: row.title ?? '', email: row.email ?? null, phone: row.phone ?? null },
  )
  return { rows, matches: results[0]?.matches ?? 0, isComplete: results[0]?.isComplete ?? true }
}
