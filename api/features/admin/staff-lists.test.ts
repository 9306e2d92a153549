import {
  maxCountedSearchRows,
  maxCountedRows,
  maxCountedCommonWordRows,
  type StaffList,
  staffListNames,
  staffLists,
} from '@flashsheet/contracts/admin/limits'
import type { Pagination } from '@flashsheet/contracts/admin/schema'
import type { AppointmentStatus } from '@flashsheet/contracts/appointments/limits'
import { auditEntries } from '@flashsheet/db/schema/admin'
import { appointments } from '@flashsheet/db/schema/appointments'
import { users } from '@flashsheet/db/schema/auth'
import { uploads } from '@flashsheet/db/schema/media'
import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { sites } from '@flashsheet/db/schema/website'
import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { advance, payFor, subscribedArtist } from '../../testing/billing.ts'
import { connect } from '../../testing/connect.ts'
import { uploadPictures } from '../../testing/posting.ts'

let app: TestApp
let admin: Artist
let artist: Artist
beforeAll(async () => {
  app = await startTestApp()
  admin = await createArtist(app, { plan: null, admin: true })
  artist = await createArtist(app, { name: 'Lena Marsh' })
  await fill()
})
afterAll(async () => await app.stop())

const at = (day: number) => new Date(Date.UTC(2026, 5, day, 12))

const booking = (userId: string, startsAt: Date, status: AppointmentStatus): typeof appointments.$inferInsert => {
  const end = new Date(startsAt.getTime() + 3_600_000)
  return {
    id: newId(),
    userId,
    domainName: 'lena',
    bookingType: '1 Hour Booking',
    timeSlot: '9:00am-10:00am',
    status,
    startsAt,
    endsAt: end,
    freeAt: end,
    timeZone: 'UTC',
    clientName: 'Clara Reyes',
    email: 'clara@mail.example',
    phone: '+1 212 555 0134',
    notes: 'A private note',
    madeBy: 'client',
    createdAt: startsAt,
    updatedAt: startsAt,
  }
}

/** One of each state in each list. */
async function fill(): Promise<void> {
  const { db } = app.client
  const userId = artist.id
  const facebook = await connect(app, artist, 'facebook')
  await connect(app, artist, 'instagram')
  await db.update(socialAccounts).set({ health: 'reconnect' }).where(eq(socialAccounts.id, facebook._id))
  await uploadPictures(artist)
  // Of this moment: every three minutes the worker deletes old ones.
  const now = new Date()
  const upload = { userId, fileName: 'dragon.gif', mimeType: 'image/gif', bytes: 1200, createdAt: now }
  await db.insert(uploads).values([
    { ...upload, id: 'refused-upload', refusal: 'Unsupported file type', finishedAt: now },
    { ...upload, id: 'upload-under-way' },
  ])
  for (const [day, status] of [
    [1, 'posted'],
    [2, 'scheduled'],
    [3, 'failed'],
    [4, 'scheduled'],
  ] as const) {
    const id = newId()
    await db.insert(posts).values({
      id,
      userId,
      status,
      scheduledAt: at(day),
      timeZone: 'UTC',
      errorMessage: status === 'failed' ? 'Facebook: no' : null,
      requestId: id,
      requestHash: id,
      createdAt: at(day),
      updatedAt: at(day),
    })
    await db.insert(postTargets).values({
      id: newId(),
      postId: id,
      userId,
      platform: 'facebook',
      accountId: facebook._id,
      pageId: '1',
      pageName: 'Black Quill',
      title: '',
      message: `Day ${day}`,
      options: {},
      phase: status === 'posted' ? 'posted' : status === 'failed' ? 'failed' : 'scheduled',
      dueAt: new Date(Date.now() + 9e9),
      checkpoint: {},
      postedAt: status === 'posted' ? at(day) : null,
      createdAt: at(day),
      updatedAt: new Date(),
    })
  }
  for (const [day, status] of [
    [1, 'completed'],
    [2, 'pending'],
    [3, 'cancelled'],
    [4, 'confirmed'],
  ] as const) {
    await db.insert(appointments).values(booking(userId, at(day), status))
  }
  const colours = { backgroundColor: '#000000', textColor: '#ffffff', buttonColor: '#ff0000', hoverColor: '#8b0000' }
  await db.insert(sites).values({
    userId,
    domainName: 'lena-marsh',
    published: true,
    name: 'Lena',
    shopName: 'Marsh Ink',
    about: '',
    email: '',
    phone: '212-555-0100',
    shopAddress: '',
    city: 'Albany',
    state: 'NY',
    zip: '',
    ...colours,
    createdAt: at(1),
    updatedAt: at(1),
  })
}

const list = async (name: StaffList, more: { search?: string; status?: string; page?: number } = {}) =>
  await admin.trpc.admin.list.query({ list: name, ...more })

