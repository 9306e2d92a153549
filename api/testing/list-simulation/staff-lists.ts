import {
  maxCountedCommonWordRows,
  maxCountedRows,
  maxCountedSearchRows,
  staffListNames,
  staffLists,
  userSortKeys,
  type StaffList,
} from '@flashsheet/contracts/admin/limits'
import type { AdminUser, HistoryEntry, ListRow, Pagination } from '@flashsheet/contracts/admin/schema'
import { isLive, planIds, subscriptionStatuses } from '@flashsheet/contracts/plans'
import { orderActions } from '@flashsheet/contracts/subscription/limits'
import { platformNames } from '@flashsheet/contracts/networks'
import type { Db } from '@flashsheet/db/client'
import { auditEntries } from '@flashsheet/db/schema/admin'
import { appointments } from '@flashsheet/db/schema/appointments'
import { users } from '@flashsheet/db/schema/auth'
import { mediaItems, uploads } from '@flashsheet/db/schema/media'
import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { subscriptionOrders, subscriptions } from '@flashsheet/db/schema/subscription'
import { sites } from '@flashsheet/db/schema/website'
import { isDeepStrictEqual as same } from 'node:util'
import type { Artist } from '../actors.ts'
import type { Run } from './simulate.ts'

type UserRow = typeof users.$inferSelect
type Entry = { id: string; keys: (string | number)[]; userId?: string | null; status?: string }

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
/** Orders by code point, as the documents of lists say nothing else. */
const codePoints = (text: string) =>
  Array.from(text)
    .map((one) => one.codePointAt(0)!.toString(16).padStart(6, '0'))
    .join('')

/** Whether the text that staff see of an artist contains the term, in any case. */
export const matches = (term: string, { name, email }: Pick<UserRow, 'name' | 'email'>) =>
  lower(`${name} ${email}`).includes(lower(term))
/** Each character on its own, as Unicode's simple case mapping. */
const lower = (text: string) =>
  Array.from(text)
    .map((one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one))
    .join('')

/** Terms of a search that find something, or nearly. */
function randomTerm({ d }: Run, all: readonly UserRow[]): string {
  const row = d.pick(all)
  const text = d.pick([
    row.name,
    row.email,
    `${row.name} ${row.email}`,
    'crowd',
    'studio',
    'same.example',
    'cus_A',
    'cus_x1',
    'CUS_',
  ])
  const characters = Array.from(text)
  const from = d.below(characters.length)
  const part = d.oneIn(3) ? text : characters.slice(from, from + d.pick([1, 2, 3, 5, 9, 200])).join('')
  const term = d.pick([part, part, part.toUpperCase(), part.toLowerCase(), `${part}x`])
  return Array.from(term).slice(0, 100).join('')
}

type PageAnswer = { status: number; ids: string[]; pagination: Pagination; rows: unknown[] }
type ReadPage = (page: number, limit: number) => Promise<PageAnswer>

/** Reads all pages of a list and compares them with the model. `mostCounted`: above it the list may say that there are more. */
async function comparePages(
  run: Run,
  name: string,
  read: ReadPage,
  expected: readonly Entry[],
  order: Order,
  mostCounted: number,
) {
  const { d, check } = run
  const limit = expected.length > 300 ? d.pick([37, 100]) : d.pick([1, 3, 10, 10, 100])
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { status, ids: shown, pagination } = await read(page, limit)
    check(status === 200, `${name} is refused`, status)
    check(
      pagination.current === page && pagination.hasPrev === (page > 1 && pagination.total > 0),
      `${name} has another page`,
      pagination,
    )
    check(pagination.pages === Math.ceil(pagination.total / limit), `${name} has other pages`, pagination)
    if (pagination.more)
      check(
        pagination.total < expected.length && pagination.total >= mostCounted,
        `${name} says more`,
        pagination,
        expected.length,
      )
    else check(pagination.total === expected.length, `${name} counts`, pagination, expected.length)
    check(pagination.hasNext === page * limit < expected.length, `${name} has a next page`, pagination, expected.length)
    check(
      shown.length === Math.min(limit, Math.max(0, expected.length - (page - 1) * limit)),
      `${name} has rows on page ${page}`,
      shown.length,
      expected.length,
    )
    ids.push(...shown)
    if (!pagination.hasNext) break
  }
  const known = new Map(expected.map((one) => [one.id, one.keys]))
  check(new Set(ids).size === ids.length, `${name} shows one twice`, ids.length)
  check(
    ids.every((id) => known.has(id)),
    `${name} shows others`,
    ids.filter((id) => !known.has(id)),
  )
  const first = ids.findIndex((id, at) => at > 0 && order(known.get(ids[at - 1]!)!, known.get(id)!) > 0)
  check(
    first === -1,
    `${name} is not in order at ${first}`,
    known.get(ids[first - 1] ?? ''),
    known.get(ids[first] ?? ''),
  )
  const beyond = await read(Math.ceil(expected.length / limit) + d.pick([1, 2, 1000]), limit)
  check(
    beyond.ids.length === 0 && !beyond.pagination.hasNext && beyond.pagination.total === expected.length,
    `${name} beyond its end`,
    beyond.pagination,
  )
}

