import * as fs from 'node:fs'
import type { Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBlobs } from './blobs.ts'
import { createHolds, type Holds } from './holds.ts'
import { faultOf } from './request-faults.ts'
import { requestMiddleware } from './request-middleware.ts'
import { loggedRequests } from './request-log.ts'
import { openStore, type Store } from './store.ts'
import { makeContext, type Fault, type ServiceModule, type SandboxContext } from './context.ts'

const counter = (sandbox: SandboxContext) => sandbox.state<{ count: number }>('tiktok', () => ({ count: 0 }))
const module: ServiceModule = {
  service: 'tiktok',
  hosts: {
    'open.tiktokapis.com': () =>
      new Hono()
        .post('/v2/count', async (c) => {
          counter(sandbox).count += 1
          return c.json({ count: counter(sandbox).count, fault: faultOf(c) ?? null, echo: await c.req.text() })
        })
        .put('/upload', async (c) => c.json({ kept: await sandbox.storeBlob(c.req.raw.body!) })),
  },
}

let folder = ''
let store: Store
let sandbox: SandboxContext
let holds: Holds
let server: Server
let url = ''

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-middleware-'))
  store = openStore(folder)
  holds = createHolds()
  sandbox = makeContext(store, openBlobs(folder), 'http://sandbox.test', 10)
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.use('*', requestMiddleware(sandbox, [module], holds))
  app.route('/open.tiktokapis.com', module.hosts['open.tiktokapis.com']!(sandbox))
  server = createAdaptorServer({
    fetch: (request, env) => app.fetch(request, env),
    overrideGlobalObjects: false,
  }) as Server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/open.tiktokapis.com`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  store.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

function script(fault: Partial<Fault>): void {
  const whole = {
    id: 'f',
    service: 'tiktok',
    method: '',
    path: '',
    skip: 0,
    times: 1,
    kind: 'status',
    status: 500,
    headers: {},
    body: null,
    delayMs: 0,
    fired: 0,
  }
  sandbox.control().faults.push({ ...(whole as Fault), ...fault, seen: 0 })
}
const count = (query = '') =>
  fetch(`${url}/v2/count${query}`, { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })

test('a status fault answers before the handler runs; skip and times count matching requests only', async () => {
  script({
    method: '^POST$',
    path: '^/v2/count\\?x=1$',
    skip: 1,
    times: 2,
    status: 503,
    headers: { 'retry-after': '7' },
    body: { no: true },
  })
  expect((await count()).status).toBe(200)
  expect((await count('?x=1')).status).toBe(200)
  const hit = await count('?x=1')
  expect([hit.status, hit.headers.get('retry-after'), await hit.json()]).toEqual([503, '7', { no: true }])
  expect((await count('?x=1')).status).toBe(503)
  expect((await count('?x=1')).status).toBe(200)
  expect(counter(sandbox).count).toBe(3)
  expect(sandbox.control().faults[0]!.fired).toBe(2)
})

test('status-after-commit answers an error after the handler succeeded', async () => {
  script({ kind: 'status-after-commit', status: 502, body: 'bad gateway' })
  const hit = await count()
  expect([hit.status, hit.headers.get('content-type'), await hit.text()]).toEqual([502, 'text/plain', 'bad gateway'])
  expect(counter(sandbox).count).toBe(1)
})

test('drop closes the connection before the handler, drop-after-commit after it', async () => {
  script({ kind: 'drop' })
  await expect(count()).rejects.toThrow('fetch failed')
  expect(counter(sandbox).count).toBe(0)
  script({ kind: 'drop-after-commit' })
  await expect(count()).rejects.toThrow('fetch failed')
  expect(counter(sandbox).count).toBe(1)
  expect(loggedRequests(sandbox).map((one) => one.status)).toEqual([0, 0])
  expect((await count()).status).toBe(200)
})

test('slow delays the request and combines with another fault', async () => {
  script({ kind: 'slow', delayMs: 300 })
  const before = performance.now()
  expect((await count()).status).toBe(200)
  expect(performance.now() - before).toBeGreaterThan(290)
  script({ kind: 'slow', delayMs: 1 })
  script({ kind: 'status', status: 418 })
  expect((await count()).status).toBe(418)
  expect(counter(sandbox).count).toBe(1)
})

test('a delayed request continues as soon as it is released, and later requests are delayed again', async () => {
  script({ kind: 'slow', delayMs: 3_600_000, times: 2 })
  for (const nth of [1, 2]) {
    const held = count()
    await expect.poll(() => sandbox.control().faults[0]!.fired).toBe(nth)
    holds.release()
    expect((await held).status).toBe(200)
  }
})

test('a fault of another service does not fire, and a semantic one reaches the handler with its body', async () => {
  script({ service: 'youtube', kind: 'status' })
  script({ kind: 'processing-fails', body: { reason: 'codec' } })
  expect(await (await count()).json()).toMatchObject({ fault: { kind: 'processing-fails', body: { reason: 'codec' } } })
  expect(await (await count()).json()).toMatchObject({ fault: null })
})

test('an effect is on disk when its answer arrives', async () => {
  await count()
  expect(fs.readFileSync(path.join(folder, 'state.jsonl'), 'utf8')).toContain('["tiktok","count",null,1]')
})

test('the log redacts secrets, leaves the body readable for the handler, and shows uploads by their size only', async () => {
  await fetch(`${url}/v2/count?access_token=abc&page=1`, {
    method: 'POST',
    body: 'client_secret=s&code=c&grant_type=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer abc' },
  }).then(async (answer) => expect(await answer.json()).toMatchObject({ echo: 'client_secret=s&code=c&grant_type=x' }))
  const bytes = new Uint8Array(200_000).fill(7)
  await fetch(`${url}/upload`, { method: 'PUT', body: bytes, headers: { 'content-type': 'video/mp4' } })
  const [form, upload] = loggedRequests(sandbox)
  expect(form).toMatchObject({
    service: 'tiktok',
    method: 'POST',
    path: '/v2/count',
    query: { access_token: '[cut]', page: '1' },
    body: { client_secret: '[cut]', code: '[cut]', grant_type: 'x' },
    status: 200,
  })
  expect(form!.headers['authorization']).toBe('[cut]')
  expect(upload).toMatchObject({ path: '/upload', body: { bytes: 200_000 }, status: 200 })
  expect(JSON.stringify(loggedRequests(sandbox))).not.toContain('abc')
})

test('the log survives a SIGKILL', async () => {
  await count()
  const again = openStore(folder)
  expect(loggedRequests(makeContext(again, openBlobs(folder), '', 10))).toHaveLength(1)
  again.close()
})

test('a scripted status on a large upload arrives as that status', async () => {
  script({ status: 500 })
  const answer = await fetch(`${url}/upload`, {
    method: 'PUT',
    body: new Uint8Array(20_000_000),
    headers: { 'content-type': 'video/mp4' },
  })
  expect(answer.status).toBe(500)
})
