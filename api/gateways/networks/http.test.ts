import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { NetworkError } from './adapter.ts'
import { classifyFacebook } from './facebook/errors.ts'
import { createNetworkHttp, type NetworkHttp } from './http.ts'
import { instagramConnect } from './instagram/connect.ts'
import { isTiktokRefusal, classifyTiktok } from './tiktok/errors.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void
let answer: Answer
let base: string
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => answer(request, response, body))
})
const json =
  (status: number, value: unknown): Answer =>
  (_request, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof value === 'string' ? value : JSON.stringify(value))
  }

let http: NetworkHttp
const now = () => new Date('2026-11-21T12:00:00Z')
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  http = createNetworkHttp({
    platform: 'facebook',
    bases: [`${base}/graph`],
    suffixes: ['.facebook.com'],
    classify: classifyFacebook,
    now,
  })
})
afterAll(() => server.close())
beforeEach(() => {
  answer = json(200, {})
})

const leaseIsValid = async (): Promise<void> => await Promise.resolve()

const thrownBy = async (call: Promise<unknown>): Promise<NetworkError> => {
  const error: unknown = await call.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof NetworkError)) throw error
  return error
}

describe('addresses', () => {
  test.each([
    'https://evil.example/x',
    'http://graph.facebook.com/x',
    'https://graph.facebook.com:8443/x',
    'https://graph.facebook.com.evil.example/x',
    'https://evilfacebook.com/x',
    'http://127.0.0.1:1/x',
  ])('sends no token to %s', async (url) => {
    const error = await thrownBy(http.call({ method: 'GET', url, headers: { authorization: 'Bearer secret-token' } }))
    expect(error).toMatchObject({ class: 'config', code: 'foreign_address' })
    expect(`${error.message} ${String(error.cause)}`).not.toContain('secret-token')
  })

  test('allows any path at a configured origin, and follows no redirect', async () => {
    answer = (request, response) => response.writeHead(302, { location: `${base}/elsewhere` }).end(request.url)
    const error = await thrownBy(http.call({ method: 'GET', url: `${base}/upload/1` }))
    expect(error).toMatchObject({ code: 'http_302' })
  })
})

describe('answers', () => {
  test('keeps the digits of numbers beyond double precision', async () => {
    answer = json(200, '{"id":7581234567890123456,"short":12,"at":1.5,"list":[12345678901234567890]}')
    expect((await http.call({ method: 'GET', url: base })).body).toEqual({
      id: '7581234567890123456',
      short: 12,
      at: 1.5,
      list: ['12345678901234567890'],
    })
  })

  test('returns a 308 that the caller accepts', async () => {
    answer = (_request, response) => response.writeHead(308, { range: 'bytes=0-99' }).end()
    const given = await http.call({ method: 'PUT', url: base, accept: [308] })
    expect([given.status, given.headers.get('range')]).toEqual([308, 'bytes=0-99'])
    expect(await thrownBy(http.call({ method: 'PUT', url: base }))).toMatchObject({ code: 'http_308' })
  })

  test('throws for a 2xx with an error body', async () => {
    const tiktok = createNetworkHttp({
      platform: 'tiktok',
      bases: [base],
      suffixes: [],
      classify: classifyTiktok,
      isRefusal: isTiktokRefusal,
      now,
    })
    answer = json(200, { data: {}, error: { code: 'spam_risk_too_many_posts', message: 'x', log_id: '1' } })
    expect(await thrownBy(tiktok.call({ method: 'POST', url: base }))).toMatchObject({
      class: 'later',
      retryAt: new Date('2026-11-22T12:00:00Z'),
    })
    answer = json(200, { data: {}, error: { code: 'ok', message: '', log_id: '1' } })
    expect((await tiktok.call({ method: 'POST', url: base })).status).toBe(200)
  })

  test('returns a status that the caller accepts even with an error body', async () => {
    const tiktok = createNetworkHttp({
      platform: 'tiktok',
      bases: [base],
      suffixes: [],
      classify: classifyTiktok,
      isRefusal: isTiktokRefusal,
      now,
    })
    answer = json(403, { error: { code: 'upload_url_expired', message: 'x', log_id: '1' } })
    expect((await tiktok.call({ method: 'PUT', url: base, accept: [403] })).status).toBe(403)
    expect(await thrownBy(tiktok.call({ method: 'PUT', url: base }))).toMatchObject({ class: 'permanent' })
  })

  test.each([
    ['90', new Date('2026-11-21T12:01:30Z')],
    ['Sat, 21 Nov 2026 13:00:00 GMT', new Date('2026-11-21T13:00:00Z')],
    // No documented throttle lasts two days; beyond the range of dates, nothing could be stored.
    ['99999999999999999999', new Date('2026-11-23T12:00:00Z')],
    ['soon', undefined],
  ])('reads the end of a throttle from Retry-After: %s', async (header, retryAt) => {
    answer = (_request, response) => response.writeHead(429, { 'retry-after': header }).end()
    expect(
      await thrownBy(http.call({ method: 'POST', url: base, json: {}, irreversible: leaseIsValid })),
    ).toMatchObject({
      class: 'later',
      retryAt,
    })
  })

  test('redacts secrets in an error message', async () => {
    answer = (request, response) =>
      json(400, {
        error: { message: `Malformed access token ${request.headers.authorization} ${request.url}`, code: 190 },
      })(request, response, '')
    const error = await thrownBy(
      http.call({
        method: 'GET',
        url: base,
        query: { client_secret: 'app-secret', fields: 'id' },
        headers: { authorization: 'Bearer user-token' },
      }),
    )
    expect(error).toMatchObject({ class: 'reconnect', code: '190' })
    expect(String(error.cause)).toMatch(/Malformed access token Bearer \[cut\] .*fields=id/)
    expect(String(error.cause)).not.toMatch(/app-secret|user-token/)
  })

  test.each([
    { form: { grant_type: 'refresh_token', refresh_token: 'stored-secret' } },
    { json: { client_key: 'flashsheet', refresh_token: 'stored-secret' } },
  ])('redacts secrets of the body in an error message: %j', async (body) => {
    answer = (request, response, sent) =>
      json(400, { error: { message: `Bad ${sent}`, code: 190 } })(request, response, '')
    const { cause } = await thrownBy(http.call({ method: 'POST', url: base, ...body }))
    expect(String(cause)).toMatch(/Bad .*refresh_token/)
    expect(String(cause)).not.toContain('stored-secret')
  })
})

