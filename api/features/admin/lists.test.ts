import { maxCountedSearchRows } from '@flashsheet/contracts/admin/limits'
import type { AdminUser, ArtistDetail, HistoryEntry, HistoryPage, UsersPage } from '@flashsheet/contracts/admin/schema'
import type { ErrorBody } from '@flashsheet/contracts/errors/schema'
import { users } from '@flashsheet/db/schema/auth'
import { subscriptionOrders } from '@flashsheet/db/schema/subscription'
import { eq, inArray, like, sql, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import { everyoneScope } from '../../core/scope.ts'
import { createArtist, type Answer, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { compactTallies } from './queries/tallies.ts'
import { compactionCutoffs } from './rules/figures.ts'

let app: TestApp
let admin: Artist
beforeAll(async () => {
  // Hours away from midnight: one test counts who is new today.
  app = await startTestApp({ role: 'web', startAt: `${new Date().toISOString().slice(0, 10)}T12:00:00.000Z` })
  admin = await createArtist(app, { plan: null, admin: true, name: 'Zoe Staff' })
})
afterAll(async () => await app.stop())

type Query = Record<string, string | number>
const query = (values: Query) =>
  new URLSearchParams(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
  ).toString()
const listUsers = async (values: Query = {}): Promise<Answer<UsersPage>> =>
  await admin.get(`/api/admin/users?${query(values)}`)
const history = async (values: Query = {}): Promise<Answer<HistoryPage>> =>
  await admin.get(`/api/admin/subscriptions/history?${query(values)}`)

/** Inserts users a second apart, the first the oldest. */
async function addUsers(names: readonly string[], domain: string): Promise<string[]> {
  const rows = names.map((name, at) => ({
    id: newId(),
    name,
    email: `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}${at}@${domain}`,
    timeZone: 'America/New_York',
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, at)),
    updatedAt: new Date(),
  }))
  await app.client.db.insert(users).values(rows)
  return rows.map((row) => row.id)
}

describe('invalid queries are refused', () => {
  const wrong: Query[] = [
    { page: 0 },
    { page: -1 },
    { page: 1.5 },
    { page: 'two' },
    { page: '' },
    { page: '0x10' },
    { page: '1e1' },
    { page: ' 1' },
    { page: '+1' },
    { page: 1e9 },
    { page: '9'.repeat(40) },
    { limit: 0 },
    { limit: 101 },
    { limit: 'all' },
    { sortBy: 'password' },
    { sortBy: 'createdAt; drop table users' },
    { sortOrder: 'up' },
    { search: 'x'.repeat(201) },
  ]
  test.each(wrong)('users with %j', async (values) => {
    expect((await listUsers(values)).status).toBe(400)
  })
  test.each([...wrong, { plan: 'gold' }, { status: 'trialing' }, { action: 'deleted' }])(
    'history with %j',
    async (values) => {
      const answer = (await history(values)) as Answer as Answer<ErrorBody>
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid' } })
    },
  )
  test('a malformed id, and an unknown one', async () => {
    expect((await admin.get('/api/admin/users/nonsense')).status).toBe(404)
    expect((await admin.get(`/api/admin/users/${newId()}`)).status).toBe(404)
  })
})

