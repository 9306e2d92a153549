import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { sessions, users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp, keptPages } from '../../app.ts'
import { start, type Running } from '../../main.ts'
import { createArtist, createVisitor, testPassword, type Artist, type Visitor } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { freePorts } from '../../testing/ports.ts'
import { openSystem } from '../../testing/system.ts'
import { sha256 } from '../crypto.ts'
import { createSessionCache, type CachedSession } from './session-cache.ts'
import { startLiveFeed } from '../live.ts'
import { createLogger } from '../log.ts'
import { createSessions } from './session.ts'

let app: TestApp
/** A second process's web door on the same database. */
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

/** The same browser at the other process, which has just proven its session. */
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
const strange = [401, errorMessages.unauthenticated]

/** What takes a session its rights, and what it is told from then on. */
const ends: [string, (artist: Artist) => Promise<{ status: number } | void>, unknown][] = [
  ['a log-out', async (artist) => await artist.post('/api/users/logout'), strange],
  [
    'a log-out from another browser',
    async (artist) => void (await (await logIn(artist)).trpc.auth.endOtherSessions.mutate()),
    strange,
  ],
  [
    'being ended from the list',
    async (artist) => {
      const { _id = '' } = (await artist.trpc.auth.sessions.query())[0] ?? {}
      await (await logIn(artist)).trpc.auth.endSession.mutate({ id: _id })
    },
    strange,
  ],
  [
    'a new password',
    async (artist) =>
      await (
        await logIn(artist)
      ).put('/api/users/profile', { _id: artist.id, password: 'another password', currentPassword: testPassword }),
    strange,
  ],
  [
    'a deactivation by staff',
    async (artist) => await admin.put(`/api/admin/users/${artist.id}`, { isActive: false }),
    strange,
  ],
  [
    'a new address by staff',
    async (artist) => await admin.put(`/api/admin/users/${artist.id}`, { email: `new-${artist.email}` }),
    strange,
  ],
  ['being deleted by staff', async (artist) => await admin.delete(`/api/admin/users/${artist.id}`), strange],
]

async function logIn(artist: Artist): Promise<Visitor> {
  const visitor = app.visitor()
  expect((await visitor.post('/api/users/auth', { email: artist.email, password: testPassword })).status).toBe(200)
  return visitor
}

describe('a session that was proven a moment ago', () => {
  test.each(ends)('is refused as soon as %s is answered, and where it was heard of', async (_what, end, refused) => {
    const artist = await createArtist(app)
    // A browser of its own: the one that ends the session drops its cookie.
    const here = app.visitor()
    for (const [name, value] of artist.cookies) here.cookies.set(name, value)
    expect(await library(here)).toBe(200)
    const there = await atSecond(artist)
    const answered = await end(artist)
    if (answered) expect(answered.status).toBe(200)
    expect(await library(here)).toEqual(refused)
    await second.caughtUp()
    expect(await library(there)).toEqual(refused)
  })

  test.each<[string, (artist: Artist) => Promise<unknown>, number]>([
    ['its row is deleted', async ({ id }) => await app.client.db.delete(sessions).where(eq(sessions.userId, id)), 401],
    ['its artist is deleted', async ({ id }) => await app.client.db.delete(users).where(eq(users.id, id)), 401],
    [
      'its artist is stopped',
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
      'its subscription is gone',
      async ({ id }) => await app.client.db.delete(subscriptions).where(eq(subscriptions.userId, id)),
      403,
    ],
  ])('is refused once it was heard that %s, whoever did it', async (_what, change, status) => {
    const artist = await createArtist(app)
    const there = await atSecond(artist)
    await change(artist)
    await second.caughtUp()
    expect((await there.get('/api/media')).status).toBe(status)
  })

  test('a role that was taken or given counts where it was heard of', async () => {
    const artist = await createArtist(app, { admin: true })
    const there = await atSecond(artist)
    for (const [isAdmin, status] of [
      [true, 200],
      [false, 403],
      [true, 200],
    ] as const) {
      await app.client.db.update(users).set({ isAdmin }).where(eq(users.id, artist.id))
      await second.caughtUp()
      expect((await there.get('/api/admin/users')).status).toBe(status)
    }
  })

  test("what an artist changes is what the next request of that artist sees, and nobody else's changes", async () => {
    const [artist, other] = [await createArtist(app), await createArtist(app, { name: 'Somebody Else' })]
    await Promise.all([library(artist), library(other)])
    await artist.put('/api/users/profile', { _id: artist.id, name: 'Ada Newname' })
    expect(await artist.trpc.auth.me.query()).toMatchObject({ _id: artist.id, name: 'Ada Newname' })
    expect(await other.trpc.auth.me.query()).toMatchObject({ _id: other.id, name: 'Somebody Else' })
  })
})

