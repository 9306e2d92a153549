import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { sessions, users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { start, type Running } from '../../main.ts'
import { createArtist, createVisitor, testPassword, type Artist, type Visitor } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { freePorts } from '../../testing/ports.ts'
import { openSystem } from '../../testing/system.ts'

let app: TestApp
/** A second web process on the same database. */
let second: Running
let secondUrl: string
let admin: Artist
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  const [port = 0] = await freePorts(1)
  secondUrl = `http://localhost:${port}`
  second = await start({ ...app.env, PORT: String(port) }, { clock: app.clock.now })
  admin = await createArtist(app, { admin: true, plan: null })
})
afterAll(async () => {
  await second?.stop()
  await app?.stop()
})

/** The same browser at the second process, which has accepted its session. */
async function atSecond(artist: Artist): Promise<Visitor> {
  const visitor = createVisitor(secondUrl)
  for (const [name, value] of artist.cookies) visitor.cookies.set(name, value)
  expect((await visitor.get('/api/media')).status).toBe(200)
  return visitor
}

const library = async (visitor: Visitor) => {
  const { status, body } = await visitor.get<{ message?: string }>('/api/media')
  return status === 200 ? 200 : [status, body.message]
}
const anonymous = [401, errorMessages.unauthenticated]

/** Actions that end a session, and the response that it gets from then on. */
const ends: [string, (artist: Artist) => Promise<{ status: number } | void>, unknown][] = [
  ['a log-out', async (artist) => await artist.post('/api/users/logout'), anonymous],
  [
    'a log-out from another browser',
    async (artist) => void (await (await logIn(artist)).trpc.auth.endOtherSessions.mutate()),
    anonymous,
  ],
  [
    'being ended from the list',
    async (artist) => {
      const { _id = '' } = (await artist.trpc.auth.sessions.query())[0] ?? {}
      await (await logIn(artist)).trpc.auth.endSession.mutate({ id: _id })
    },
    anonymous,
  ],
  [
    'a new password',
    async (artist) =>
      await (
        await logIn(artist)
      ).put('/api/users/profile', { _id: artist.id, password: 'another password', currentPassword: testPassword }),
    anonymous,
  ],
  [
    'a deactivation by staff',
    async (artist) => await admin.put(`/api/admin/users/${artist.id}`, { isActive: false }),
    anonymous,
  ],
  [
    'a new address by staff',
    async (artist) => await admin.put(`/api/admin/users/${artist.id}`, { email: `new-${artist.email}` }),
    anonymous,
  ],
  ['being deleted by staff', async (artist) => await admin.delete(`/api/admin/users/${artist.id}`), anonymous],
]

async function logIn(artist: Artist): Promise<Visitor> {
  const visitor = app.visitor()
  expect((await visitor.post('/api/users/auth', { email: artist.email, password: testPassword })).status).toBe(200)
  return visitor
}

describe('a session that was accepted a moment ago', () => {
  test.each(ends)('is refused in every process as soon as %s is answered', async (_what, end, refused) => {
    const artist = await createArtist(app)
    // Another browser, since the one that ends the session drops its cookie.
    const here = app.visitor()
    for (const [name, value] of artist.cookies) here.cookies.set(name, value)
    expect(await library(here)).toBe(200)
    const there = await atSecond(artist)
    const answered = await end(artist)
    if (answered) expect(answered.status).toBe(200)
    expect(await library(here)).toEqual(refused)
    expect(await library(there)).toEqual(refused)
  })

  test.each<[string, (artist: Artist) => Promise<unknown>, number]>([
    ['its row is deleted', async ({ id }) => await app.client.db.delete(sessions).where(eq(sessions.userId, id)), 401],
    ['its artist is deleted', async ({ id }) => await app.client.db.delete(users).where(eq(users.id, id)), 401],
    [
      'its artist is deactivated',
      async ({ id }) => await app.client.db.update(users).set({ isActive: false }).where(eq(users.id, id)),
      403,
    ],
    [
      'its address is no longer verified',
      async ({ id }) => await app.client.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, id)),
      403,
    ],
    [
      'its account is to be deleted',
      async ({ id }) => await app.client.db.update(users).set({ deletionAskedAt: new Date() }).where(eq(users.id, id)),
      403,
    ],
    [
      'its subscription ended',
      async ({ id }) =>
        await app.client.db.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.userId, id)),
      403,
    ],
    [
      'its subscription is deleted',
      async ({ id }) => await app.client.db.delete(subscriptions).where(eq(subscriptions.userId, id)),
      403,
    ],
  ])('is refused in every process once %s', async (_what, change, status) => {
    const artist = await createArtist(app)
    const there = await atSecond(artist)
    await change(artist)
    expect((await there.get('/api/media')).status).toBe(status)
  })

  test('applies a changed role from the next request on', async () => {
    const artist = await createArtist(app, { admin: true })
    const there = await atSecond(artist)
    for (const [isAdmin, status] of [
      [true, 200],
      [false, 403],
      [true, 200],
    ] as const) {
      await app.client.db.update(users).set({ isAdmin }).where(eq(users.id, artist.id))
      expect((await there.get('/api/admin/users')).status).toBe(status)
    }
  })

  test('shows a changed profile to the next request of that artist, and changes no other', async () => {
    const [artist, other] = [await createArtist(app), await createArtist(app, { name: 'Somebody Else' })]
    await Promise.all([library(artist), library(other)])
    await artist.put('/api/users/profile', { _id: artist.id, name: 'Ada Newname' })
    expect(await artist.trpc.auth.me.query()).toMatchObject({ _id: artist.id, name: 'Ada Newname' })
    expect(await other.trpc.auth.me.query()).toMatchObject({ _id: other.id, name: 'Somebody Else' })
  })
})

test('extends a session only in the second half of its life, with a new cookie', async () => {
  const artist = await createArtist(app)
  const expireIn = async (days: number) =>
    await app.client.db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() + days * 86_400_000) })
      .where(eq(sessions.userId, artist.id))
  const cookieSet = async () => (await artist.fetch('/api/media')).headers.get('set-cookie')
  await expireIn(16)
  expect(await cookieSet()).toBeNull()
  await expireIn(14)
  expect(await cookieSet()).toContain('flashsheet_session')
  expect(await cookieSet()).toBeNull()
})

test('the clean-up deletes refused sessions and no accepted one, by the same clock', async () => {
  const { system, close } = await openSystem(app)
  const [artist, expired] = [await createArtist(app), await createArtist(app)]
  await app.client.db
    .update(sessions)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(sessions.userId, expired.id))
  app.clock.advance(31 * 86_400_000)
  await system.sessions.deleteExpired()
  expect(await artist.trpc.auth.me.query()).toMatchObject({ _id: artist.id })
  expect(await app.client.db.select().from(sessions).where(eq(sessions.userId, expired.id))).toEqual([])
  await close()
})