describe('artists', () => {
  beforeAll(
    async () =>
      await addUsers(
        [
          'Ada',
          'bea',
          'Cleo',
          'Dé Ö',
          'eve',
          'Finn',
          'Gus',
          'Hal',
          'Ida',
          'Jo',
          'Kai',
          'Lou',
          'a_b%c\\d',
          ...Array.from({ length: 20 }, (_, n) => `Many ${n}`),
        ],
        'lists.example',
      ),
  )

  const names = (answer: Answer<UsersPage>) => answer.body.users.map((user) => user.name)

  test('come ten a page, newest first, with the counts over all', async () => {
    const { body } = await listUsers()
    expect(body.users).toHaveLength(10)
    expect(body.pagination).toEqual({ current: 1, pages: 4, total: 34, hasNext: true, hasPrev: false, more: false })
    expect(body.users[0]?.name).toBe('Zoe Staff')
    expect(body.stats).toEqual({ totalUsers: 34, activeUsers: 34, subscribedUsers: 0, newUsersToday: 1 })
  })

  test.each([
    ['createdAt', 'desc'],
    ['createdAt', 'asc'],
    ['name', 'asc'],
    ['name', 'desc'],
    ['email', 'asc'],
    ['email', 'desc'],
  ] as const)(
    'by %s %s each is on exactly one page, in order, from the first page to the last',
    async (sortBy, sortOrder) => {
      const all: AdminUser[] = []
      for (const page of [1, 2, 3, 4]) all.push(...(await listUsers({ page, sortBy, sortOrder })).body.users)
      expect(new Set(all.map((user) => user._id)).size).toBe(34)
      const keys = all.map((user) => (sortBy === 'name' ? user.name.toLowerCase() : user[sortBy]))
      const sorted = [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      expect(keys).toEqual(sortOrder === 'asc' ? sorted : sorted.reverse())
    },
  )

  test('a page past the end is empty and has the total', async () => {
    const { status, body } = await listUsers({ page: 99 })
    expect({ status, users: body.users, ...body.pagination }).toMatchObject({
      status: 200,
      users: [],
      current: 99,
      pages: 4,
      total: 34,
      hasNext: false,
      hasPrev: true,
    })
  })

  test.each([
    ['ADA', ['Ada']],
    ['é ö', ['Dé Ö']],
    ['ada0@lists', ['Ada']],
    ['DA0@Lists.example', ['Ada']],
    ['lists.example ada0@lists.example', []],
    ['ada0@other.example', []],
    ['_b%c\\', ['a_b%c\\d']],
    ['%', ['a_b%c\\d']],
    ['nobody at all', []],
    ["'; drop table users; --", []],
  ])('searching %s finds %j', async (search, expected) => {
    const answer = await listUsers({ search })
    expect(names(answer)).toEqual(expected)
    expect(answer.body.pagination.total).toBe(expected.length)
  })

  test('an address is found within a longer one, and in a name', async () => {
    await addUsers(['Mara @ada0@lists.example'], 'at.example')
    expect(names(await listUsers({ search: 'ada0@lists.example', sortBy: 'name', sortOrder: 'asc' }))).toEqual([
      'Ada',
      'Mara @ada0@lists.example',
    ])
    await app.client.db.delete(users).where(eq(users.name, 'Mara @ada0@lists.example'))
  })

  test('a search has pages and an order of its own', async () => {
    const second = await listUsers({ search: 'many', page: 2, sortBy: 'createdAt', sortOrder: 'asc' })
    expect(names(second)).toEqual(Array.from({ length: 10 }, (_, n) => `Many ${n + 10}`))
    expect(second.body.pagination).toMatchObject({ current: 2, pages: 2, total: 20, hasPrev: true, hasNext: false })
  })

  test('one is shown with plan and status, or without', async () => {
    const artist = await createArtist(app, { name: 'Paula Paid', plan: 'social-line-work', status: 'past_due' })
    const { body } = await listUsers({ search: artist.email })
    expect(body.users).toMatchObject([
      {
        _id: artist.id,
        isActive: true,
        isAdmin: false,
        isEmailVerified: true,
        phone: null,
        location: null,
        subscription: { plan: 'social-line-work', status: 'past_due' },
      },
    ])
    expect((await listUsers({ search: 'ada0@' })).body.users[0]).not.toHaveProperty('subscription')
    const detail = (await admin.get<ArtistDetail>(`/api/admin/users/${artist.id}`)).body
    expect(detail).toMatchObject({
      email: artist.email,
      subscription: { plan: 'social-line-work', cancelAtPeriodEnd: false },
      accounts: [],
      orders: [],
      posts: { scheduled: 0, posted: 0, failed: 0, recent: [] },
      media: { items: 0, bytes: 0 },
      site: null,
      appointments: { pending: 0, confirmed: 0, cancelled: 0, completed: 0 },
    })
  })

  test('very many matches are counted up to a limit, with a mark that there are more', async () => {
    await addUsers(
      Array.from({ length: maxCountedSearchRows + 5 }, (_, n) => `Crowd ${n}`),
      'crowd.example',
    )
    const first = await listUsers({ search: 'crowd', sortOrder: 'asc' })
    expect(first.body.pagination).toMatchObject({ total: maxCountedSearchRows, pages: 50, more: true })
    expect(names(first)).toEqual(Array.from({ length: 10 }, (_, n) => `Crowd ${n}`))
    expect(names(await listUsers({ sortOrder: 'asc', page: 53 }))).toEqual(
      Array.from({ length: 10 }, (_, n) => `Crowd ${n + 487}`),
    )
    expect(names(await listUsers({ sortOrder: 'desc', page: 53 }))).toHaveLength(10)
    expect(names(await listUsers({ search: 'crowd', sortOrder: 'asc', page: 50 }))).toEqual(
      Array.from({ length: 10 }, (_, n) => `Crowd ${n + 490}`),
    )
    // The last counted page shows that more follow.
    expect((await listUsers({ search: 'crowd', page: 49 })).body.pagination).toMatchObject({
      total: maxCountedSearchRows,
      more: true,
    })
    expect((await listUsers({ search: 'crowd', page: 50 })).body.pagination).toMatchObject({
      total: maxCountedSearchRows + 5,
      pages: 51,
      hasNext: true,
      more: false,
    })
    expect(names(await listUsers({ search: 'crowd', sortOrder: 'asc', page: 51 }))).toEqual(
      Array.from({ length: 5 }, (_, n) => `Crowd ${n + 500}`),
    )
    await app.client.db.insert(subscriptionOrders).values({
      id: newId(),
      userId: (await listUsers({ search: 'crowd 377' })).body.users[0]?._id ?? null,
      stripeObjectId: 'in_crowd',
      plan: 'social-line-work',
      action: 'unpaid',
      status: 'unpaid',
      createdAt: new Date(),
    })
    expect((await history({ search: 'crowd' })).body).toMatchObject({
      history: [{ user: { name: 'Crowd 377' } }],
      pagination: { total: 1, more: false },
    })
    expect((await history({ search: 'crowd', action: 'created' })).body.history).toEqual([])
  })
})

describe('deep pages of artists by name and address', () => {
  const domain = 'places.example'
  /** A name that very many users share, in two spellings, and different names around it. */
  const many = Array.from({ length: 1200 }, (_, n) =>
    n % 5 < 2 ? (n % 2 === 0 ? 'Mia Stone' : 'mia stone') : `${String.fromCharCode(97 + (n % 26))}${n} Place`,
  )
  afterAll(async () => void (await app.client.db.delete(users).where(like(users.email, `%${domain}`))))

  const readAllIds = async (values: Query) => {
    const ids: string[] = []
    for (let page = 1; ; page++) {
      const { body } = await listUsers({ ...values, limit: 100, page })
      ids.push(...body.users.map((user) => user._id))
      if (!body.pagination.hasNext) return ids
    }
  }
  /** All pages in each of the four orders. */
  async function readAllOrders(): Promise<string[][]> {
    const all: string[][] = []
    for (const sortBy of ['name', 'email'])
      for (const sortOrder of ['asc', 'desc']) all.push(await readAllIds({ sortBy, sortOrder }))
    return all
  }
  async function expectedIds(): Promise<string[][]> {
    const byName = await app.client.db
      .select({ id: users.id })
      .from(users)
      .orderBy(sql`lower(name), name, id`)
    const byEmail = await app.client.db.select({ id: users.id }).from(users).orderBy(users.email)
    return [byName, byEmail].flatMap((rows) => [rows.map((row) => row.id), rows.map((row) => row.id).reverse()])
  }

  test('each artist is on one page, counted from either end, also after others were added, deleted and renamed', async () => {
    const { db } = app.client
    const ids = await addUsers(many, domain)
    expect(await readAllOrders()).toEqual(await expectedIds())
    const among = (part: number) =>
      inArray(
        users.id,
        ids.filter((_, n) => n % part === 0),
      )
    await db.delete(users).where(among(5))
    await db.update(users).set({ name: 'Zz Top' }).where(among(7))
    await db
      .update(users)
      .set({ email: sql`'0' || email`, isActive: false })
      .where(among(11))
    await addUsers(['Aa First', 'mia stone', 'Mia Stones', 'zzz last', ...many.slice(0, 40)], `more.${domain}`)
    expect(await readAllOrders()).toEqual(await expectedIds())
  })
})

describe('orders', () => {
  let artist: Artist
  beforeAll(async () => {
    await app.client.db.delete(subscriptionOrders)
    artist = await createArtist(app, { name: 'Orla Buyer', plan: null })
    const plan = (n: number) => (n % 3 === 0 ? ('complete-shading' as const) : ('social-line-work' as const))
    await app.client.db.insert(subscriptionOrders).values(
      Array.from({ length: 36 }, (_, n) => ({
        id: newId(),
        userId: n % 4 === 0 ? artist.id : null,
        stripeObjectId: `in_${n}`,
        stripeCustomerId: n === 35 ? null : `cus_${n % 4 === 0 ? 'Orla' : `other${n}`}`,
        plan: plan(n),
        action: n < 12 ? ('created' as const) : n < 33 ? ('renewed' as const) : ('payment_failed' as const),
        status: n < 33 ? ('active' as const) : ('past_due' as const),
        amount: n < 33 ? 1900 : 0,
        // Two with the same instant, so that only the id orders them.
        createdAt: new Date(Date.UTC(2026, 1, 1, 0, Math.floor(n / 2))),
      })),
    )
  })

  test('come ten a page, newest first, none twice', async () => {
    const all: HistoryEntry[] = []
    for (const page of [1, 2, 3, 4]) all.push(...(await history({ page })).body.history)
    expect(new Set(all.map((entry) => entry._id)).size).toBe(36)
    expect(all.map((entry) => entry.createdAt)).toEqual(
      all
        .map((entry) => entry.createdAt)
        .toSorted()
        .reverse(),
    )
    expect((await history()).body.pagination).toEqual({
      current: 1,
      pages: 4,
      total: 36,
      hasNext: true,
      hasPrev: false,
      more: false,
    })
    expect((await history({ sortOrder: 'asc', page: 4 })).body.history.map((entry) => entry._id)).toEqual(
      all
        .slice(0, 6)
        .map((entry) => entry._id)
        .reverse(),
    )
  })

  test.each([
    [{ plan: 'complete-shading' }, 12],
    [{ status: 'past_due' }, 3],
    [{ action: 'created' }, 12],
    [{ action: 'renewed', plan: 'complete-shading' }, 7],
    [{ action: 'created', status: 'past_due' }, 0],
    [{ plan: '', status: '', action: '', search: '' }, 36],
    [{ search: 'orla buyer' }, 9],
    [{ search: 'cus_Orla' }, 9],
    [{ search: 'cus_other1' }, 9],
    [{ search: 'orla', action: 'created' }, 3],
    [{ search: 'cus_Orla', action: 'created' }, 3],
    [{ search: '___' }, 0],
    [{ search: 'nobody' }, 0],
  ] as [Query, number][])('filtered by %j there are %i', async (filter, total) => {
    const { body } = await history({ ...filter, limit: 100 })
    expect(body.history).toHaveLength(total)
    expect(body.pagination).toMatchObject({ total, more: false })
    const { plan, status, action } = filter
    for (const entry of body.history)
      expect(entry).toMatchObject({
        ...(plan ? { plan } : {}),
        ...(status ? { status } : {}),
        ...(action ? { action } : {}),
      })
  })

  test('an order that a term finds by its artist and by its customer id is listed once', async () => {
    const rename = async (name: string) =>
      await app.client.db.update(users).set({ name }).where(eq(users.id, artist.id))
    await rename('cus_Orla')
    expect((await history({ search: 'cus_Orla' })).body.pagination.total).toBe(9)
    await rename('Orla Buyer')
  })

  test('an order stays when its artist is deleted, without their name', async () => {
    const [newest] = (await history({ search: artist.email })).body.history
    expect(newest).toMatchObject({
      user: { _id: artist.id, name: 'Orla Buyer', email: artist.email },
      stripeCustomerId: 'cus_Orla',
    })
    const id = newest?._id ?? ''
    expect(await admin.trpc.admin.order.query({ id })).toMatchObject({
      _id: id,
      stripeObjectId: 'in_32',
      stripeUrl: `${app.sandboxUrl}/dashboard.stripe.com/test/invoices/in_32`,
    })
    await app.client.db.delete(users).where(eq(users.id, artist.id))
    expect(await admin.trpc.admin.order.query({ id })).toMatchObject({ _id: id, user: null })
    expect((await history({ search: 'cus_Orla' })).body.history.map((entry) => entry.user)).toEqual(
      Array.from({ length: 9 }, () => null),
    )
    await expect(admin.trpc.admin.order.query({ id: newId() })).rejects.toThrow('This order does not exist.')
  })

  test.each(['desc', 'asc'] as const)(
    'each order is on one deep page, %s, filtered or not, also after days were compacted to weeks and corrected',
    async (sortOrder) => {
      await app.client.db.delete(subscriptionOrders)
      const now = app.clock.now().getTime()
      await app.client.db.insert(subscriptionOrders).values(
        Array.from({ length: 1200 }, (_, n) => ({
          id: newId(),
          stripeObjectId: `in_far${n}`,
          plan: 'social-line-work' as const,
          action: n % 2 === 0 ? ('renewed' as const) : ('created' as const),
          status: 'active' as const,
          // Ten a day, over four months.
          createdAt: new Date(now - n * 2.4 * 3_600_000),
        })),
      )
      const readAllIds = async (filter: Query) => {
        const ids: string[] = []
        for (let page = 1; page <= 12; page++)
          ids.push(
            ...(await history({ ...filter, sortOrder, page, limit: 100 })).body.history.map((entry) => entry._id),
          )
        return ids
      }
      const expectedIds = async (filter: SQL) => {
        const rows = await app.client.db
          .select({ id: subscriptionOrders.id })
          .from(subscriptionOrders)
          .where(filter)
          .orderBy(subscriptionOrders.createdAt)
        return sortOrder === 'asc' ? rows.map((row) => row.id) : rows.map((row) => row.id).reverse()
      }
      expect(await readAllIds({})).toEqual(await expectedIds(sql`true`))
      await compactTallies(app.client.db, everyoneScope(), compactionCutoffs(new Date(now)).toCompact)
      expect(await readAllIds({})).toEqual(await expectedIds(sql`true`))
      await app.client.db
        .update(subscriptionOrders)
        .set({ action: 'renewed' })
        .where(sql`stripe_object_id like 'in_far7%'`)
      await app.client.db.delete(subscriptionOrders).where(sql`stripe_object_id like 'in_far9%'`)
      expect(await readAllIds({})).toEqual(await expectedIds(sql`true`))
      expect(await readAllIds({ action: 'renewed' })).toEqual(await expectedIds(sql`action = 'renewed'`))
    },
  )
})
