import type { StaffList } from '@flashsheet/contracts/admin'
import { platformNames } from '@flashsheet/contracts/social'
import type { Tx } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { sql, type SQL } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import { among, found, like, type Slice, type UserSearch } from './users.ts'

/**
 * One list across artists. `rows`: id, user_id, status, rank (the failing ones are 0) and at, of those `whose` means, written so that
 * the list's own index (`…_for_staff`) is its order; a list out of two tables takes the first `top` of each, if that is given. `words`:
 * what a row says, read for the rows of the page alone. `ownWords`: a column that is searched too.
 * `first`: the states that stand before the others, in the order of their ranks.
 */
type Source = { first: readonly string[]; rows: (whose: SQL, status: string | undefined, top: number | undefined) => SQL; words: SQL; ownWords?: SQL }

/** A network by its name, not by its id. */
const networkName = (column: string): SQL => sql.raw(`case ${column} ${Object.entries(platformNames).map(([id, name]) => `when '${id}' then '${name}'`).join(' ')} end`)

const sources: Record<StaffList, Source> = {
  'scheduled-posts': {
    first: ['failed', 'scheduled'],
    rows: (whose) => sql`select p.id::text as id, p.user_id, p.status, (case p.status when 'failed' then 0 when 'scheduled' then 1 else 2 end) as rank, p.scheduled_at as at, p.id as tie from posts p where ${whose}`,
    words: sql`select coalesce(nullif(t.title, ''), t.message, '') as title,
        (select string_agg(distinct ${networkName('x.platform')} || ': ' || x.page_name, ', ') from post_targets x where x.post_id = p.id) as detail,
        p.error_message as problem
      from posts p left join lateral (select title, message from post_targets where post_id = p.id order by id limit 1) t on true where p.id = page.id::uuid`,
  },
  appointments: {
    first: ['pending', 'confirmed'],
    rows: (whose) => sql`select a.id::text as id, a.user_id, a.status, (case a.status when 'pending' then 0 when 'confirmed' then 1 else 2 end) as rank, a.starts_at as at, a.id as tie from appointments a where ${whose}`,
    words: sql`select a.client_name as title, a.booking_type || ', ' || a.time_slot as detail,
        case when a.set_aside then 'Set aside as spam' end as problem, a.email, a.phone
      from appointments a where a.id = page.id::uuid`,
  },
  media: {
    first: ['refused'],
    rows: (whose, status, top) => sql`(select u.id, u.user_id, 'refused' as status, 0 as rank, u.created_at as at, u.id as tie from uploads u
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
    ownWords: sql`domain_name`,
  },
  'social-accounts': {
    first: ['reconnect'],
    rows: (whose) => sql`select a.id::text as id, a.user_id, a.health as status, (case a.health when 'reconnect' then 0 else 1 end) as rank, a.connected_at as at, a.id as tie from social_accounts a where a.leaving_at is null and ${whose}`,
    words: sql`select ${networkName('a.platform')} || ': ' || a.provider_name as title,
        (select string_agg(g.name, ', ' order by g.name) from social_pages g where g.account_id = a.id and g.removed_at is null) as detail,
        case a.health when 'reconnect' then 'Only the artist can mend it, by connecting again' end as problem
      from social_accounts a where a.id = page.id::uuid`,
  },
}

/** Whose rows, in which state; the term is looked for in a row's own words too where it has some. */
export type ListFilter = { status?: string | undefined; search: UserSearch | null }

function filtered({ first, rows, ownWords }: Source, { status, search }: ListFilter, top: number): SQL {
  const select = sql`select id, user_id, status, rank, at, tie from`
  // With its rank, so that what stands before is not read.
  const state = status === undefined ? sql`true` : sql`status = ${status} and rank = ${sql.raw(String([...first, status].indexOf(status)))}`
  if (!search) return sql`${select} (${rows(sql`true`, status, top)}) all_rows where ${state}`
  const ofThem = search.ids ? sql`user_id = ${among(search.ids)}` : sql`exists (select 1 from ${users} where ${users.id} = user_id and ${found(search.term)})`
  const whose = ownWords ? sql`(${ofThem} or ${ownWords} like ${`%${like(search.term.toLowerCase())}%`})` : ofThem
  // Of a few artists all rows are read by their owner and sorted then: their order is no way to find them.
  return search.ids ? sql`${select} (${rows(whose, status, undefined)}) all_rows where ${state} offset 0` : sql`${select} (${rows(whose, status, top)}) all_rows where ${state}`
}

/** How many there are; one more than `most` when there are more. */
export async function countListed(db: Tx, _scope: Everyone, list: StaffList, filter: ListFilter, most: number): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`select count(*)::int as n from (select 1 from (${filtered(sources[list], filter, most + 1)}) f limit ${most + 1}) counted`)
  return row?.n ?? 0
}

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

type Found = Record<string, unknown> & { id: string; user_id: string; user_name: string; status: string; at: string; title: string | null; detail: string | null; problem: string | null; email?: string; phone?: string }

/** One page, the failing ones first, then the newest. */
export async function listAcross(db: Tx, _scope: Everyone, list: StaffList, filter: ListFilter, slice: Slice): Promise<ListedRow[]> {
  const source = sources[list]
  const order = sql`rank, at desc nulls last, tie desc nulls last`
  const rows = await db.execute<Found>(sql`
    select page.id, page.user_id, u.name as user_name, page.status, page.at, words.*
    from (select * from (${filtered(source, filter, slice.offset + slice.limit)}) f order by ${order} limit ${slice.limit} offset ${slice.offset}) page
    join users u on u.id = page.user_id
    cross join lateral (${source.words}) words
    order by page.rank, page.at desc nulls last, page.tie desc nulls last`)
  return rows.map(({ id, user_id: userId, user_name: userName, status, at, title, detail, problem, email, phone }) => ({
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
  }))
}