describe('refusals', () => {
  test.each(staffListNames)('%s rejects unknown states and pages out of range', async (name) => {
    await expect(list(name, { status: 'nonsense' })).rejects.toThrow('This list has no such status.')
    await expect(list(name, { page: 0 })).rejects.toThrow()
    expect((await list(name, { page: 50 })).rows).toEqual([])
  })
})

describe('each list', () => {
  test.each(staffListNames)('%s shows failing ones first, filters by state, and finds by artist', async (name) => {
    const all = await list(name)
    expect(all.rows.length).toBeGreaterThan(0)
    expect(all.pagination.total).toBe(all.rows.length)
    expect(all.rows.every((row) => row.artist.name === 'Lena Marsh' && row.title !== '')).toBe(true)
    for (const status of staffLists[name]) {
      const some = await list(name, { status })
      expect(some.rows.map((row) => row._id)).toEqual(
        all.rows.filter((row) => row.status === status).map((row) => row._id),
      )
    }
    expect((await list(name, { search: 'lena m' })).rows).toEqual(all.rows)
    expect((await list(name, { search: 'nobody' })).rows).toEqual([])
  })

  test('posts: failed with the reason, then planned ones, latest first', async () => {
    const { rows } = await list('scheduled-posts')
    expect(rows.map((row) => [row.status, row.title, row.problem])).toEqual([
      ['failed', 'Day 3', 'Facebook: no'],
      ['scheduled', 'Day 4', null],
      ['scheduled', 'Day 2', null],
      ['posted', 'Day 1', null],
    ])
    expect(rows[0]?.detail).toBe('Facebook: Black Quill')
  })

  test('accounts: the one that must reconnect is first; media: refused ones', async () => {
    expect((await list('social-accounts')).rows.map((row) => row.status)).toEqual(['reconnect', 'ok'])
    expect((await list('media', { status: 'refused' })).rows).toMatchObject([
      { title: 'dragon.gif', problem: 'Unsupported file type' },
    ])
  })

  test('accounts: neither one that is being disconnected nor a page that was removed', async () => {
    const { db } = app.client
    const leaving = await createArtist(app, { name: 'Otto Parting' })
    const account = await connect(app, leaving, 'facebook')
    const shown = async () => (await list('social-accounts', { search: 'Otto Parting' })).rows.map((row) => row.detail)
    expect(await shown()).toEqual([
      account.pages
        .map(({ name }) => name)
        .toSorted()
        .join(', '),
    ])
    const [removed, ...others] = account.pages
    await db
      .update(socialPages)
      .set({ removedAt: at(1) })
      .where(and(eq(socialPages.accountId, account._id), eq(socialPages.pageId, removed?.pageId ?? '')))
    expect(await shown()).toEqual([
      others
        .map(({ name }) => name)
        .toSorted()
        .join(', '),
    ])
    await db
      .update(socialAccounts)
      .set({ disconnectingAt: at(1) })
      .where(eq(socialAccounts.id, account._id))
    expect(await shown()).toEqual([])
  })

  test('finds websites by their own name too', async () => {
    expect((await list('websites', { search: 'LENA-mar' })).rows).toMatchObject([
      { title: 'lena-marsh', detail: 'Marsh Ink', status: 'published' },
    ])
    expect((await admin.trpc.admin.users.query({ search: artist.email })).users[0]).toMatchObject({
      phone: '212-555-0100',
      location: 'Albany, NY',
    })
    for (const search of ['lena%marsh', 'lena_marsh']) expect((await list('websites', { search })).rows).toEqual([])
  })

  test('a website is shown as visitors find it: when its plan ended, when it returned, when its artist is deactivated', async () => {
    const owner = await subscribedArtist(app, 'complete-shading')
    const domainName = `shown-${owner.id.slice(-12)}`
    await owner.post('/api/websitebuilder', { personalInfo: { name: owner.name, domainName } })
    const shown = async () => {
      const [row] = (await list('websites', { search: domainName })).rows
      const { site } = await admin.trpc.admin.user.query({ id: owner.id })
      return [row?.status, row?.problem, site?.isPublic]
    }
    expect(await shown()).toEqual(['published', null, true])
    await advance(app, owner, 'end', 'canceled')
    expect(await shown()).toEqual(['ended', 'The plan no longer includes a site', false])
    await payFor(owner, 'complete-shading')
    expect(await shown()).toEqual(['published', null, true])
    // In the database, since other tests count the entries of the audit log.
    await app.client.db.update(users).set({ isActive: false }).where(eq(users.id, owner.id))
    expect(await shown()).toEqual(['published', 'The artist is deactivated', false])
    await app.client.db.delete(sites).where(eq(sites.userId, owner.id))
  })

  test('everything a client entered is masked on the server', async () => {
    const response = await admin.fetch(
      `/trpc/admin.list?input=${encodeURIComponent(JSON.stringify({ list: 'appointments' }))}`,
    )
    const text = await response.text()
    expect(text).toContain('C••• R•••')
    for (const secret of ['Clara', 'Reyes', 'clara@', '555-0100', 'private note']) expect(text).not.toContain(secret)
    expect((await list('appointments')).rows.map((row) => row.status)).toEqual([
      'pending',
      'confirmed',
      'cancelled',
      'completed',
    ])
  })

  test('an appointment is described by its type and the hour at which it starts', async () => {
    const { rows } = await list('appointments')
    expect(rows[0]?.detail).toMatch(/^1 Hour Booking from 9:00am, /)
  })
})

