import { appointmentLimits } from '@flashsheet/contracts/appointments/limits'
import { draftLimits } from '@flashsheet/contracts/drafts/limits'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { appointments } from '@flashsheet/db/schema/appointments'
import { postDrafts } from '@flashsheet/db/schema/drafts'
import { mediaItems } from '@flashsheet/db/schema/media'
import { posts } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import type { Artist, Visitor } from '../actors.ts'
import type { connectAssistant } from '../assistant.ts'
import { appointmentRow, draftRow, type Draws, insertPosts, mediaRow, postRows } from './rows.ts'
import type { Run } from './simulate.ts'

export type Actor = {
  artist: Artist
  program: Visitor
  assistant: Awaited<ReturnType<typeof connectAssistant>>
}

/** An entry of a list and its place. */
type Entry = { id: string; at: number }
type Range = { from?: string; to?: string }
type Shown = { _id: string; variants?: unknown[] }
type Query = Range & { limit?: number | string; cursor?: string }

type PagedList = {
  path: string
  tool: string
  /** The member of the tool's answer. */
  member: string
  max: number
  isAscending: boolean
  hasRange: boolean
  /** What the artist's list contains, by the documents. */
  entries: (run: Run, userId: string, range: Range) => Promise<Entry[]>
  trpc: (artist: Artist, input: { limit?: number; cursor?: string } & Range) => Promise<Shown[]>
  add: (run: Run, userId: string) => Promise<void>
  /** Changes one entry, or deletes it. */
  change: (run: Run, actor: Actor, id: string) => Promise<unknown>
}

const inRange = (at: Date, { from, to }: Range) =>
  (from === undefined || at.getTime() >= Date.parse(from)) && (to === undefined || at.getTime() < Date.parse(to))

export const pagedLists: readonly PagedList[] = [
  {
    path: '/api/posts',
    tool: 'list_posts',
    member: 'posts',
    max: postLimits.listMax,
    isAscending: false,
    hasRange: true,
    entries: async ({ app }, userId, range) =>
      (await app.client.db.select().from(posts).where(eq(posts.userId, userId)))
        .filter((row) => inRange(row.status === 'scheduled' ? row.scheduledAt : row.updatedAt, range))
        .map(({ id, createdAt }) => ({ id, at: createdAt.getTime() })),
    trpc: async ({ trpc }, input) => await trpc.posts.list.query(input),
    add: async ({ app, d }, userId) => await insertPosts(app.client.db, [postRows(d, userId, [])]),
    change: async ({ app, d }, { artist }, id) =>
      d.oneIn(3)
        ? await artist.delete(`/api/posts/${id}`)
        : d.oneIn(3)
          ? await app.client.db.delete(posts).where(eq(posts.id, id))
          : await app.client.db
              .update(posts)
              .set({ status: d.pick(['posted', 'failed'] as const), updatedAt: d.at() })
              .where(eq(posts.id, id)),
  },
  {
    path: '/api/drafts',
    tool: 'list_drafts',
    member: 'drafts',
    max: draftLimits.perArtist,
    isAscending: false,
    hasRange: false,
    entries: async ({ app }, userId) =>
      (await app.client.db.select().from(postDrafts).where(eq(postDrafts.userId, userId))).map(({ id, createdAt }) => ({
        id,
        at: createdAt.getTime(),
      })),
    trpc: async ({ trpc }, input) => await trpc.drafts.list.query(input),
    add: async ({ app, d }, userId) => void (await app.client.db.insert(postDrafts).values(draftRow(d, userId))),
    change: async ({ d }, { artist }, id) =>
      d.oneIn(2)
        ? await artist.delete(`/api/drafts/${id}`)
        : await artist.put(`/api/drafts/${id}`, { version: 1, title: d.text().slice(0, 90) }),
  },
  {
    path: '/api/media',
    tool: 'list_media',
    member: 'media',
    max: mediaLimits.libraryItems,
    isAscending: false,
    hasRange: false,
    entries: async ({ app }, userId) =>
      (await app.client.db.select().from(mediaItems).where(eq(mediaItems.userId, userId))).map(({ id, createdAt }) => ({
        id,
        at: createdAt.getTime(),
      })),
    trpc: async ({ trpc }, input) => await trpc.media.list.query(input),
    add: async ({ app, d }, userId) => void (await app.client.db.insert(mediaItems).values(mediaRow(d, userId))),
    change: async (_run, { artist }, id) => await artist.delete('/api/media', { ids: [id] }),
  },
  {
    path: '/api/appointments',
    tool: 'list_appointments',
    member: 'appointments',
    max: appointmentLimits.listMax,
    isAscending: true,
    hasRange: true,
    entries: async ({ app }, userId, range) =>
      (await app.client.db.select().from(appointments).where(eq(appointments.userId, userId)))
        .filter((row) => !row.isSuspectedSpam && inRange(row.startsAt, range))
        .map(({ id, startsAt }) => ({ id, at: startsAt.getTime() })),
    trpc: async ({ trpc }, input) => await trpc.appointments.list.query(input),
    add: async ({ app, d }, userId) =>
      void (await app.client.db.insert(appointments).values(appointmentRow(d, userId))),
    change: async ({ app, d }, { artist }, id) =>
      d.oneIn(2)
        ? await artist.delete(`/api/appointments/${id}`)
        : d.oneIn(2)
          ? await artist.put(`/api/appointments/${id}`, { status: 'cancelled' })
          : await app.client.db.update(appointments).set({ isSuspectedSpam: true }).where(eq(appointments.id, id)),
  },
]

