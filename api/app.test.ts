import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import { randomUUID } from 'node:crypto'
import { describe, afterAll, beforeAll, expect, test } from 'vitest'
import { restTable } from './rest.ts'
import { createArtist, type Artist } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'

let app: TestApp
let artist: Artist
beforeAll(async () => {
  app = await startTestApp()
  artist = await createArtist(app)
})
afterAll(async () => await app.stop())

const nonsense: [string, RequestInit][] = [
  ['no body', {}],
  ['half a JSON', { body: '{"a":', headers: { 'content-type': 'application/json' } }],
  ['a JSON null', { body: 'null', headers: { 'content-type': 'application/json' } }],
  ['a JSON list', { body: '[1,2]', headers: { 'content-type': 'application/json' } }],
  [
    'wrong types everywhere',
    {
      body: JSON.stringify({
        email: 5,
        name: [],
        token: {},
        ids: 'x',
        plan: 1,
        mediaIds: {},
        variants: 'no',
        scheduledAt: 9,
      }),
      headers: { 'content-type': 'application/json' },
    },
  ],
  [
    'bytes that are not UTF-8',
    { body: new Uint8Array([0xff, 0xfe, 0x00, 0x80]), headers: { 'content-type': 'application/json' } },
  ],
  [
    'a broken multipart',
    {
      body: '--x\r\nContent-Disposition: form-data; name="files"; filename="a.jpg"\r\n\r\nabc',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    },
  ],
  ['an unknown type', { body: 'hello', headers: { 'content-type': 'application/x-nothing' } }],
  [
    'NUL in a name',
    {
      body: JSON.stringify({ name: 'a\u0000b', email: 'nul@studio.example', password: 'a password' }),
      headers: { 'content-type': 'application/json' },
    },
  ],
  [
    'NUL in strings',
    {
      body: JSON.stringify({
        email: 'a\u0000@b.example',
        name: '\u0000',
        password: '\u0000\u0000\u0000\u0000\u0000\u0000',
        token: '\u0000',
      }),
      headers: { 'content-type': 'application/json' },
    },
  ],
]

/** Messages of the validation library. */
const libraryMessages =
  /"(Invalid (input|option|string|number|key|UUID|ISO|email address|URL)|Too (big|small):|Unrecognized key)/

/** Malformed path parameters; only the first is a well-formed id. */
const parameters = [
  '00000000-0000-0000-0000-000000000000',
  'nonsense',
  '\0',
  '%00',
  "';drop table users;--",
  '😀',
  'x'.repeat(3000),
]

const strangeQuery = '?limit=-1&from=yesterday&page=%00&state=%00&code=%00%F0%9F&timeZone=%00'

/**
 * The requests for a path: every body with the well-formed id, since a body is read only then, and every other parameter
 * with one of the bodies in turn. `malformed.test.ts` mixes them all.
 */
function malformedRequests(path: string, bodies: typeof nonsense) {
  const [wellFormed = '', ...others] = path.includes(':') ? parameters : ['']
  const pathWith = (parameter: string) => path.replaceAll(/:\w+(\{[^}]*\})?/g, encodeURI(parameter))
  return [
    ...bodies.map((body) => ({ to: pathWith(wellFormed), body })),
    ...others.map((parameter, at) => ({ to: pathWith(parameter), body: bodies[at % bodies.length]! })),
  ]
}

describe('no malformed request is answered with an internal error', () => {
  // Logging out would end the session the other requests need.
  const rows = restTable.filter((row) => row.path !== '/api/users/logout')
  test.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', async (_name, { method, path }) => {
    const requests =
      method === 'GET'
        ? malformedRequests(path + strangeQuery, [['a strange query', {}]])
        : malformedRequests(path, nonsense)
    for (const {
      to,
      body: [what, init],
    } of requests) {
      for (const who of [artist, app.visitor()]) {
        const response = await who.fetch(to, { method, ...init })
        const body = await response.text()
        expect(response.status, `${method} ${to} with ${what}: ${body.slice(0, 200)}`).toBeLessThan(500)
        if (response.status >= 400 && response.headers.get('content-type')?.includes('json')) {
          expect(JSON.parse(body)).toMatchObject({ message: expect.any(String), code: expect.any(String) })
          expect(body).not.toMatch(libraryMessages)
        }
      }
    }
  })
})

