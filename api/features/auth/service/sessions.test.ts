import type { NoticeList } from '@flashsheet/contracts/notices/schema'
import type { Tx } from '@flashsheet/db/client'
import { linkTokens, sessions, userIdentities, users } from '@flashsheet/db/schema/auth'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../core/crypto.ts'
import { maxUserAgentLength } from '../../../core/sessions/session.ts'
import { createArtist, testPassword, type Artist, type Visitor } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { openEvents } from '../../../testing/events.ts'
import { lockWaits } from '../../../testing/lock-waits.ts'
import { eventually } from '../../../testing/sandbox.ts'
import { deviceOf } from '../rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app?.stop())

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

/** Logs in as the artist in another browser. */
async function logIn(artist: Artist, userAgent: string): Promise<Visitor> {
  const visitor = app.visitor()
  const answer = await visitor.post(
    '/api/users/auth',
    { email: artist.email, password: testPassword },
    { 'user-agent': userAgent },
  )
  expect(answer.status).toBe(200)
  return visitor
}

test.each([
  [firefox, 'Firefox', 'Windows'],
  [safari, 'Safari', 'iPhone'],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Mobile Safari/537.36 EdgA/146.0',
    'Edge',
    'Android',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
    'Chrome',
    'Mac',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 410.0.0',
    "Instagram's browser",
    'iPhone',
  ],
  ['curl/8.5.0', 'curl', null],
  ['Mozilla/5.0', null, null],
  ['', null, null],
])('recognises a User-Agent: %s', (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system })
})

test('stores the beginning of a long User-Agent', async () => {
  const artist = await createArtist(app)
  await logIn(artist, 'x'.repeat(1000))
  const rows = await app.client.db.select().from(sessions).where(eq(sessions.userId, artist.id))
  expect(rows.map(({ userAgent }) => userAgent)).toContain('x'.repeat(maxUserAgentLength))
})

describe('refusals', () => {
  test("another artist's session is not found, and continues", async () => {
    const [artist, other] = [await createArtist(app), await createArtist(app)]
    const _id = (await artist.trpc.auth.sessions.query())[0]?._id ?? ''
    await expect(other.trpc.auth.endSession.mutate({ id: _id })).rejects.toMatchObject({
      data: { refusal: { code: 'notFound' } },
    })
    await expect(artist.trpc.auth.endSession.mutate({ id: 'made up' })).rejects.toMatchObject({
      data: { refusal: { code: 'notFound' } },
    })
    expect(await artist.trpc.auth.me.query()).toMatchObject({ _id: artist.id })
  })

  test('the listed ids cannot be used as cookies', async () => {
    const artist = await createArtist(app)
    const _id = (await artist.trpc.auth.sessions.query())[0]?._id ?? ''
    const thief = app.visitor()
    thief.cookies.set('flashsheet_session', _id)
    expect(await thief.trpc.auth.me.query()).toBeNull()
  })
})

describe('the list', () => {
  test('shows each browser, this one, and when it was last seen', async () => {
    const artist = await createArtist(app)
    const phone = await logIn(artist, safari)
    app.clock.advance(6 * 60_000)
    await phone.get('/api/subscriptions/current', { 'user-agent': safari })
    const desk = await logIn(artist, firefox)
    const listed = await desk.trpc.auth.sessions.query()
    // `createArtist` sends the test client's own User-Agent after the log-in, and the last one is shown.
    expect(listed.map((one) => [one.browser, one.system, one.current])).toEqual([
      ['Firefox', 'Windows', true],
      ['Safari', 'iPhone', false],
      [null, null, false],
    ])
    const lastSeenMs = listed.map((one) => Date.parse(one.lastSeenAt))
    expect((lastSeenMs[0] ?? 0) - (lastSeenMs[2] ?? 0)).toBeGreaterThanOrEqual(6 * 60_000)
    expect((lastSeenMs[0] ?? 0) - (lastSeenMs[1] ?? 0)).toBeLessThan(60_000)
    const isPhone = eq(sessions.id, listed[1]?._id ?? '')
    await app.client.db.update(sessions).set({ expiresAt: app.clock.now() }).where(isPhone)
    expect((await desk.trpc.auth.sessions.query()).map((one) => one.browser)).toEqual(['Firefox', null])
  })

  test('a second request soon after writes nothing', async () => {
    const artist = await createArtist(app)
    const stored = async () => (await app.client.db.select().from(sessions).where(eq(sessions.userId, artist.id)))[0]
    const before = await stored()
    app.clock.advance(4 * 60_000)
    await artist.trpc.auth.me.query()
    expect(await stored()).toEqual(before)
    app.clock.advance(60_000)
    await artist.trpc.auth.me.query()
    expect((await stored())?.lastSeenAt).not.toEqual(before?.lastSeenAt)
  })
})