describe('no answer', () => {
  test.each<[string, Answer, number, string]>([
    ['hung up', (_request, response) => response.destroy(), 20_000, 'unreachable'],
    // Long enough for the request to arrive on a busy machine, since an unsent call is retried.
    ['too late', () => {}, 1500, 'timeout'],
    [
      'half an answer',
      (_request, response) =>
        void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
      20_000,
      'unreachable',
    ],
    ['an answer above 8 MB', (_request, response) => response.end(Buffer.alloc(8_388_609, ' ')), 20_000, 'unreachable'],
  ])('%s: throws `retry`, or `unknown` for the irreversible call', async (_what, how, timeoutMs, code) => {
    answer = how
    const request = { method: 'POST' as const, url: base, timeoutMs }
    expect(await thrownBy(http.call(request))).toMatchObject({
      class: 'retry',
      code,
      message: 'Facebook is not answering right now.',
    })
    expect(await thrownBy(http.call({ ...request, json: {}, irreversible: leaseIsValid }))).toMatchObject({
      class: 'unknown',
    })
  })

  test('a stopped worker: throws `retry`', async () => {
    const abort = new AbortController()
    answer = () => abort.abort()
    const { signal } = abort
    const stopped = { class: 'retry', code: 'aborted' }
    const as = { accessToken: 'user-token', signal }
    expect(await thrownBy(http.call({ method: 'GET', url: base, as }))).toMatchObject(stopped)
    expect(await thrownBy(http.call({ method: 'GET', url: base, signal }))).toMatchObject(stopped)
  })
})

test('aborting a body fails only its own call, and closes its file', async () => {
  const files: Readable[] = []
  const open = async () => {
    const file = Readable.from(slowly())
    files.push(file)
    return await Promise.resolve(file)
  }
  const formFile = {
    fields: { published: 'false' },
    name: 'source',
    fileName: 'photo.jpg',
    type: 'image/jpeg',
    length: 60_000,
    open,
  }
  const stream = { open, length: 60_000 }
  const bodies = [{ stream }, { stream, irreversible: leaseIsValid }, { formFile }]
  answer = (_request, response) => response.end('{}')
  for (let turn = 0; turn < 120; turn++) {
    const abort = new AbortController()
    const call = http
      .call({ method: 'POST', url: base, ...bodies[turn % bodies.length], signal: abort.signal })
      .catch((error: unknown) => error)
    for (let waited = 0; waited < turn / 4; waited++) await new Promise((resolve) => setImmediate(resolve))
    abort.abort()
    const end = await call
    if (end instanceof Error) expect(end).toMatchObject({ code: 'aborted' })
  }
  await expect.poll(() => files.filter((file) => !file.destroyed).length).toBe(0)
  expect(files.length).toBeGreaterThan(50)
})