describe('the server', () => {
  test('ignores an undecodable cookie beside the session cookie', async () => {
    const own = `flashsheet_session=${artist.cookies.get('flashsheet_session')}`
    const ask = async (cookie: string) =>
      await (await fetch(`${app.url}/api/subscriptions/current`, { headers: { cookie } })).json()
    expect(await ask(`broken=%ZZ; ${own}`)).toMatchObject({ status: 'active' })
    expect(await ask('flashsheet_session=%ZZ; =;;')).toMatchObject({ code: 'unauthenticated' })
  })

  test('refuses deeply nested JSON like any other invalid body', async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    expect(await app.visitor().post('/api/users/auth', deep)).toMatchObject({ status: 400, body: { code: 'invalid' } })
    expect((await app.visitor().post('/trpc/auth.login', deep)).status).toBe(400)
  })

  test('refuses a path of more than 200 characters, except that of a batch', async () => {
    const visitor = app.visitor()
    // Sites answer with their own page.
    expect((await visitor.fetch(`/s/x/${'/'.repeat(15_500)}a`)).status).toBe(404)
    for (const path of [`/booking/${'a'.repeat(200)}`, `/api/${'a'.repeat(200)}`, `/login/${'a/'.repeat(100)}`]) {
      expect(await visitor.get(path)).toMatchObject({
        status: 414,
        body: { message: errorMessages.addressTooLong, code: 'invalid' },
      })
    }
    const { headers, body } = await visitor.get(`/api/${'a'.repeat(200)}`, { accept: 'application/problem+json' })
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    const instance = `urn:uuid:${headers.get('x-request-id')}`
    expect(body).toMatchObject({ status: 414, title: 'URI Too Long', instance, code: 'invalid' })
    expect((await visitor.get(`/api/${'a'.repeat(195)}`)).status).toBe(404)
    const batch = Array.from({ length: 20 }, () => 'subscription.plans').join(',')
    expect((await visitor.get(`/trpc/${batch}?batch=1&input={}`)).status).toBe(200)
  })

  test('a malformed id is not found in a path, and invalid in a body', async () => {
    expect(await artist.put('/api/posts/nonsense', {})).toMatchObject({ status: 404, body: { code: 'notFound' } })
    expect(await artist.delete('/api/appointments/nonsense')).toMatchObject({ status: 404 })
    expect(await artist.delete('/api/media', { ids: ['nonsense'] })).toMatchObject({ status: 400 })
  })

  test.each<[string, (id: string) => Promise<unknown>, string]>([
    ['a post', async (postId) => await artist.trpc.posts.publishNow.mutate({ postId }), postMessages.gone],
    ['a draft', async (draftId) => await artist.trpc.drafts.get.query({ draftId }), draftMessages.gone],
    [
      'an appointment',
      async (id) => await artist.trpc.appointments.update.mutate({ id, notes: '' }),
      appointmentMessages.gone,
    ],
    ['media', async (id) => await artist.trpc.website.addToGallery.mutate({ ids: [id] }), mediaMessages.gone],
    ['an endpoint', async (id) => await artist.trpc.webhooks.test.mutate({ id }), webhookMessages.endpointGone],
  ])('the answer about something that was deleted names it: %s', async (_what, call, message) => {
    await expect(call(randomUUID())).rejects.toThrow(message)
  })

  test('answers are not cacheable, and an id with a NUL is refused', async () => {
    for (const path of ['/api/media', '/api/nothing', '/trpc/auth.me'])
      expect((await artist.get(path)).headers.get('cache-control')).toBe('no-store')
    const upload = await artist.fetch('/api/uploads/%00', {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: 'x',
    })
    expect(upload.status).toBe(400)
  })

  test('webhooks, token links and the booking form ignore the session and accept requests from any site', async () => {
    const evil = { origin: 'https://evil.example' }
    // An invalid token is refused as such. A valid one would not create a session for another site's page.
    expect(await artist.post('/api/webhooks/stripe', {}, evil)).toMatchObject({ status: 400 })
    expect(await artist.post('/api/users/verify-email', { token: 'x' }, evil)).toMatchObject({ status: 400 })
    const date = '2030-05-06'
    const booking = {
      domainName: 'nobodys',
      bookingType: '1 Hour Booking',
      timeSlot: '9:00am-10:00am',
      date,
      contact: { email: 'a@b.example' },
    }
    expect(await artist.post('/api/appointments', booking, evil)).toMatchObject({
      status: 404,
      body: { message: 'There is no site with this name that takes bookings.' },
    })
  })

  test('an unknown path under /api is not found, in JSON', async () => {
    expect(await app.visitor().get('/api/nothing/here')).toMatchObject({ status: 404, body: { code: 'notFound' } })
  })

  test('a body over a megabyte is too large', async () => {
    expect((await app.visitor().post('/api/users/auth', { email: 'x'.repeat(1_100_000) })).status).toBe(413)
  })

  test('refuses a changing request from another site, but not a reading one, nor one without a browser', async () => {
    const evil = { origin: 'https://evil.example' }
    expect(await artist.post('/api/users/resend-verification', { email: artist.email }, evil)).toMatchObject({
      status: 403,
      body: { code: 'origin' },
    })
    expect((await artist.post('/api/users/resend-verification', { email: artist.email })).status).toBe(200)
    expect(
      (await artist.post('/api/users/resend-verification', { email: artist.email }, { origin: app.url })).status,
    ).toBe(200)
    await expect(artist.trpc.auth.me.query()).resolves.toMatchObject({ _id: artist.id })
  })

  test('every answer has the security headers, and no inline script is allowed', async () => {
    const headers = (await app.visitor().get('/healthz')).headers
    expect(headers.get('content-security-policy')).toMatch(/default-src 'self'/)
    expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe-inline/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('/healthz reports the process, and /readyz database, storage and queue', async () => {
    expect(await app.visitor().get('/healthz')).toMatchObject({ status: 200, body: { ok: true } })
    expect(await app.visitor().get('/readyz')).toMatchObject({
      status: 200,
      body: { database: true, storage: true, queue: true },
    })
  })
})

test('an unexpected error answers 500 with the id of its request, and reveals nothing else', async () => {
  const { sql } = app.client
  await sql`alter table queues rename to queues_away`
  try {
    const { status, headers, body } = await artist.get('/api/queue')
    expect([status, body]).toEqual([
      500,
      { message: errorMessages.unknown, code: 'internal', requestId: headers.get('x-request-id') },
    ])
  } finally {
    await sql`alter table queues_away rename to queues`
  }
})