type Order = (a: readonly (string | number)[], b: readonly (string | number)[]) => number
const ascending: Order = (a, b) => a.map((one, n) => compare(one, b[n]!)).find((one) => one !== 0) ?? 0
const descending: Order = (a, b) => -ascending(a, b)
/** The first key ascending, the others descending. */
const rankedNewest: Order = (a, b) => compare(a[0]!, b[0]!) || descending(a.slice(1), b.slice(1))

const query = (input: Record<string, string | number | undefined>) =>
  new URLSearchParams(
    Object.entries(input).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString()

/** The list of artists. */
export async function compareUsers(run: Run, staff: Artist): Promise<void> {
  const { d, check, trace, app } = run
  const all = await app.client.db.select().from(users)
  const search = d.oneIn(3) ? '' : randomTerm(run, all)
  const [sortBy, sortOrder] = [d.pick(userSortKeys), d.pick(['asc', 'desc'] as const)]
  trace.push(`users ${JSON.stringify({ search, sortBy, sortOrder })}`)
  const term = search.trim()
  const keyOf = (row: UserRow) =>
    sortBy === 'createdAt' ? row.createdAt.getTime() : codePoints(sortBy === 'email' ? row.email : lower(row.name))
  const expected = all
    .filter((row) => term === '' || matches(term, row))
    .map((row) => ({ id: row.id, keys: [keyOf(row)] }))
  const live = (await app.client.db.select().from(subscriptions)).filter(({ status }) => isLive(status)).length
  const today = app.clock.now().toISOString().slice(0, 10)
  const stats = {
    totalUsers: all.length,
    activeUsers: all.filter(({ isActive }) => isActive).length,
    subscribedUsers: live,
    newUsersToday: all.filter(({ createdAt }) => createdAt.toISOString().startsWith(today)).length,
  }
  const read: ReadPage = async (page, limit) => {
    const input = { page, limit, search, sortBy, sortOrder }
    const { status, body } = await staff.get<{ users: AdminUser[]; pagination: Pagination; stats: unknown }>(
      `/api/admin/users?${query(input)}`,
    )
    if (d.oneIn(4)) check(same(await staff.trpc.admin.users.query(input), body), 'users: tRPC answers otherwise')
    check(same(body.stats, stats), 'the figures of artists', body.stats, stats)
    return { status, ids: body.users.map(({ _id }) => _id), pagination: body.pagination, rows: body.users }
  }
  await comparePages(
    run,
    'users',
    read,
    expected,
    sortOrder === 'asc' ? ascending : descending,
    term === '' ? Infinity : maxCountedSearchRows,
  )
}

/** The list of orders. */
export async function compareOrders(run: Run, staff: Artist): Promise<void> {
  const { d, check, trace, app } = run
  const all = await app.client.db.select().from(users)
  const owners = new Map(all.map((row) => [row.id, row]))
  const orders = await app.client.db.select().from(subscriptionOrders)
  const search = d.oneIn(3)
    ? ''
    : d.oneIn(3)
      ? d.pick(['cus_', 'cus_A', 'cus_a', 'cus_x1', 'cus_a_', 'us_x1'])
      : randomTerm(run, all)
  const filter = {
    plan: d.oneIn(3) ? d.pick([...planIds, '' as const]) : undefined,
    status: d.oneIn(3) ? d.pick([...subscriptionStatuses, '' as const]) : undefined,
    action: d.oneIn(3) ? d.pick([...orderActions, '' as const]) : undefined,
  }
  const sortOrder = d.pick(['asc', 'desc'] as const)
  // Customer ids are not searched for a term that very many artists match.
  const isCommon = all.filter((row) => matches(search.trim(), row)).length > maxCountedSearchRows
  trace.push(`orders ${JSON.stringify({ search, sortOrder, ...filter })}`)
  const term = search.trim()
  const expected = orders
    .filter(
      (row) =>
        (!filter.plan || row.plan === filter.plan) &&
        (!filter.status || row.status === filter.status) &&
        (!filter.action || row.action === filter.action),
    )
    .filter((row) => {
      const owner = row.userId === null ? undefined : owners.get(row.userId)
      return term === '' || (owner && matches(term, owner)) || (!isCommon && row.stripeCustomerId?.startsWith(term))
    })
    .map((row) => ({ id: row.id, keys: [row.createdAt.getTime()] }))
  const read: ReadPage = async (page, limit) => {
    const input = { page, limit, search, sortOrder, ...filter }
    const { status, body } = await staff.get<{ history: HistoryEntry[]; pagination: Pagination }>(
      `/api/admin/subscriptions/history?${query(input)}`,
    )
    if (d.oneIn(4)) check(same(await staff.trpc.admin.history.query(input), body), 'orders: tRPC answers otherwise')
    return { status, ids: body.history.map(({ _id }) => _id), pagination: body.pagination, rows: body.history }
  }
  await comparePages(
    run,
    'orders',
    read,
    expected,
    sortOrder === 'asc' ? ascending : descending,
    term === '' ? Infinity : maxCountedSearchRows,
  )
}

type ListEntry = Entry & Partial<Pick<ListRow, 'title' | 'problem'>> & { details?: readonly string[] }

/** What each list across artists contains: the failing ones first, then the newest. */
const sources: Record<StaffList, (db: Db) => Promise<ListEntry[]>> = {
  'scheduled-posts': async (db) => {
    const targets = (await db.select().from(postTargets)).toSorted((a, b) => compare(a.id, b.id))
    return (await db.select().from(posts)).map(({ id, userId, status, scheduledAt, errorMessage: problem }) => {
      const own = targets.filter(({ postId }) => postId === id)
      const details = own.map(({ platform, pageName }) => `${platformNames[platform]}: ${pageName}`)
      const title = own[0]?.title || own[0]?.message || 'Untitled Post'
      const keys = [['failed', 'scheduled', 'posted'].indexOf(status), scheduledAt.getTime()]
      return { id, userId, status, title, details, problem, keys }
    })
  },
  appointments: async (db) =>
    (await db.select().from(appointments)).map(({ id, userId, status, startsAt }) => {
      const rank = status === 'pending' ? 0 : status === 'confirmed' ? 1 : 2
      return { id, userId, status, keys: [rank, startsAt.getTime()] }
    }),
  media: async (db) => {
    const refused = (await db.select().from(uploads)).filter(({ refusal }) => refusal !== null)
    return [
      ...refused.map((row) => ({ ...row, status: 'refused', rank: 0, problem: row.refusal })),
      ...(await db.select().from(mediaItems)).map((row) => ({ ...row, status: row.kind, rank: 1, problem: null })),
    ].map(({ rank, createdAt, fileName: title, id, userId, status, problem }) => {
      return { id, userId, status, title, problem, keys: [rank, createdAt.getTime()] }
    })
  },
  websites: async (db) =>
    (await db.select().from(sites)).map(({ userId, closedAt, published, domainName: title, shopName, updatedAt }) => {
      const status = closedAt ? 'ended' : published ? 'published' : 'hidden'
      const keys = [['ended', 'hidden', 'published'].indexOf(status), updatedAt.getTime()]
      return { id: userId, userId, status, title, details: [shopName], keys }
    }),
  'social-accounts': async (db) => {
    const pages = (await db.select().from(socialPages)).filter(({ removedAt }) => removedAt === null)
    const accounts = (await db.select().from(socialAccounts)).filter(({ disconnectingAt }) => disconnectingAt === null)
    return accounts.map(({ id, userId, health: status, connectedAt, platform, providerName }) => {
      const details = pages.filter(({ accountId }) => accountId === id).map(({ name }) => name)
      const title = `${platformNames[platform]}: ${providerName}`
      return { id, userId, status, title, details, keys: [status === 'reconnect' ? 0 : 1, connectedAt.getTime()] }
    })
  },
}

/** One of the lists across artists. */
export async function compareStaffList(run: Run, staff: Artist): Promise<void> {
  const { d, trace, app } = run
  const { db } = app.client
  const list = d.pick(staffListNames)
  const all = await db.select().from(users)
  const owners = new Map(all.map((row) => [row.id, row]))
  const entries = await sources[list](db)
  // Among them words that only clients have entered, by which staff must find nothing.
  const words = ['secret', '0134', 'clara', 'private note', 'ada-']
  const search = d.oneIn(3) ? '' : d.oneIn(6) ? d.pick(words) : randomTerm(run, all)
  const status = d.oneIn(2) ? d.pick(['', ...staffLists[list]]) : undefined
  const term = search.trim()
  trace.push(`${list} ${JSON.stringify({ search, status })}`)
  const isFound = ({ userId, title }: ListEntry) =>
    matches(term, owners.get(userId!)!) || (list === 'websites' && title!.includes(term.toLowerCase()))
  const expected = entries.filter((row) => (!status || row.status === status) && (term === '' || isFound(row)))
  const read: ReadPage = async (page, limit) => {
    const { rows: shown, pagination } = await staff.trpc.admin.list.query({ list, page, limit, search, status })
    for (const row of shown) checkRow(run, list, row, owners, expected)
    return { status: 200, ids: shown.map(({ _id }) => _id), pagination, rows: shown }
  }
  await comparePages(run, list, read, expected, rankedNewest, term === '' ? maxCountedRows : maxCountedCommonWordRows)
}

function checkRow(
  { check }: Run,
  list: StaffList,
  row: ListRow,
  owners: ReadonlyMap<string, UserRow>,
  expected: readonly ListEntry[],
): void {
  const entry = expected.find(({ id }) => id === row._id)
  check(row.artist.name === owners.get(row.artist._id)?.name, `${list} names another artist`, row)
  check(row.artist._id === entry?.userId && row.status === entry.status, `${list} has another row`, row, entry)
  if (entry?.title !== undefined) check(row.title === entry.title, `${list} has another title`, row, entry)
  if (entry?.problem !== undefined) check(row.problem === entry.problem, `${list} has another problem`, row, entry)
  const details = entry?.details && new Set(entry.details.length > 0 ? entry.details : [''])
  if (details !== undefined) check(same(new Set(row.detail.split(', ')), details), `${list} details`, row, entry)
  if (list !== 'appointments') return
  const text = `${row.title} ${row.detail} ${row.problem}`
  check(!/secret|clara|müller|neil@|555|0134|private|mail\./i.test(text), 'an appointment is not masked', row)
}

/** The audit log. */
export async function compareAudit(run: Run, staff: Artist): Promise<void> {
  const entries = await run.app.client.db.select().from(auditEntries)
  run.trace.push(`audit of ${entries.length}`)
  const read: ReadPage = async (page, limit) => {
    const { entries: rows, pagination } = await staff.trpc.admin.audit.query({ page, limit })
    return { status: 200, ids: rows.map(({ _id }) => _id), pagination, rows }
  }
  await comparePages(
    run,
    'audit',
    read,
    entries.map(({ id, at }) => ({ id, keys: [at.getTime()] })),
    descending,
    maxCountedRows,
  )
}