describe('logging out elsewhere', () => {
  test('ends one session at once, with its live updates; the others continue', async () => {
    const artist = await createArtist(app)
    const [phone, desk] = [await logIn(artist, safari), await logIn(artist, firefox)]
    const events = await openEvents<NoticeList>(phone, 'notices.watch')
    const otherEvents = await openEvents<NoticeList>(desk, 'notices.watch')
    await Promise.all([events.next(), otherEvents.next()])
    const { _id = '' } = (await desk.trpc.auth.sessions.query()).find((one) => one.system === 'iPhone') ?? {}
    await desk.trpc.auth.endSession.mutate({ id: _id })
    await events.ended
    expect(await phone.trpc.auth.me.query()).toBeNull()
    expect(await desk.trpc.auth.me.query()).toMatchObject({ _id: artist.id })
    await desk.trpc.notices.readAll.mutate({ until: app.clock.now().toISOString() })
    expect(await otherEvents.next()).toMatchObject({ unread: 0 })
    otherEvents.close()
    await otherEvents.ended
  })

  test('ends all others and keeps this one', async () => {
    const artist = await createArtist(app)
    const [phone, desk] = [await logIn(artist, safari), await logIn(artist, firefox)]
    const events = await openEvents<NoticeList>(phone, 'notices.watch')
    await events.next()
    await desk.trpc.auth.endOtherSessions.mutate()
    await events.ended
    expect(await phone.trpc.auth.me.query()).toBeNull()
    expect(await artist.trpc.auth.me.query()).toBeNull()
    expect(await desk.trpc.auth.sessions.query()).toHaveLength(1)
  })

  test.each([
    ['a log-out', async (artist: Artist) => void (await artist.post('/api/users/logout'))],
    [
      'a new password',
      async (artist: Artist) =>
        void (await artist.put('/api/users/profile', {
          _id: artist.id,
          password: 'another password',
          currentPassword: testPassword,
        })),
    ],
    [
      'a deactivation',
      async (artist: Artist) =>
        void (await app.client.db.update(users).set({ isActive: false }).where(eq(users.id, artist.id))),
    ],
  ])('%s ends the live updates of that session', async (_what, end) => {
    const artist = await createArtist(app)
    const events = await openEvents<NoticeList>(artist, 'notices.watch')
    await events.next()
    await end(artist)
    await events.ended
    await expect(events.next()).rejects.toThrow('has ended')
  })
})

describe('sessions are renewed', () => {
  test('at a log-in: a fixated session id is invalid afterwards', async () => {
    const artist = await createArtist(app)
    const visitor = app.visitor()
    visitor.cookies.set('flashsheet_session', 'planted-by-somebody-else-0000000000000000')
    await visitor.post('/api/users/auth', { email: artist.email, password: testPassword })
    const first = visitor.cookies.get('flashsheet_session')
    expect(first).not.toBe('planted-by-somebody-else-0000000000000000')
    await visitor.post('/api/users/auth', { email: artist.email, password: testPassword })
    expect(visitor.cookies.get('flashsheet_session')).not.toBe(first)
    const old = app.visitor()
    old.cookies.set('flashsheet_session', first ?? '')
    expect(await old.trpc.auth.me.query()).toBeNull()
  })
})