describe('an answer', () => {
  /** A door to the same product, whose process hears of nothing before it is told to. */
  async function deafDoor(): Promise<{
    ask: (method: string, path: string, body?: unknown) => Promise<Response>
    asked: () => number
    hear: () => void
    artist: Artist
    close: () => Promise<void>
  }> {
    const { system, close } = await openSystem(app)
    const heard = Promise.withResolvers<void>()
    let asked = 0
    const caughtUp = async () => {
      asked += 1
      await heard.promise
    }
    const slow = { ...system, live: { ...system.live, caughtUp } }
    const door = createApp(slow, keptPages(slow))
    const artist = await createArtist(app)
    const cookie = [...artist.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return {
      ask: async (method, path, body) =>
        await door.request(
          path,
          {
            method,
            headers: { cookie, 'content-type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          },
          { incoming: { socket: { remoteAddress: '127.0.0.1' } }, outgoing: { headersSent: false, destroyed: false } },
        ),
      asked: () => asked,
      hear: heard.resolve,
      artist,
      close,
    }
  }

  test.each([
    ['to a change', 'POST', '/api/users/logout', {}],
    ['to a procedure that changes something', 'POST', '/trpc/auth.endOtherSessions', {}],
  ] as const)('%s waits until this process has heard what it ended', async (_what, method, path, body) => {
    const door = await deafDoor()
    try {
      let answered = false
      const answer = door.ask(method, path, body).finally(() => (answered = true))
      await vi.waitFor(() => expect(door.asked()).toBe(1))
      expect(answered).toBe(false)
      door.hear()
      expect((await answer).status).toBe(200)
    } finally {
      await door.close()
    }
  })

  test('to a read waits for nothing, unless it sets a cookie', async () => {
    const door = await deafDoor()
    try {
      expect((await door.ask('GET', '/api/media')).status).toBe(200)
      expect(door.asked()).toBe(0)
      door.hear()
      // Sessions are lengthened in the second half of their life, with a cookie.
      await app.client.db
        .update(sessions)
        .set({ expiresAt: new Date(Date.now() + 5 * 86_400_000) })
        .where(eq(sessions.userId, door.artist.id))
      const renewed = await vi.waitFor(async () => {
        const answer = await door.ask('GET', '/api/media')
        expect(answer.headers.get('set-cookie')).toContain('flashsheet_session')
        return answer
      }, 10_000)
      expect([renewed.status, door.asked()]).toEqual([200, 1])
    } finally {
      await door.close()
    }
  })
})

describe('what is kept', () => {
  const user = { id: 'ada', subscription: null } as unknown as CachedSession['user']
  const found = (days: number, lastSeenAt = app.clock.now()): CachedSession => ({
    user,
    expiresAt: new Date(Date.now() + days * 86_400_000),
    lastSeenAt,
  })
  const feed = () => {
    let tell: (hint: { owner: string; topic: string }) => void = () => {}
    const live = {
      hearing: true,
      onHint: (listener: typeof tell) => void (tell = listener),
      isHearing: () => live.hearing,
    }
    return { live, tell: (owner: string, topic = 'sessions') => tell({ owner, topic }) }
  }

  test('nothing that was read before something was heard, though it is answered after', () => {
    const { live, tell } = feed()
    const kept = createSessionCache(live)
    const keep = kept.reading('one')
    tell('ada')
    keep(found(30))
    expect(kept.get('one')).toBeUndefined()
    kept.reading('one')(found(30))
    expect(kept.get('one')?.user).toBe(user)
  })

  test('nothing by a process that does not hear, and nothing from before', () => {
    const { live, tell } = feed()
    const kept = createSessionCache(live)
    kept.reading('one')(found(30))
    live.hearing = false
    expect(kept.get('one')).toBeUndefined()
    kept.reading('two')(found(30))
    live.hearing = true
    tell('*', '*')
    expect([kept.get('one'), kept.get('two')]).toEqual([undefined, undefined])
  })

  test('nothing for longer than moments, and not more than ten thousand', () => {
    const { live } = feed()
    const kept = createSessionCache(live)
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      kept.reading('one')(found(30))
      vi.advanceTimersByTime(5001)
      expect(kept.get('one')).toBeUndefined()
      for (let n = 0; n <= 10_000; n++) kept.reading(`many ${n}`)(found(30))
      expect([kept.get('many 0'), kept.get('many 1')?.user]).toEqual([undefined, user])
    } finally {
      vi.useRealTimers()
    }
  })

  test('one owner is dropped and others are not; other topics drop nobody', () => {
    const { live, tell } = feed()
    const kept = createSessionCache(live)
    kept.reading('one')(found(30))
    kept.reading('two')({ ...found(30), user: { ...user, id: 'ben' } })
    tell('ada', 'posts')
    expect(kept.get('one')).toBeDefined()
    tell('ada')
    expect([kept.get('one'), kept.get('two')?.user.id]).toEqual([undefined, 'ben'])
  })

  test('is answered without the database, until the session has to be lengthened or noted as seen', async () => {
    const artist = await createArtist(app)
    const id = artist.cookies.get('flashsheet_session') ?? ''
    const kept = createSessionCache(feed().live)
    const proving = createSessions(app.client.db, app.running.config, app.clock.now, kept)
    // Nobody the database knows: whoever is answered came from what is kept.
    kept.reading(sha256(id))(found(16))
    expect(await proving.validate(id, '')).toEqual({ sessionId: id, user, renewedCookie: undefined })
    kept.reading(sha256(id))(found(30, new Date(app.clock.now().getTime() - 5 * 60_000)))
    expect((await proving.validate(id, ''))?.user.id).toBe(artist.id)
    await app.client.db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() + 14 * 86_400_000) })
      .where(eq(sessions.userId, artist.id))
    kept.reading(sha256(id))(found(14))
    const renewed = await proving.validate(id, '')
    expect(renewed?.user.id).toBe(artist.id)
    expect(renewed?.renewedCookie).toContain(id)
    expect((await proving.validate(id, ''))?.renewedCookie).toBeUndefined()
  })
})