/** The ids of all pages up to the last one, and the total that each page shows. */
async function readAllPages(
  read: (page: number) => Promise<{ ids: string[]; pagination: Pagination }>,
): Promise<{ ids: string[]; totals: string[] }> {
  const all: { ids: string[]; pagination: Pagination }[] = []
  do all.push(await read(all.length + 1))
  while (all.at(-1)?.pagination.hasNext)
  return {
    ids: all.flatMap(({ ids }) => ids),
    totals: all.map(({ pagination }) => `${pagination.total}${pagination.more ? '+' : ''}`),
  }
}

const readWholeList = async (name: StaffList, limit: number, more: { search?: string; status?: string }) =>
  await readAllPages(async (page) => {
    const { rows, pagination } = await admin.trpc.admin.list.query({ list: name, page, limit, ...more })
    return { ids: rows.map((row) => row._id), pagination }
  })

describe('a term that matches more artists than are counted', () => {
  let crowd: (typeof users.$inferInsert)[]
  beforeAll(async () => {
    const { db } = app.client
    crowd = Array.from({ length: maxCountedSearchRows + 20 }, (_, n) => ({
      id: newId(),
      name: `Crowd ${n}`,
      email: `crowd${n}@crowd.example`,
      timeZone: 'UTC',
      createdAt: at(1),
      updatedAt: at(1),
    }))
    await db.insert(users).values(crowd)
    // Updated last, so that a scan of users that stops early does not reach this row.
    await db.update(users).set({ name: 'Lena Marsh of the crowd' }).where(eq(users.id, artist.id))
  })

  test.each(staffListNames)('%s finds the rows of the only artist who has some, in each status', async (name) => {
    const { rows, pagination } = await list(name, { search: 'crowd' })
    expect(rows).toEqual((await list(name)).rows)
    expect(rows.length).toBeGreaterThan(0)
    expect(pagination).toMatchObject({ total: rows.length, more: false })
    for (const status of staffLists[name])
      expect((await list(name, { search: 'crowd', status })).rows).toEqual((await list(name, { status })).rows)
  })

  test('each row of these artists is on one page, in the order of the list, with the right total', async () => {
    const { db } = app.client
    const statusOf = (n: number) => (n % 3 === 0 ? ('pending' as const) : ('completed' as const))
    // Two at each instant, so that only the id orders them.
    await db
      .insert(appointments)
      .values(
        Array.from({ length: 120 }, (_, n) =>
          booking(crowd[n]?.id ?? '', new Date(at(1).getTime() - Math.floor(n / 2) * 86_400_000), statusOf(n)),
        ),
      )
    const expectedIds = async (status?: AppointmentStatus) => {
      const rank = sql`case ${appointments.status} when 'pending' then 0 when 'confirmed' then 1 else 2 end`
      const isOfCrowd = inArray(appointments.userId, [artist.id, ...crowd.map((one) => one.id)])
      const rows = await db
        .select({ id: appointments.id })
        .from(appointments)
        .where(and(isOfCrowd, status && eq(appointments.status, status)))
        .orderBy(rank, desc(appointments.startsAt), desc(appointments.id))
      return rows.map((row) => row.id)
    }
    const steps = (length: number) =>
      Array.from(
        { length },
        (_, n) => Math.floor(((n + 1) * 10) / maxCountedCommonWordRows + 1) * maxCountedCommonWordRows,
      )
    const expectAll = async () => {
      const all = await readWholeList('appointments', 10, { search: 'crowd' })
      expect(all.ids).toEqual(await expectedIds())
      expect(all.totals).toEqual(steps(13).map((most) => (most < 124 ? `${most}+` : '124')))
      expect((await readWholeList('appointments', 10, { search: 'CROWD', status: 'pending' })).ids).toEqual(
        await expectedIds('pending'),
      )
      expect((await readWholeList('appointments', 100, { search: 'crowd', status: 'completed' })).ids).toEqual(
        await expectedIds('completed'),
      )
      expect(await list('appointments', { search: 'crowd', page: 40 })).toMatchObject({
        rows: [],
        pagination: { current: 40, total: 124, more: false },
      })
    }
    await expectAll()
    // Another artist has so many newer appointments that the scan ends before it has found all matches.
    const other = await createArtist(app, { name: 'Otis Vale' })
    await db
      .insert(appointments)
      .values(
        Array.from({ length: 2100 }, (_, n) =>
          booking(other.id, new Date(at(20).getTime() + n * 3_600_000), n % 2 === 0 ? 'pending' : 'completed'),
        ),
      )
    await expectAll()
    await db.delete(appointments).where(ne(appointments.userId, artist.id))
  })

  test('finds a site by its own name, and only once if its artist matches as well', async () => {
    const { db } = app.client
    const [site] = await db.select().from(sites).where(eq(sites.userId, artist.id))
    if (!site) throw new Error('there is a site')
    const other = await createArtist(app, { name: 'Vera Holm' })
    await db.insert(sites).values({ ...site, userId: other.id, domainName: 'the-crowd-tattoo', updatedAt: at(2) })
    await db.update(sites).set({ domainName: 'crowd-of-lena' }).where(eq(sites.userId, artist.id))
    const { rows, pagination } = await list('websites', { search: 'Crowd' })
    expect(rows.map((row) => [row.title, row.artist.name])).toEqual([
      ['the-crowd-tattoo', 'Vera Holm'],
      ['crowd-of-lena', 'Lena Marsh of the crowd'],
    ])
    expect(pagination).toMatchObject({ total: 2, more: false })
    expect((await list('websites', { search: 'crowd-of' })).rows.map((row) => row.title)).toEqual(['crowd-of-lena'])
    await db.delete(sites).where(eq(sites.userId, other.id))
  })
})

