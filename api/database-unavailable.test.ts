import { connect, type DbClient } from '@flashsheet/db/client'
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig, type Config } from './core/config.ts'
import { createArtist, type Artist } from './testing/actors.ts'
import { startOwnPostgres, type OwnPostgres } from './testing/own-postgres.ts'
import { freePorts } from './testing/ports.ts'
import { startProcess, type ProductProcess } from './testing/processes.ts'
import { eventually } from './testing/sandbox.ts'
import { tus } from './testing/uploads.ts'

let postgres: OwnPostgres
let web: ProductProcess
let url: string
let config: Config
let client: DbClient
let artist: Artist
/** An upload under way. */
let location: string
const dataDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-away-'))

beforeAll(async () => {
  postgres = await startOwnPostgres()
  const [port, sandboxPort] = await freePorts(2)
  url = `http://localhost:${port}`
  const env = {
    ROLE: 'web',
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'fatal',
  }
  web = await startProcess(env)
  config = readConfig(env)
  client = connect(postgres.url, 1)
  artist = await createArtist({ client, url, clock: { now: () => new Date() }, running: { config } })
  location =
    (await tus.create(artist, { name: 'flash.jpg', type: 'image/jpeg', bytes: 10 })).headers.get('location') ?? ''
}, 120_000)
afterAll(async () => {
  await client?.close()
  await web?.end('SIGKILL')
  await postgres?.remove()
  rmSync(dataDir, { recursive: true, force: true })
}, 60_000)

const json = { 'content-type': 'application/json' }
const signature = (bytes: string, secret: string | undefined, encoding: 'hex' | 'base64url') =>
  createHmac('sha256', secret ?? '')
    .update(bytes)
    .digest(encoding)
const seconds = () => Math.floor(Date.now() / 1000)

/** One endpoint of each kind, with the status that it answers while the database is available. */
const operations: { name: string; status: number; ask: () => Promise<Response> }[] = [
  {
    name: 'REST',
    status: 404,
    ask: async () => await ask('/api/appointments/booked?domainName=nobody-here&date=2027-01-01'),
  },
  {
    name: 'tRPC',
    status: 401,
    ask: async () =>
      await ask('/trpc/auth.login', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ email: 'nobody@studio.example', password: 'a good long password' }),
      }),
  },
  // Another name each time, since a cached page needs no database.
  { name: 'a public page', status: 404, ask: async () => await ask(`/s/nobody-${randomUUID().slice(0, 8)}`) },
  {
    name: 'the creation of an upload',
    status: 201,
    ask: async () =>
      await upload('/api/uploads', {
        method: 'POST',
        headers: { 'upload-length': '10', 'upload-metadata': `filetype ${btoa('image/jpeg')}` },
      }),
  },
  {
    name: 'a chunk of an upload',
    status: 204,
    ask: async () =>
      await upload(location, {
        method: 'PATCH',
        headers: { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        body: '',
      }),
  },
  { name: 'the offset of an upload', status: 200, ask: async () => await upload(location, { method: 'HEAD' }) },
  {
    name: "Stripe's webhook",
    status: 200,
    ask: async () => {
      const body = JSON.stringify({
        id: `evt_${randomUUID()}`,
        object: 'event',
        type: 'customer.created',
        created: seconds(),
        data: { object: { id: 'cus_1', object: 'customer' } },
      })
      const header = new Stripe('sk_test').webhooks.generateTestHeaderString({
        payload: body,
        secret: config.stripe?.webhookSecret ?? '',
      })
      return await ask('/api/webhooks/stripe', {
        method: 'POST',
        headers: { ...json, 'stripe-signature': header },
        body,
      })
    },
  },
  {
    name: "TikTok's webhook",
    status: 200,
    ask: async () => {
      const body = JSON.stringify({
        client_key: 'k',
        event: 'authorization.removed',
        create_time: seconds(),
        user_openid: 'nobody',
        content: '{}',
      })
      const at = seconds()
      return await ask('/api/webhooks/tiktok', {
        method: 'POST',
        headers: {
          'tiktok-signature': `t=${at},s=${signature(`${at}.${body}`, config.networks.tiktok?.clientSecret, 'hex')}`,
        },
        body,
      })
    },
  },
  {
    name: "Meta's webhook",
    status: 200,
    ask: async () => {
      const payload = Buffer.from(
        JSON.stringify({ user_id: '1', algorithm: 'HMAC-SHA256', issued_at: seconds() }),
      ).toString('base64url')
      const signed = `${signature(payload, config.networks.facebook?.clientSecret, 'base64url')}.${payload}`
      return await ask('/api/webhooks/meta/deauthorize', {
        method: 'POST',
        body: new URLSearchParams({ signed_request: signed }),
      })
    },
  },
]
const ask = async (to: string, init: RequestInit = {}) =>
  await fetch(new URL(to, url), { ...init, signal: AbortSignal.timeout(30_000) })
const upload = async (to: string, init: { method: string; headers?: Record<string, string>; body?: string }) =>
  await artist.fetch(to, {
    ...init,
    headers: { 'tus-resumable': '1.0.0', ...init.headers },
    signal: AbortSignal.timeout(30_000),
  })

/** Repeats a request to each endpoint until it has the expected status. */
async function everyEndpointAnswers(
  statusOf: (expected: number) => number,
): Promise<{ name: string; answer: Response }[]> {
  return await Promise.all(
    operations.map(
      async (operation) =>
        await eventually(
          `${operation.name} to answer ${statusOf(operation.status)}`,
          async () => {
            const answer = await operation.ask()
            if (answer.status >= 500 && answer.status !== 503)
              throw new Error(`${operation.name} answered ${answer.status}: ${await answer.text()}`)
            return answer.status === statusOf(operation.status) && { name: operation.name, answer }
          },
          60_000,
        ),
    ),
  )
}

test.each(['immediate', 'frozen'] as const)(
  'while Postgres is unavailable (%s) every endpoint answers 503 with a message and Retry-After, and afterwards as before',
  { timeout: 120_000 },
  async (way) => {
    await everyEndpointAnswers((expected) => expected)
    await (way === 'frozen' ? postgres.freeze() : postgres.stop(way))
    const answers = await everyEndpointAnswers(() => 503)
    for (const { name, answer } of answers) {
      expect(answer.headers.get('retry-after'), name).toMatch(/^\d+$/)
      const words =
        name === 'a public page' ? /<h1>Back in a moment<\/h1>/ : /"message":"Flashsheet is briefly unavailable/
      // An answer to HEAD has no body.
      if (!name.startsWith('the offset')) expect(await answer.text(), name).toMatch(words)
    }
    expect((await ask('/healthz')).status).toBe(200)
    expect((await ask('/readyz')).status).toBe(503)
    await (way === 'frozen' ? postgres.thaw() : postgres.start())
    await everyEndpointAnswers((expected) => expected)
    expect((await ask('/readyz')).status).toBe(200)
    expect([web.child.exitCode, web.child.signalCode]).toEqual([null, null])
  },
)
