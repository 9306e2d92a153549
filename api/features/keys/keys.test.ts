import { keyLimits, keyScopes } from '@flashsheet/contracts/keys/limits'
import type { ApiKey, NewApiKey } from '@flashsheet/contracts/keys/schema'
import { apiKeys } from '@flashsheet/db/schema/keys'
import { users } from '@flashsheet/db/schema/auth'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../core/crypto.ts'
import { createArtist, createVisitor, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { createProgram } from '../../testing/keys.ts'
import { tus } from '../../testing/uploads.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app.stop())

const withKey = (key: string, headers: Record<string, string> = {}) =>
  createVisitor(app.url, { ...headers, authorization: `Bearer ${key}` })

describe('making a key', () => {
  test.each([
    ['no name', { scopes: ['posts:read'] }, 'name'],
    ['an empty name', { name: '  ', scopes: ['posts:read'] }, 'name'],
    ['a name of 81 characters', { name: 'x'.repeat(81), scopes: ['posts:read'] }, 'name'],
    ['no scopes', { name: 'Mine' }, 'scopes'],
    ['an unknown scope', { name: 'Mine', scopes: ['everything'] }, 'scopes.0'],
    ['an expiry in the past', { name: 'Mine', scopes: [], expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an expiry that is not a date', { name: 'Mine', scopes: [], expiresAt: 'soon' }, 'expiresAt'],
  ])('refuses %s', async (_what, body, field) => {
    const artist = await createArtist(app)
    const refused = await artist.post<{ fields: Record<string, string> }>('/api/keys', body)
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.body.fields)).toEqual([field])
    expect((await artist.get('/api/keys')).body).toEqual([])
  })

  test('returns the key once, and stores only its hash', async () => {
    const artist = await createArtist(app)
    const created = await artist.post<NewApiKey>('/api/keys', {
      name: 'My script',
      scopes: ['media:read', 'posts:write'],
      expiresAt: '2099-01-01T00:00:00Z',
    })
    expect(created.status).toBe(201)
    const { key, ...rest } = created.body
    expect(key).toMatch(/^fs_test_[0-9A-Za-z]{46}$/)
    expect(key.startsWith(rest.prefix)).toBe(true)
    expect(rest).toMatchObject({
      name: 'My script',
      scopes: ['posts:write', 'media:read'],
      lastUsedAt: null,
      expiresAt: '2099-01-01T00:00:00.000Z',
    })
    expect((await artist.get('/api/keys')).body).toEqual([rest])
    const [row] = await app.client.db.select().from(apiKeys).where(eq(apiKeys.id, rest._id))
    expect(row?.hash).toBe(sha256(key))
    expect(JSON.stringify(row)).not.toContain(key)
  })

  test('the twenty-first is refused, however many requests are concurrent', async () => {
    const artist = await createArtist(app)
    const answers = await Promise.all(
      Array.from({ length: 25 }, async (_, at) => await artist.post('/api/keys', { name: `Key ${at}`, scopes: [] })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(keyLimits.keysPerArtist)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const { status, body } of refused) expect([status, (body as { code: string }).code]).toEqual([409, 'full'])
    expect((await artist.get<ApiKey[]>('/api/keys')).body).toHaveLength(keyLimits.keysPerArtist)
  })
})

describe('calling with a key', () => {
  test.each([
    ['an unknown key', 'Bearer fs_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0omAup'],
    ['a key whose checksum is wrong', 'Bearer fs_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0omAuq'],
    ['another scheme', 'Basic bWFyYTpzaGVldA=='],
    ['nothing after the scheme', 'Bearer'],
    ['an empty header', ''],
  ])('%s is refused, even beside a valid cookie', async (_case, authorization) => {
    const artist = await createArtist(app)
    const refused = await artist.get('/api/me', { authorization })
    expect(refused).toMatchObject({ status: 401, body: { message: 'This API key is not valid.', code: 'key' } })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    expect(refused.headers.get('set-cookie')).toBeNull()
    const procedure = await artist.fetch('/trpc/auth.me', { headers: { authorization } })
    expect(procedure.status).toBe(401)
    expect(await procedure.json()).toMatchObject({ error: { data: { refusal: { code: 'key' } } } })
  })

  test('returns the artist and the scopes of the key', async () => {
    const artist = await createArtist(app, { name: 'Ada Inkwell' })
    const program = await createProgram(app, artist, ['posts:read'])
    const me = {
      _id: artist.id,
      name: 'Ada Inkwell',
      email: artist.email,
      plan: 'complete-shading',
      timeZone: 'America/New_York',
    }
    expect((await program.get('/api/me')).body).toEqual({ ...me, scopes: ['posts:read'] })
    expect((await artist.get('/api/me')).body).toEqual({ ...me, scopes: null })
    expect(await program.trpc.keys.caller.query()).toEqual({ ...me, scopes: ['posts:read'] })
  })

  test('the scheme may be written in any case', async () => {
    const program = await createProgram(app, await createArtist(app), [])
    expect((await app.visitor().get('/api/me', { authorization: `bEARER ${program.key}` })).status).toBe(200)
  })

  test('only the header identifies the caller, even beside the cookie of another artist', async () => {
    const [artist, other] = [await createArtist(app), await createArtist(app)]
    const program = await createProgram(app, artist, [])
    const answer = await other.get<{ _id: string; scopes: unknown }>('/api/me', {
      authorization: `Bearer ${program.key}`,
    })
    expect(answer.body).toMatchObject({ _id: artist.id, scopes: [] })
  })

  test('a page of another site may call with a key, since browsers never send one by themselves', async () => {
    const artist = await createArtist(app)
    const { key } = await createProgram(app, artist, ['media:write'])
    const elsewhere = withKey(key, { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' })
    // 400 shows that the request was admitted and only its input was refused.
    expect((await elsewhere.delete('/api/media', { ids: [] })).status).toBe(400)
    expect((await artist.delete('/api/media', { ids: [] }, { origin: 'https://elsewhere.example' })).status).toBe(403)
  })

  test('a file is sent by tus with a key', async () => {
    const artist = await createArtist(app)
    const program = await createProgram(app, artist, ['media:write'])
    const created = await tus.create(program, { name: 'half.jpg', type: 'image/jpeg', bytes: 1000 })
    expect(created.status).toBe(201)
    expect(created.headers.get('ratelimit')).toMatch(/^"key";r=\d+;t=\d+, "create";r=\d+;t=\d+$/)
    const reader = await createProgram(app, artist, ['media:read'])
    expect((await tus.create(reader, { name: 'half.jpg', type: 'image/jpeg', bytes: 1000 })).status).toBe(403)
  })

  test('an expired key is refused', async () => {
    const artist = await createArtist(app)
    const expiresAt = new Date(app.clock.now().getTime() + 3_600_000)
    const program = await createProgram(app, artist, [], { expiresAt })
    expect((await program.get('/api/me')).status).toBe(200)
    app.clock.advance(3_600_000)
    expect((await program.get('/api/me')).body).toMatchObject({ code: 'key' })
  })

  test('stores the last use, once a minute at most', async () => {
    const artist = await createArtist(app)
    const program = await createProgram(app, artist, [])
    const lastUsed = async () => (await artist.get<ApiKey[]>('/api/keys')).body[0]?.lastUsedAt
    expect(await lastUsed()).toBeNull()
    await program.get('/api/me')
    const first = await lastUsed()
    expect(first).not.toBeNull()
    app.clock.advance(30_000)
    await program.get('/api/me')
    expect(await lastUsed()).toBe(first)
    app.clock.advance(60_000)
    await program.get('/api/me')
    expect(await lastUsed()).not.toBe(first)
  })
})

describe('a revoked key', () => {
  test('is refused from the next request on, by every process', async () => {
    const artist = await createArtist(app)
    const program = await createProgram(app, artist, [])
    const other = await startTestApp({ role: 'web', env: { DATABASE_URL: app.client.url } })
    try {
      const elsewhere = createVisitor(other.url, { authorization: `Bearer ${program.key}` })
      expect((await elsewhere.get('/api/me')).status).toBe(200)
      expect((await artist.delete(`/api/keys/${program.keyId}`)).body).toEqual({ deleted: true })
      expect((await elsewhere.get('/api/me')).body).toMatchObject({ code: 'key' })
      expect((await program.get('/api/me')).body).toMatchObject({ code: 'key' })
    } finally {
      await other.stop()
    }
    expect((await artist.delete(`/api/keys/${program.keyId}`)).status).toBe(404)
  })

  test('ends its live updates', async () => {
    const artist = await createArtist(app)
    const { program, ended } = await watching(artist)
    await artist.delete(`/api/keys/${program.keyId}`)
    await ended()
    expect((await program.get('/api/posts')).status).toBe(401)
  })
})

test('the live updates of a key end when its artist is deactivated', async () => {
  const artist = await createArtist(app)
  const { program, ended } = await watching(artist)
  await app.client.db.update(users).set({ isActive: false }).where(eq(users.id, artist.id))
  await ended()
  expect((await program.get('/api/posts')).body).toMatchObject({ code: 'deactivated' })
})

test('the live updates of a key end when staff change the address of its artist', async () => {
  const artist = await createArtist(app)
  const admin = await createArtist(app, { admin: true })
  const { program, ended } = await watching(artist)
  await admin.trpc.admin.updateUser.mutate({ id: artist.id, email: `new-${artist.email}` })
  await ended()
  expect((await program.get('/api/posts')).body).toMatchObject({ code: 'unverified' })
})

test('the live updates of a key end when its artist asks for the deletion of the account', async () => {
  const artist = await createArtist(app)
  const { program, ended } = await watching(artist)
  await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })
  await ended()
  expect((await program.get('/api/posts')).body).toMatchObject({ code: 'leaving' })
})

test('the live updates of a key end when it expires', async () => {
  const artist = await createArtist(app)
  const expiresAt = new Date(app.clock.now().getTime() + 1500)
  const { program, ended } = await watching(artist, { expiresAt })
  await ended()
  expect((await program.get('/api/posts')).body).toMatchObject({ code: 'key' })
})

/** A program that receives live updates. `ended` resolves when they end. */
async function watching(artist: Artist, options: { expiresAt?: Date } = {}) {
  const program = await createProgram(app, artist, ['posts:read'], options)
  const stream = await program.fetch('/trpc/posts.watch?input=%7B%7D')
  const reader = stream.body?.getReader()
  await reader?.read()
  const ended = async () => {
    for (;;) if ((await reader?.read())?.done !== false) break
  }
  return { program, ended }
}

test('a new password ends sessions and does not affect keys', async () => {
  const artist = await createArtist(app)
  const program = await createProgram(app, artist, ['media:read'])
  const changed = await artist.put('/api/users/profile', {
    _id: artist.id,
    password: 'another password',
    currentPassword: artist.password,
  })
  expect(changed.status).toBe(200)
  expect((await program.get('/api/media')).status).toBe(200)
})

test('keys are deleted with the account', async () => {
  const artist = await createArtist(app)
  const program = await createProgram(app, artist, keyScopes)
  await app.client.db.delete(users).where(eq(users.id, artist.id))
  expect((await program.get('/api/me')).body).toMatchObject({ code: 'key' })
})

test('a caller who asks for problem details gets the members of RFC 9457 beside ours', async () => {
  const program = await createProgram(app, await createArtist(app), [])
  const refused = await program.get('/api/posts', { accept: 'application/problem+json' })
  expect(refused.headers.get('content-type')).toBe('application/problem+json')
  expect(refused.body).toMatchObject({
    type: 'about:blank',
    title: 'Forbidden',
    status: 403,
    detail: 'This API key may not do this. It needs the permission posts:read.',
    message: 'This API key may not do this. It needs the permission posts:read.',
    code: 'scope',
    scope: 'posts:read',
  })
  expect((await program.get('/api/posts')).headers.get('content-type')).toContain('application/json')
})