test('a lost connection comes back, and what happened meanwhile is seen', async () => {
  const { system, close } = await openSystem(app)
  try {
    const artist = await createArtist(app)
    const id = artist.cookies.get('flashsheet_session') ?? ''
    expect((await system.sessions.validate(id))?.user.id).toBe(artist.id)
    const lost = Promise.withResolvers<void>()
    system.live.onHint(({ owner }) => owner === '*' && lost.resolve())
    await app.client
      .sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'listen flashsheet_live'`
    await lost.promise
    await app.client.db.delete(sessions).where(eq(sessions.userId, artist.id))
    // Deaf or hearing again: in both it is refused.
    await system.live.caughtUp()
    expect(await system.sessions.validate(id)).toBeUndefined()
    await vi.waitFor(() => expect(system.live.isHearing()).toBe(true), { timeout: 10_000 })
    const heard = Promise.withResolvers<void>()
    system.live.onHint(({ owner }) => owner === artist.id && heard.resolve())
    await app.client.db.update(users).set({ name: 'Ada Heard' }).where(eq(users.id, artist.id))
    await heard.promise
  } finally {
    await close()
  }
})

test('a connection that hears nothing, though nobody says that it is lost, is given up and made anew', async () => {
  // Its own word to itself never comes back.
  const mute = { ...app.client, sql: (async () => await Promise.resolve([])) as unknown as typeof app.client.sql }
  const feed = await startLiveFeed(mute, createLogger('silent'))
  try {
    const told: string[] = []
    feed.onHint(({ owner }) => told.push(owner))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const caughtUp = feed.caughtUp()
    vi.advanceTimersByTime(2000)
    vi.useRealTimers()
    await caughtUp
    expect(told).toContain('*')
    await vi.waitFor(() => expect(feed.isHearing()).toBe(true), { timeout: 10_000 })
  } finally {
    vi.useRealTimers()
    await feed.stop()
  }
})