describe('beyond the counted pages', () => {
  const many = maxCountedRows + 15
  const totals = [...Array.from({ length: 9 }, () => `${maxCountedRows}+`), String(many), String(many)]

  test('the audit log continues to its first entry', async () => {
    const first = newId()
    await app.client.db.insert(auditEntries).values(
      Array.from({ length: many }, (_, n) => ({
        id: n === 0 ? first : newId(),
        at: new Date(Date.UTC(2020, 0, 1, 0, Math.floor(n / 2))),
        actorId: null,
        action: 'user_updated' as const,
        subjectId: artist.id,
        fields: ['name'],
      })),
    )
    const log = await readAllPages(async (page) => {
      const { entries, pagination } = await admin.trpc.admin.audit.query({ page, limit: 100 })
      return { ids: entries.map((entry) => entry._id), pagination }
    })
    expect(log.totals).toEqual(totals)
    expect(new Set(log.ids).size).toBe(many)
    expect(log.ids.slice(-2)).toContain(first)
  })

  test('a list across artists continues to its last row, also filtered and searched', async () => {
    const earlier = (days: number) => new Date(at(1).getTime() - days * 86_400_000)
    await app.client.db
      .insert(appointments)
      .values(Array.from({ length: many - 4 }, (_, n) => booking(artist.id, earlier(n + 1), 'cancelled')))
    const read = async (more: { search?: string; status?: string }) => await readWholeList('appointments', 100, more)
    const all = await read({})
    expect(all.totals).toEqual(totals)
    expect(new Set(all.ids).size).toBe(many)
    expect(await read({ search: 'lena' })).toEqual(all)
    expect(new Set((await read({ status: 'cancelled' })).ids).size).toBe(many - 3)
  })
})

describe('the system', () => {
  test('shows waiting work, failures by network, and expiring versions', async () => {
    const health = await admin.trpc.admin.health.query()
    expect(health.networks.find((one) => one.platform === 'facebook')).toEqual({
      platform: 'facebook',
      available: true,
      posted: 0,
      failed: 1,
    })
    expect(health.versions).toContainEqual({ name: 'LinkedIn', version: '202609', ends: '2027-09-15' })
    expect(health.storage.mediaBytes).toBeGreaterThan(0)
    expect(health.lateTargets.count).toBe(0)
    await app.client.db
      .update(postTargets)
      .set({ dueAt: at(1), leaseUntil: new Date(Date.now() + 9e9) })
      .where(eq(postTargets.message, 'Day 2'))
    expect((await admin.trpc.admin.health.query()).lateTargets).toEqual({ count: 1, oldest: at(1).toISOString() })
  })

  test('the audit log names actor, action and subject, newest first', async () => {
    await admin.trpc.admin.updateUser.mutate({ id: artist.id, name: 'Lena Marsh-Bell' })
    const { entries } = await admin.trpc.admin.audit.query({})
    expect(entries[0]).toMatchObject({
      action: 'user_updated',
      actor: { _id: admin.id, name: admin.name },
      subject: { _id: artist.id, name: 'Lena Marsh-Bell' },
      fields: ['name'],
    })
  })
})
