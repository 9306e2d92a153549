import { assistantLimits } from '@flashsheet/contracts/assistants/limits'
import { assistantMessages } from '@flashsheet/contracts/assistants/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { assistantClients, assistantCodes, assistantGrants, assistantTokens } from '@flashsheet/db/schema/assistants'
import { rateLimits } from '@flashsheet/db/schema/outbox'
import { eq, like } from 'drizzle-orm'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../core/crypto.ts'
import { newId } from '../../core/ids.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import {
  callback,
  connectByConsent,
  consentParams,
  registerProgram,
  consentRequestOf,
  listTools,
} from '../../testing/oauth-assistant.ts'
import { openSystem } from '../../testing/system.ts'
import { deleteExpiredAccess } from './service/grants.ts'

let app: TestApp
let artist: Artist
let pages: Server
let documents: string
/** Metadata documents of assistants, or redirects, by path. */
const documentsByPath = new Map<string, object | { location: string }>()
beforeAll(async () => {
  app = await startTestApp({ env: { FETCH_LOOPBACK: 'on' } })
  artist = await createArtist(app)
  pages = createServer((request, response) => {
    const answer = documentsByPath.get(request.url ?? '')
    if (answer && 'location' in answer) return response.writeHead(302, { location: String(answer.location) }).end()
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  })
  await once(pages.listen(0, '127.0.0.1'), 'listening')
  documents = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
})
afterAll(async () => {
  pages.close().closeAllConnections()
  await app.stop()
})

const readRequest = async (params: Record<string, string>) =>
  await artist.trpc.assistants.consentRequest.query({ request: await consentRequestOf(artist, params) })
const giveConsent = async (params: Record<string, string>) =>
  await artist.trpc.assistants.giveConsent.mutate({ request: await consentRequestOf(artist, params) })

describe('an assistant of the official client', () => {
  test('is refused with 401 at first, and lists the tools once the artist has consented', async () => {
    const own = await createArtist(app)
    const { client, consentScreen, backTo, tokens } = await connectByConsent(app, own)
    expect(consentScreen.pathname).toBe('/oauth/authorize')
    expect(consentParams(consentScreen)).toMatchObject({
      code_challenge_method: 'S256',
      resource: `${app.url}/mcp`,
      scope: 'posts:write media:write accounts:read',
    })
    expect(Object.fromEntries(backTo.searchParams)).toMatchObject({ state: 'of the assistant', iss: app.url })
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('post_now')
    expect(await own.trpc.assistants.list.query()).toMatchObject([
      { name: 'Quill', host: 'localhost:33418', scopes: ['posts:write', 'media:write', 'accounts:read'] },
    ])
    const rows = await app.client.db.select().from(assistantTokens)
    expect(JSON.stringify(rows)).not.toContain(tokens()?.access_token)
    expect(rows.map(({ hash }) => hash)).toContain(sha256(tokens()?.access_token ?? ''))
  })

  test('refreshes its tokens by itself when the access token has expired', async () => {
    const { client, tokens, invalidateAccessToken } = await connectByConsent(app, await createArtist(app))
    const before = tokens()?.refresh_token
    invalidateAccessToken()
    expect((await client.listTools()).tools).not.toEqual([])
    expect(tokens()?.refresh_token).not.toBe(before)
  })

  test('is disconnected by the artist, and refused from its next message on', async () => {
    const own = await createArtist(app)
    const { tokens } = await connectByConsent(app, own)
    const token = tokens()?.access_token ?? ''
    expect((await listTools(app, token)).status).toBe(200)
    const [grant] = await own.trpc.assistants.list.query()
    await own.trpc.assistants.disconnect.mutate({ id: grant?._id ?? '' })
    expect(await listTools(app, token)).toMatchObject({ status: 401, body: { code: 'key' } })
    expect(await own.trpc.assistants.list.query()).toEqual([])
  })

  test('may have a metadata document instead of registering', async () => {
    const clientId = `${documents}/quill.json`
    documentsByPath.set('/quill.json', {
      client_id: clientId,
      client_name: 'Quill of the web',
      redirect_uris: [callback],
    })
    const program = await registerProgram(app.visitor())
    const params = { ...program.params, client_id: clientId }
    expect(await readRequest(params)).toMatchObject({ name: 'Quill of the web' })
    const { backTo } = await giveConsent(params)
    const code = new URL(backTo).searchParams.get('code') ?? ''
    expect((await program.exchange(code, { client_id: clientId })).status).toBe(200)
  })
})