const search = (query: Query) =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()

const nextOf = (headers: Headers) => {
  const address = /^<([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  return address === undefined ? undefined : new URL(address)
}

type Page = { status: number; items: Shown[]; next: string | undefined }

/** How a page can be read: with a session, with an API key, or by an assistant. */
const readers: Record<string, (run: Run, list: PagedList, actor: Actor, query: Query) => Promise<Page>> = {
  session: async (run, list, { artist }, query) => await readByRest(run, list, artist, query),
  key: async (run, list, { program }, query) => await readByRest(run, list, program, query),
  mcp: async (_run, list, { assistant }, query) => {
    const { answer, refusal } = await assistant.call<Record<string, unknown>>(list.tool, query)
    if (refusal) return { status: 400, items: [], next: undefined }
    return {
      status: 200,
      items: answer[list.member] as Shown[],
      next: (answer['nextCursor'] as string | null) ?? undefined,
    }
  },
}

async function readByRest({ check }: Run, { path }: PagedList, visitor: Visitor, query: Query): Promise<Page> {
  const { status, body, headers } = await visitor.get<Shown[]>(`${path}?${search(query)}`)
  if (status !== 200) return { status, items: [], next: undefined }
  const next = nextOf(headers)
  const rest = next && Object.fromEntries(next.searchParams)
  if (rest) {
    const { cursor: _cursor, ...others } = rest
    const { cursor: _sent, ...sent } = query
    check(
      next.pathname === path &&
        JSON.stringify(others) === JSON.stringify(Object.fromEntries(new URLSearchParams(search(sent)))),
      'the next page has other parameters',
      next.href,
    )
  }
  return { status, items: body, next: rest?.['cursor'] }
}

const randomRange = (d: Draws): Range => {
  const at = () => (d.oneIn(8) ? d.pick(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) : d.at().toISOString())
  return { ...(d.oneIn(2) ? { from: at() } : {}), ...(d.oneIn(2) ? { to: at() } : {}) }
}

/** Follows a list to its end, while rows are added, changed and deleted, or not. */
export async function walkList(run: Run, list: PagedList, actor: Actor): Promise<void> {
  const { d, check, trace } = run
  const { id: owner } = actor.artist
  const readerName = d.pick(Object.keys(readers))
  const read = readers[readerName]!
  const range = list.hasRange && d.oneIn(2) ? randomRange(d) : {}
  const limit = d.pick([1, 1, 2, 3, 5, 10, list.max])
  const isChanging = d.oneIn(2)
  trace.push(
    `${list.path} by ${readerName} ${JSON.stringify({ ...range, limit })} ${isChanging ? 'while rows change' : ''}`,
  )
  const states = [await list.entries(run, owner, range)]
  const seen: string[] = []
  const cursors: string[] = []
  let cursor: string | undefined
  for (let pages = 0; ; pages++) {
    const query = { ...range, limit, ...(cursor === undefined ? {} : { cursor }) }
    const isConcurrent = isChanging && d.oneIn(2)
    const [page] = await Promise.all([
      read(run, list, actor, query),
      isConcurrent ? change(run, list, actor, states.at(-1)!) : undefined,
    ])
    if (isConcurrent) states.push(await list.entries(run, owner, range))
    check(page.status === 200, `${list.path} is refused`, page.status, query)
    check(page.items.length <= limit, `${list.path} has too many`, page.items.length)
    if (page.next !== undefined)
      check(page.items.length === limit || isConcurrent, `${list.path} has too few on a page before the last`)
    for (const one of page.items)
      check(one.variants?.length !== 0 || list.path !== '/api/posts', 'a post without pages', one)
    if (!isChanging && d.oneIn(2)) {
      const same = await list.trpc(actor.artist, query)
      check(
        JSON.stringify(same) === JSON.stringify(page.items),
        `${list.path}: tRPC answers otherwise`,
        same,
        page.items,
      )
    }
    seen.push(...page.items.map(({ _id }) => _id))
    cursor = page.next
    if (cursor === undefined) break
    cursors.push(cursor)
    check(pages < 400, `${list.path} has no end`)
    if (isChanging && !isConcurrent) {
      await change(run, list, actor, states.at(-1)!)
      states.push(await list.entries(run, owner, range))
    }
  }
  checkWalk(run, list, states, seen)
  run.cursors.push(...cursors.slice(0, 2).map((one) => ({ cursor: one, path: list.path, owner })))
}

async function change(run: Run, list: PagedList, actor: Actor, entries: readonly Entry[]): Promise<void> {
  const { d } = run
  for (let n = d.whole(1, 3); n > 0; n--)
    if (d.oneIn(2) || entries.length === 0) await list.add(run, actor.artist.id)
    else await list.change(run, actor, d.pick(entries).id)
}

function checkWalk({ check }: Run, list: PagedList, states: readonly Entry[][], seen: readonly string[]): void {
  const name = list.path
  check(
    new Set(seen).size === seen.length,
    `${name} shows a row twice`,
    seen.filter((id, at) => seen.indexOf(id) !== at),
  )
  const maps = states.map((entries) => new Map(entries.map(({ id, at }) => [id, at])))
  const strange = seen.filter((id) => !maps.some((map) => map.has(id)))
  check(strange.length === 0, `${name} shows what is not in the list`, strange)
  const stayed = states[0]!.filter(({ id, at }) => maps.every((map) => map.get(id) === at))
  const missing = stayed.filter(({ id }) => !seen.includes(id))
  check(missing.length === 0, `${name} does not show`, missing)
  const order = seen.flatMap((id) => stayed.find((one) => one.id === id) ?? [])
  const isInOrder = order.every(
    ({ at }, n) => n === 0 || (list.isAscending ? order[n - 1]!.at <= at : order[n - 1]!.at >= at),
  )
  check(isInOrder, `${name} is not in order`, order)
}

/** The order of equal rows must be the same for each page size. */
export async function compareSizes(run: Run, list: PagedList, actor: Actor): Promise<void> {
  const { d, check } = run
  const idsOf = async (limit: number) => {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await readers['key']!(run, list, actor, { limit, ...(cursor === undefined ? {} : { cursor }) })
      ids.push(...page.items.map(({ _id }) => _id))
      cursor = page.next
    } while (cursor !== undefined)
    return ids
  }
  const [all, paged] = [await idsOf(list.max), await idsOf(d.whole(1, 7))]
  check(JSON.stringify(all) === JSON.stringify(paged), `${list.path} has another order in pages`, all, paged)
}

/** What must be refused: sizes out of range, and cursors that this list did not give to this artist. */
export async function tryBadPages(run: Run, list: PagedList, actor: Actor): Promise<void> {
  const { d, check, trace } = run
  const { max, path } = list
  const owner = actor.artist.id
  for (const limit of [0, max + 1, -1, 1.5, 'x', '', '1 or 1']) {
    trace.push(`${path} limit ${limit}`)
    check((await actor.artist.get(`${path}?${search({ limit })}`)).status === 400, `${path} accepts the limit`, limit)
  }
  const foreign = run.cursors.filter((one) => one.path !== path || one.owner !== owner).map((one) => one.cursor)
  const own = run.cursors.filter((one) => one.path === path && one.owner === owner).map((one) => one.cursor)
  const bad = [
    ...foreign.slice(-3),
    ...own.slice(-2).flatMap((one) => [mutateCursor(d, one), mutateCursor(d, one)]),
    '',
    '\0',
    d.text().slice(0, 150),
  ]
  for (const cursor of bad) {
    const reader = d.pick(['session', 'key', 'mcp'])
    const { status } = await readers[reader]!(run, list, actor, { limit: 2, cursor })
    check(
      status === 400,
      `${path} by ${reader} accepts the cursor`,
      cursor,
      status,
      Buffer.from(cursor, 'base64url').toString(),
    )
  }
}

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')

/** The cursor with one character replaced, removed or added. */
function mutateCursor(d: Draws, cursor: string): string {
  const at = d.below(cursor.length)
  const other = d.pick(letters.filter((one) => one !== cursor[at]))
  return d.pick([
    cursor.slice(0, at) + other + cursor.slice(at + 1),
    cursor.slice(0, at) + cursor.slice(at + 1),
    `${cursor.slice(0, at)}${d.pick([...letters, '=', ' ', '.'])}${cursor.slice(at)}`,
  ])
}