test('closes the file of a call without a connection, and of one that is refused before all is sent', async () => {
  const files: Readable[] = []
  const open = async () => {
    const file = new Readable({ read: () => void file.push(Buffer.alloc(1000)) })
    files.push(file)
    return await Promise.resolve(file)
  }
  const length = 1_000_000_000
  const formFile = { fields: {}, name: 'source', fileName: 'photo.jpg', type: 'image/jpeg', length, open }
  const early = createServer((_request, response) => response.writeHead(400).end('{}'))
  await new Promise<void>((resolve) => early.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(early.address() as AddressInfo).port}`
  const client = createNetworkHttp({
    platform: 'facebook',
    bases: [url],
    suffixes: [],
    classify: classifyFacebook,
    now,
  })
  const bodies = [{ stream: { open, length } }, { stream: { open, length }, irreversible: leaseIsValid }, { formFile }]
  for (const body of bodies) await thrownBy(client.call({ method: 'POST', url, ...body }))
  early.closeAllConnections()
  await new Promise((resolve) => early.close(resolve))
  for (const body of bodies) await thrownBy(client.call({ method: 'POST', url, ...body }))
  expect(files).toHaveLength(6)
  await expect.poll(() => files.filter((file) => !file.destroyed).length).toBe(0)
})

test('a file that breaks before it is read fails only its own call', async () => {
  const open = async () => {
    const file = new Readable({ read: () => {} })
    setImmediate(() => file.destroy(new Error('the disk failed')))
    return await Promise.resolve(file)
  }
  const reachable = http.call({ method: 'PUT', url: base, stream: { open, length: 1 } })
  expect(await thrownBy(reachable)).toMatchObject({ class: 'retry' })
})

async function* slowly(): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < 6; n++) {
    await new Promise((resolve) => setImmediate(resolve))
    yield new Uint8Array(10_000)
  }
}

describe('the irreversible call', () => {
  const bodies = [
    ['JSON', { json: { message: 'Fresh flash' } }, '{"message":"Fresh flash"}'],
    ['a form', { form: { creation_id: '7' } }, 'creation_id=7'],
    [
      'a stream',
      { stream: { open: async () => await Promise.resolve(Readable.from([Buffer.from('film')])), length: 4 } },
      'film',
    ],
  ] as const

  test.each(bodies)('with %s: checks the lease once connected, and sends no byte before', async (_what, body, sent) => {
    const received: string[] = []
    answer = (request, response, text) => {
      if (request.url !== '/after') received.push(`${text} ${request.headers['content-length']}`)
      response.end('{}')
    }
    const assertLease = async (): Promise<void> => {
      // The server answers this after all bytes that were sent before.
      await fetch(`${base}/after`)
      received.push('lease checked')
    }
    await http.call({ method: 'POST', url: base, ...body, irreversible: assertLease })
    expect(received).toEqual(['lease checked', `${sent} ${sent.length}`])
  })

  test.each(bodies)('with %s: sends nothing when the lease is lost, and throws that', async (_what, body) => {
    let requests = 0
    answer = () => void (requests += 1)
    const lost = new Error('the lease is lost')
    await expect(
      http.call({ method: 'POST', url: base, ...body, irreversible: async () => await Promise.reject(lost) }),
    ).rejects.toBe(lost)
    expect(requests).toBe(0)
  })

  test('answered by a redirect: throws `unknown`, since the network did not answer', async () => {
    answer = (_request, response) => response.writeHead(302, { location: `${base}/elsewhere` }).end()
    const request = { method: 'POST' as const, url: base, json: {}, irreversible: leaseIsValid }
    expect(await thrownBy(http.call(request))).toMatchObject({ class: 'unknown', code: 'http_302' })
  })

  test('without a body is refused, because its lease could not be checked once connected', async () => {
    let requests = 0
    answer = () => void (requests += 1)
    await expect(http.call({ method: 'POST', url: base, irreversible: leaseIsValid })).rejects.toThrow('needs a body')
    expect(requests).toBe(0)
  })

  test('without a connection was not sent, so it is retried', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
    await new Promise((resolve) => closed.close(resolve))
    const nowhere = createNetworkHttp({
      platform: 'facebook',
      bases: [url],
      suffixes: [],
      classify: classifyFacebook,
      now,
    })
    expect(await thrownBy(nowhere.call({ method: 'POST', url, json: {}, irreversible: leaseIsValid }))).toMatchObject({
      class: 'retry',
      code: 'unreachable',
    })
  })
})

describe('bodies', () => {
  test('streams a file in a form with its length', async () => {
    const seen: unknown[] = []
    answer = (request, response) => {
      seen.push(request.headers['content-length'], request.headers['transfer-encoding'])
      response.end('{}')
    }
    let body = Buffer.alloc(0)
    server.once('request', (request: IncomingMessage) =>
      request.on('data', (chunk: Buffer) => (body = Buffer.concat([body, chunk]))),
    )
    const open = async () =>
      await Promise.resolve(Readable.from([Buffer.alloc(70_000, 'a'), Buffer.alloc(30_000, 'b')]))
    let type = ''
    server.once('request', (request: IncomingMessage) => (type = request.headers['content-type'] ?? ''))
    await http.call({
      method: 'POST',
      url: base,
      formFile: {
        fields: { upload_phase: 'transfer' },
        name: 'chunk',
        fileName: 'video.mp4',
        type: 'application/octet-stream',
        open,
        length: 100_000,
      },
    })
    expect(seen).toEqual([String(body.byteLength), undefined])
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    expect(form.get('upload_phase')).toBe('transfer')
    const file = form.get('chunk')
    expect(file instanceof File ? [file.name, file.size] : file).toEqual(['video.mp4', 100_000])
  })

  test('sends a stream with its length, not chunked', async () => {
    const seen: Record<string, unknown>[] = []
    answer = (request, response, body) => {
      seen.push({
        length: request.headers['content-length'],
        chunked: request.headers['transfer-encoding'],
        bytes: body.length,
      })
      response.end('{}')
    }
    await http.call({
      method: 'PUT',
      url: base,
      stream: {
        open: async () => Readable.from([Buffer.alloc(70_000, 'a'), Buffer.alloc(30_000, 'b')]),
        length: 100_000,
      },
    })
    expect(seen).toEqual([{ length: '100000', chunked: undefined, bytes: 100_000 }])
  })

  test('has ten minutes for a file, and twenty seconds otherwise', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    onTestFinished(() => timeout.mockRestore())
    const open = async () => await Promise.resolve(Readable.from([Buffer.from('film')]))
    const formFile = { fields: {}, name: 'source', fileName: 'film.mp4', type: 'video/mp4', open, length: 4 }
    for (const body of [{ stream: { open, length: 4 } }, { formFile }, { json: {} }])
      await http.call({ method: 'POST', url: base, ...body })
    expect(timeout.mock.calls).toEqual([[600_000], [600_000], [20_000]])
  })

  test('throws its own error for a file that cannot be opened', async () => {
    const missing = async (): Promise<Readable> => await Promise.reject(new Error('no such file'))
    await expect(http.call({ method: 'PUT', url: base, stream: { open: missing, length: 1 } })).rejects.toThrow(
      'no such file',
    )
  })
})

describe("Instagram's tokens", () => {
  test('are valid for sixty more days after a refresh, and both shapes of the code exchange are parsed', async () => {
    const config = { clientId: 'app', clientSecret: 'app-secret', hosts: { www: base, api: base, graph: base } }
    const connect = instagramConnect({ config, versions: { metaGraph: 'v26.0', linkedin: '202609' }, http, now })
    const flat = {
      access_token: 'short-token',
      user_id: 7,
      permissions: 'instagram_business_basic,instagram_business_content_publish',
    }
    const codes: string[] = []
    for (const shape of [flat, { data: [flat] }]) {
      answer = (request, response, body) => {
        const path = new URL(request.url ?? '', base).pathname
        if (path === '/oauth/access_token') codes.push(new URLSearchParams(body).get('code') ?? '')
        const me = { user_id: '178', username: 'quill', name: '', account_type: 'BUSINESS' }
        json(
          200,
          path === '/oauth/access_token'
            ? shape
            : path === '/access_token'
              ? { access_token: 'long-token', expires_in: 5_183_944 }
              : me,
        )(request, response, '')
      }
      const connection = await connect.exchange({
        code: 'AQcode#_',
        redirectUri: `${base}/back`,
        codeVerifier: null,
        now: now(),
      })
      expect(connection).toMatchObject({
        providerUserId: '178',
        providerName: 'quill',
        tokens: { accessToken: 'long-token' },
        pages: [{ pageId: '178', username: 'quill' }],
      })
    }
    expect(codes).toEqual(['AQcode', 'AQcode'])
    answer = json(200, { access_token: 'longer-token', expires_in: 5_184_000 })
    const tokens = {
      accessToken: 'long-token',
      refreshToken: null,
      accessExpiresAt: null,
      refreshExpiresAt: null,
      scopes: 'a',
    }
    expect(await connect.refresh!(tokens, now())).toMatchObject({
      accessToken: 'longer-token',
      accessExpiresAt: new Date('2027-01-20T12:00:00Z'),
    })
  })
})