test('the public metadata names every endpoint', async () => {
  const visitor = app.visitor()
  const refused = await visitor.post('/mcp', {})
  const where = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1]
  expect(where).toBe(`${app.url}/.well-known/oauth-protected-resource/mcp`)
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
    expect((await visitor.get(path)).body).toMatchObject({
      resource: `${app.url}/mcp`,
      authorization_servers: [app.url],
    })
  expect((await visitor.get('/.well-known/oauth-authorization-server')).body).toMatchObject({
    issuer: app.url,
    authorization_endpoint: `${app.url}/oauth/authorize`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  })
})

test('an access token opens /mcp and nothing else', async () => {
  const program = await registerProgram(app.visitor())
  const { body } = await program.exchange(await program.consent(artist))
  const authorization = `Bearer ${body['access_token']}`
  expect((await listTools(app, body['access_token'] ?? '')).status).toBe(200)
  for (const path of ['/api/me', '/api/posts', '/trpc/posts.list?input=%7B%7D'])
    expect((await app.visitor().get(path, { authorization })).status, path).toBe(401)
  expect((await listTools(app, body['refresh_token'] ?? '')).status).toBe(401)
})

describe('registering', () => {
  test.each([
    ['no address', {}],
    ['an empty list', { redirect_uris: [] }],
    ['http elsewhere', { redirect_uris: ['http://elsewhere.example/cb'] }],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['a script in disguise', { redirect_uris: ['JavaScript://%0aalert(1)'] }],
    ['a page of data', { redirect_uris: ['data:text/html,hello'] }],
    ['a fragment', { redirect_uris: ['https://assistant.example/cb#here'] }],
    ['a name and password', { redirect_uris: ['https://a:b@assistant.example/cb'] }],
    ['eleven addresses', { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://assistant.example/${n}`) }],
    ['one bad address of two', { redirect_uris: ['https://assistant.example/cb', 'file:///etc/passwd'] }],
  ])('%s is refused', async (_what, body) => {
    const refused = await app.visitor().post('/oauth/register', body)
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
  })

  test.each(['https://assistant.example/cb', 'http://127.0.0.1:4000/cb', 'http://localhost/cb', 'quill://oauth/cb'])(
    '%s is an allowed redirect',
    async (address) => {
      const registered = await app.visitor().post('/oauth/register', { redirect_uris: [address] })
      expect(registered).toMatchObject({ status: 201, body: { redirect_uris: [address] } })
      expect(registered.body).not.toHaveProperty('client_secret')
    },
  )

  test('a name has one line of at most 100 characters', async () => {
    const registered = await app.visitor().post<{ client_name: string }>('/oauth/register', {
      redirect_uris: [callback],
      client_name: `Quill\n\u202e${'x'.repeat(200)}`,
    })
    expect(registered.body.client_name).toMatch(/^Quill x{94}$/)
  })
})

test('only a thousand programs register from one IP address in an hour', async () => {
  const limited = await startTestApp({ role: 'web', env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1,::1' } })
  try {
    const register = async (from: string) =>
      await limited.visitor().post('/oauth/register', { redirect_uris: [callback] }, { 'x-forwarded-for': from })
    expect((await register('203.0.113.7')).status).toBe(201)
    const counted = like(rateLimits.key, 'assistantClientsPerIp:%')
    // As if 998 more programs had registered.
    const [row] = await limited.client.db.update(rateLimits).set({ count: 999 }).where(counted).returning()
    expect(row?.key).toBe('assistantClientsPerIp:203.0.113.7')
    expect((await register('203.0.113.7')).status).toBe(201)
    const before = await limited.client.db.$count(assistantClients)
    const refused = await register('203.0.113.7')
    expect(refused).toMatchObject({ status: 429, body: { message: errorMessages.tooMany, code: 'tooMany' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await limited.client.db.$count(assistantClients)).toBe(before)
    expect((await register('203.0.113.8')).status).toBe(201)
    limited.clock.advance(60 * 60_000)
    expect((await register('203.0.113.7')).status).toBe(201)
  } finally {
    await limited.stop()
  }
})

describe('the consent screen', () => {
  test.each([
    ['an unknown program', { client_id: newId() }],
    ['no program', { client_id: '' }],
    ['another address', { redirect_uri: 'https://elsewhere.example/cb' }],
    ['the address with an extra slash', { redirect_uri: `${callback}/` }],
    ['the address in capitals', { redirect_uri: callback.toUpperCase() }],
    ['the address with a query', { redirect_uri: `${callback}?a=b` }],
    ['another path on another port', { redirect_uri: 'http://localhost:4000/elsewhere' }],
    ['another name of the own machine', { redirect_uri: callback.replace('localhost', '127.0.0.1') }],
    ['https on the own machine', { redirect_uri: callback.replace('http:', 'https:') }],
    ['a password on another port', { redirect_uri: callback.replace('localhost:33418', 'a:b@localhost:4000') }],
  ])('redirects to no address for %s', async (_case, change) => {
    const { params } = await registerProgram(app.visitor())
    await expect(readRequest({ ...params, ...change })).rejects.toThrow()
    await expect(giveConsent({ ...params, ...change })).rejects.toThrow()
  })

  test('redirects to another port on the artist’s own machine, but not elsewhere', async () => {
    const program = await registerProgram(app.visitor())
    const onAnotherPort = callback.replace('33418', '51004')
    const { backTo } = await giveConsent({ ...program.params, redirect_uri: onAnotherPort })
    expect(backTo.startsWith(`${onAnotherPort}?code=`)).toBe(true)
    const code = new URL(backTo).searchParams.get('code') ?? ''
    expect((await program.exchange(code, { redirect_uri: onAnotherPort })).status).toBe(200)
    const elsewhere = await registerProgram(app.visitor(), 'https://assistant.example/cb')
    await expect(
      readRequest({ ...elsewhere.params, redirect_uri: 'https://assistant.example:444/cb' }),
    ).rejects.toThrow()
  })

  test.each([
    ['another response', { response_type: 'token' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: '' }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['an unknown scope', { scope: 'posts:read everything' }, 'invalid_scope'],
    ['a scope that no tool needs', { scope: 'site:write' }, 'invalid_scope'],
  ])('refuses %s, with the reason for the assistant', async (_case, change, error) => {
    const { params } = await registerProgram(app.visitor())
    const answer = await readRequest({ ...params, ...change })
    expect(answer).toHaveProperty('refusal')
    expect(Object.fromEntries(new URL(answer.backTo).searchParams)).toMatchObject({ error, state: 'x', iss: app.url })
    await expect(giveConsent({ ...params, ...change })).rejects.toThrow()
  })

  test.each(['1e5', '00012345678901234567890', '{"a":1}', 'null', 'a b+c%2Fd&e', '“quoted”'])(
    'returns the state %s unchanged',
    async (state) => {
      const { params } = await registerProgram(app.visitor())
      expect(new URL((await giveConsent({ ...params, state })).backTo).searchParams.get('state')).toBe(state)
    },
  )

  test.each(['', 'q-', 'nonsense', 'q-%%%', 'cmVzcG9uc2VfdHlwZT1jb2Rl'])(
    'refuses a malformed request: "%s"',
    async (request) => {
      await expect(artist.trpc.assistants.consentRequest.query({ request })).rejects.toThrow()
    },
  )

  test('refuses a request that is too long or repeats a parameter', async () => {
    expect((await app.visitor().get(`/oauth/authorize?state=${'x'.repeat(9000)}`)).status).toBe(400)
    const redirect = await app.visitor().fetch('/oauth/authorize?client_id=a&client_id=b')
    const request = new URL(redirect.headers.get('location') ?? '', app.url).searchParams.get('request') ?? ''
    await expect(artist.trpc.assistants.consentRequest.query({ request })).rejects.toThrow(
      assistantMessages.requestWrong,
    )
  })

  test('a denial is returned to the assistant', async () => {
    const { params } = await registerProgram(app.visitor())
    const asked = await readRequest(params)
    expect(asked).toMatchObject({ name: 'Quill', host: 'localhost:33418', scopes: ['posts:read'] })
    expect(new URL(asked.backTo).searchParams.get('error')).toBe('access_denied')
  })

  test('accepts consent only from a session on a page of ours', async () => {
    const { params } = await registerProgram(app.visitor())
    const body = JSON.stringify({ request: await consentRequestOf(artist, params) })
    const headers = { 'content-type': 'application/json' }
    const send = async (who: Pick<Artist, 'fetch'>, more: Record<string, string>) =>
      await who.fetch('/trpc/assistants.giveConsent', { method: 'POST', headers: { ...headers, ...more }, body })
    expect((await send(app.visitor(), {})).status).toBe(401)
    expect((await send(artist, { origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await send(artist, { origin: app.url })).status).toBe(200)
    const screen = await app.visitor().fetch('/connect-assistant')
    expect(screen.headers.get('x-frame-options')).toBe('DENY')
    expect(screen.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  const insertGrants = async (userId: string, length: number) => {
    const grant = { userId, name: 'One more', host: 'assistant.example', scopes: [], createdAt: app.clock.now() }
    const grants = Array.from({ length }, () => ({ ...grant, id: newId(), clientId: newId() }))
    await app.client.db.insert(assistantGrants).values(grants)
  }

  test('the twenty-first assistant is refused', async () => {
    const own = await createArtist(app)
    await insertGrants(own.id, assistantLimits.grantsPerArtist)
    const program = await registerProgram(app.visitor())
    await expect(program.consent(own)).rejects.toThrow(assistantMessages.full)
  })

  test('of two consents at once for the last place, the first that gets its tokens has it', async () => {
    const own = await createArtist(app)
    await insertGrants(own.id, assistantLimits.grantsPerArtist - 1)
    const program = await registerProgram(app.visitor())
    const codes = await Promise.all([program.consent(own), program.consent(own)])
    const answers = await Promise.all(codes.map(async (code) => await program.exchange(code)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({
      error: 'invalid_grant',
      error_description: assistantMessages.full,
    })
    expect(await own.trpc.assistants.list.query()).toHaveLength(assistantLimits.grantsPerArtist)
  })

  test.each([
    ['has another id', (at: string) => ({ client_id: `${at}x`, redirect_uris: [callback] })],
    ['redirects', () => ({ location: '/other.json' })],
    ['names no address', (at: string) => ({ client_id: at })],
    ['names a script', (at: string) => ({ client_id: at, redirect_uris: ['javascript:alert(1)'] })],
    ['is too long', (at: string) => ({ client_id: at, redirect_uris: [callback], more: 'x'.repeat(30_000) })],
  ])('refuses a metadata document that %s', async (flaw, make) => {
    const path = `/${flaw.replaceAll(' ', '-')}.json`
    const clientId = documents + path
    documentsByPath.set(path, make(clientId))
    documentsByPath.set('/other.json', { client_id: clientId, redirect_uris: [callback] })
    const { params } = await registerProgram(app.visitor())
    await expect(readRequest({ ...params, client_id: clientId })).rejects.toThrow(assistantMessages.unknownClient)
  })

  test.each(['https://127.0.0.1/client.json', 'https://169.254.169.254/client.json', 'https://192.168.1.1/a'])(
    'fetches no document from a private address: %s',
    async (clientId) => {
      const { params } = await registerProgram(app.visitor())
      await expect(readRequest({ ...params, client_id: clientId })).rejects.toThrow(assistantMessages.unknownClient)
    },
  )
})

test('only a limited number of metadata documents is fetched for an artist in an hour', async () => {
  const limited = await startTestApp({ role: 'web', env: { RATE_LIMITS: 'on' } })
  try {
    const own = await createArtist(limited)
    const { params } = await registerProgram(limited.visitor())
    const request = await consentRequestOf(own, { ...params, client_id: 'https://127.0.0.1/client.json' })
    const read = async () =>
      await own.trpc.assistants.consentRequest.query({ request }).then(
        () => 'read',
        (error: Error) => error.message,
      )
    for (let asked = 0; asked < 120; asked += 1) expect(await read()).toBe(assistantMessages.unknownClient)
    expect(await read()).toBe(errorMessages.tooMany)
  } finally {
    await limited.stop()
  }
})

describe('a code', () => {
  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another address', { redirect_uri: 'https://elsewhere.example/cb' }],
    ['another program', { client_id: newId() }],
  ])('is used up by a request with %s', async (_case, change) => {
    const program = await registerProgram(app.visitor())
    const code = await program.consent(artist)
    const refused = await program.exchange(code, change)
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect((await program.exchange(code)).body).toMatchObject({ error: 'invalid_grant' })
  })

  test.each([
    ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['another kind of grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('is not exchanged for %s', async (_case, change, error) => {
    const program = await registerProgram(app.visitor())
    const code = await program.consent(artist)
    expect(await program.exchange(code, change)).toMatchObject({ status: 400, body: { error } })
  })

  test('expires after a minute', async () => {
    const late = await startTestApp({ role: 'web' })
    try {
      const own = await createArtist(late)
      const program = await registerProgram(late.visitor())
      const code = await program.consent(own)
      late.clock.advance(assistantLimits.codeSeconds * 1000)
      expect((await program.exchange(code)).body).toMatchObject({ error: 'invalid_grant' })
    } finally {
      await late.stop()
    }
  })

  test('that is used twice ends the access that its first use gave', async () => {
    const own = await createArtist(app)
    const program = await registerProgram(app.visitor())
    const code = await program.consent(own)
    const answers = await Promise.all([program.exchange(code), program.exchange(code)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    const token = answers.find(({ status }) => status === 200)?.body['access_token'] ?? ''
    expect((await listTools(app, token)).status).toBe(401)
    expect(await own.trpc.assistants.list.query()).toEqual([])
  })
})

test.each([
  ['no form', '{', 'invalid_request'],
  ['a field twice', 'grant_type=refresh_token&grant_type=refresh_token', 'invalid_request'],
  ['nothing', '', 'invalid_request'],
  ['a NUL', 'grant_type=refresh_token&refresh_token=%00', 'invalid_request'],
])('a token request with %s is refused in OAuth’s shape', async (_case, body, error) => {
  const refused = await app
    .visitor()
    .post('/oauth/token', body, { 'content-type': 'application/x-www-form-urlencoded' })
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ error })
})

test('expired tokens, connections without a token, and programs that were never connected are deleted', async () => {
  const old = await startTestApp({ role: 'web' })
  const { system, close } = await openSystem(old)
  try {
    const own = await createArtist(old)
    const program = await registerProgram(old.visitor())
    await program.exchange(await program.consent(own))
    const unused = await registerProgram(old.visitor())
    const countClients = async (id: string) =>
      (await old.client.db.select().from(assistantClients).where(eq(assistantClients.id, id))).length
    // A used code is kept for a day, so that a second use is noticed.
    old.clock.advance(23 * 3_600_000)
    await deleteExpiredAccess(system)
    expect(await old.client.db.$count(assistantCodes)).toBe(1)
    old.clock.advance(2 * 3_600_000)
    await deleteExpiredAccess(system)
    expect([await countClients(program.clientId), await countClients(unused.clientId)]).toEqual([1, 0])
    expect(await old.client.db.select().from(assistantTokens)).toMatchObject([{ kind: 'refresh' }])
    old.clock.advance(assistantLimits.refreshDays * 86_400_000)
    await deleteExpiredAccess(system)
    expect(await old.client.db.select().from(assistantGrants)).toEqual([])
    expect(await countClients(program.clientId)).toBe(0)
  } finally {
    await close()
    await old.stop()
  }
})