/** Sends a request of which the user's row is locked, changes something meanwhile, and returns the answer. */
async function whileLocked<T>(
  artist: Artist,
  send: () => Promise<T>,
  change: (tx: Tx) => Promise<unknown>,
): Promise<T> {
  const sent = await app.client.db.transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.id, artist.id)).for('update')
    const answer = send()
    await eventually('the request to wait', async () => (await lockWaits(app.client)) > 0)
    await change(tx)
    return { answer }
  })
  return await sent.answer
}

describe('a session that is ended while a request would renew it is not renewed', () => {
  const google = async ({ id, email }: Artist) =>
    await app.client.db
      .insert(userIdentities)
      .values({ provider: 'google', subject: id, userId: id, email, createdAt: app.clock.now() })

  test.each<[string, boolean, (artist: Artist) => Promise<unknown>]>([
    [
      'a new address',
      false,
      async ({ trpc, id }) => {
        const change = { _id: id, email: `new-${id}@studio.example`, currentPassword: testPassword }
        await trpc.auth.updateProfile.mutate(change)
      },
    ],
    [
      'removing Google',
      false,
      async ({ trpc }) => await trpc.auth.removeGoogle.mutate({ currentPassword: testPassword }),
    ],
    ['keeping the account', true, async ({ trpc }) => await trpc.auth.keepAccount.mutate()],
  ])('by %s', async (_name, requestedDeletion, send) => {
    const artist = await createArtist(app, { requestedDeletion })
    await google(artist)
    const answer = await whileLocked(
      artist,
      async () => await send(artist).catch((error: unknown) => error),
      async (tx) => await tx.delete(sessions).where(eq(sessions.userId, artist.id)),
    )
    expect(answer).toMatchObject({ data: { httpStatus: 401 } })
    expect(await app.client.db.select().from(sessions).where(eq(sessions.userId, artist.id))).toEqual([])
  })

  test('by confirming a new address, which takes effect nevertheless', async () => {
    const artist = await createArtist(app)
    const email = `moved-${artist.id}@studio.example`
    await app.client.db.update(users).set({ pendingEmail: email }).where(eq(users.id, artist.id))
    const expiresAt = new Date(app.clock.now().getTime() + 60_000)
    const link = { hash: sha256('the link'), purpose: 'change_email' as const, userId: artist.id, email, expiresAt }
    await app.client.db.insert(linkTokens).values(link)
    const answer = await whileLocked(
      artist,
      async () => await artist.trpc.auth.confirmLink.mutate({ token: 'the link' }),
      async (tx) => await tx.delete(sessions).where(eq(sessions.userId, artist.id)),
    )
    expect(answer).toMatchObject({ email })
    expect(await app.client.db.select().from(sessions).where(eq(sessions.userId, artist.id))).toEqual([])
  })

  test('by another browser, which renews it while all others are ended', async () => {
    const artist = await createArtist(app)
    const [other] = await app.client.db.select().from(sessions).where(eq(sessions.userId, artist.id))
    const owner = await logIn(artist, firefox)
    const renewed = { ...other!, id: 'renewed' }
    await whileLocked(
      artist,
      async () => await owner.trpc.auth.endOtherSessions.mutate(),
      async (tx) => {
        await tx.delete(sessions).where(eq(sessions.id, other!.id))
        await tx.insert(sessions).values(renewed)
      },
    )
    expect(await owner.trpc.auth.sessions.query()).toHaveLength(1)
  })
})

test("the studio's zone may change, but only to an existing one", async () => {
  const artist = await createArtist(app)
  await expect(artist.trpc.auth.chooseStudioZone.mutate({ timeZone: 'Mars/Olympus' })).rejects.toThrow(
    'Please choose a time zone from the list.',
  )
  await artist.trpc.auth.chooseStudioZone.mutate({ timeZone: 'Europe/Berlin' })
  expect(await artist.trpc.auth.studioZone.query()).toEqual({ timeZone: 'Europe/Berlin' })
})
