import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { connect, type DbClient } from '@flashsheet/db/client'
import { uploads } from '@flashsheet/db/schema/media'
import { picture, videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../core/config.ts'
import { createArtist, createVisitor, type Artist, type Visitor } from '../../testing/actors.ts'
import { paddedVideo } from '../../testing/bad-files.ts'
import { cloneDatabase } from '../../testing/database.ts'
import { freePorts } from '../../testing/ports.ts'
import { startProcess, type ProductProcess } from '../../testing/processes.ts'
import { eventually } from '../../testing/sandbox.ts'
import { sendForm, tus, beginForm } from '../../testing/uploads.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
let ports: number[]
let sandboxPort: number
let servers: ProductProcess[]
const folder = mkdtempSync(path.join(tmpdir(), 'flashsheet-killed-'))
const running: ProductProcess[] = []

const envOf = (port: number) => ({
  ROLE: 'web',
  PORT: String(port),
  PUBLIC_URL: `http://localhost:${ports[0]}`,
  DATA_DIR: folder,
  DATABASE_URL: database.url,
  SANDBOX_PORT: String(sandboxPort),
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
})
async function start(port: number): Promise<ProductProcess> {
  const product = await startProcess(envOf(port))
  running.push(product)
  return product
}

beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url, 1)
  ;[sandboxPort = 0, ...ports] = await freePorts(4)
  // Started before the tests, because starting a process takes most of a test's time.
  servers = await Promise.all(ports.map(start))
})
afterAll(async () => {
  for (const product of running) await product.end('SIGKILL').catch(() => {})
  await client?.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** The same artist at each server, as a load balancer spreads requests. */
async function artistAtEach(): Promise<{ artist: Artist; at: Visitor[] }> {
  const [first = 0] = ports
  const artist = await createArtist({
    client,
    url: `http://localhost:${first}`,
    clock: { now: () => new Date() },
    running: { config: readConfig(envOf(first)) },
  })
  const at = ports.map((port) => {
    const visitor = createVisitor(`http://localhost:${port}`)
    for (const [name, value] of artist.cookies) visitor.cookies.set(name, value)
    return visitor
  })
  return { artist, at }
}

test('a form with an Idempotency-Key is stored once, by another server when the first was killed, and a repeat is answered by any', async () => {
  const { artist, at } = await artistAtEach()
  const [, second, third] = at as [Visitor, Visitor, Visitor]
  const file = { name: 'a.jpg', type: 'image/jpeg', bytes: await picture(60, 40) }
  const send = async (visitor: Visitor) =>
    await sendForm(visitor, [file], 'files', { headers: { 'idempotency-key': 'mine' } })
  const half = beginForm(at[0]!, `http://localhost:${ports[0]}`, {
    'content-length': 1_000_000,
    'idempotency-key': 'mine',
  })
  const cut = new Promise((resolve) => half.once('error', resolve))
  half.write(Buffer.alloc(200_000, 1))
  await eventually(
    'the file to begin',
    async () =>
      (await client.db.select({ id: uploads.id }).from(uploads).where(eq(uploads.userId, artist.id))).length === 1,
  )
  await servers[0]!.end('SIGKILL')
  await cut
  const stored = await send(second)
  expect(stored).toMatchObject({ status: 201, body: [{ fileName: 'a.jpg' }] })
  expect(await send(third)).toEqual(stored)
  expect((await third.get<MediaItem[]>('/api/media')).body).toEqual(stored.body)
})

test('an upload resumes after its server was killed, and at another server', async () => {
  const [, begun, elsewhere] = (await artistAtEach()).at as [Visitor, Visitor, Visitor]
  const bytes = paddedVideo(videoFixture('landscape-5s.mp4'), 12_000_000)
  const pieces = [0, 4_000_000, 8_000_000, 10_000_000]
  const piece = (n: number) => Uint8Array.from(bytes.subarray(pieces[n], pieces[n + 1] ?? bytes.length))
  const { headers } = await tus.create(begun, { name: 'a.mp4', type: 'video/mp4', bytes: bytes.length })
  const location = headers.get('location') ?? ''
  expect((await tus.patch(begun, location, 0, piece(0))).status).toBe(204)
  expect((await tus.patch(elsewhere, location, pieces[1]!, piece(1))).status).toBe(204)
  const cut = tus.patch(begun, location, pieces[2]!, piece(2)).catch(() => undefined)
  await servers[1]!.end('SIGKILL')
  await cut
  const offset = Number((await tus.head(elsewhere, location)).headers.get('upload-offset'))
  expect(offset).toBeGreaterThanOrEqual(pieces[2]!)
  const last = await tus.patch(elsewhere, location, offset, Uint8Array.from(bytes.subarray(offset)))
  expect(last.status).toBe(204)
  const list = await elsewhere.get<MediaItem[]>('/api/media')
  expect(list.body).toMatchObject([{ _id: last.headers.get('media-id'), size: bytes.length, duration: 5 }])
  const stored = Buffer.from(await (await elsewhere.fetch(list.body[0]!.url)).arrayBuffer())
  expect(createHash('sha256').update(stored).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
})
