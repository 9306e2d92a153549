import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { connect } from '@flashsheet/db/client'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../core/config.ts'
import { createArtist } from '../../testing/actors.ts'
import { paddedVideo } from '../../testing/bad-files.ts'
import { cloneDatabase } from '../../testing/database.ts'
import { freePorts } from '../../testing/ports.ts'
import { startProcess, type ProductProcess } from '../../testing/processes.ts'
import { tus } from '../../testing/uploads.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
const folder = mkdtempSync(path.join(tmpdir(), 'flashsheet-killed-'))
const running: ProductProcess[] = []
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(async () => {
  for (const product of running) await product.end('SIGKILL').catch(() => {})
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('an upload resumes after its server was killed, and at another server', async () => {
  const [first = 0, second = 0, sandbox = 0] = await freePorts(3)
  const envOf = (port: number) => ({
    ROLE: 'web',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${first}`,
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    SANDBOX_PORT: String(sandbox),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  })
  const start = async (port: number) => {
    const product = await startProcess(envOf(port))
    running.push(product)
    return product
  }
  const one = await start(first)
  await start(second)
  const client = connect(database.url, 1)
  const clock = { now: () => new Date() }
  const at = async (port: number) => {
    const artist = await createArtist({
      client,
      url: `http://localhost:${port}`,
      clock,
      running: { config: readConfig(envOf(first)) },
    })
    return artist
  }
  const artist = await at(first)
  // The same artist, whose next requests a load balancer sends to the other server.
  const elsewhere = await at(second)
  elsewhere.cookies.clear()
  for (const [name, value] of artist.cookies) elsewhere.cookies.set(name, value)

  const bytes = paddedVideo(videoFixture('landscape-5s.mp4'), 12_000_000)
  const pieces = [0, 4_000_000, 8_000_000, 10_000_000]
  const piece = (n: number) => Uint8Array.from(bytes.subarray(pieces[n], pieces[n + 1] ?? bytes.length))
  const { headers } = await tus.create(artist, { name: 'a.mp4', type: 'video/mp4', bytes: bytes.length })
  const location = headers.get('location') ?? ''
  expect((await tus.patch(artist, location, 0, piece(0))).status).toBe(204)
  expect((await tus.patch(elsewhere, location, pieces[1]!, piece(1))).status).toBe(204)
  const cut = tus.patch(artist, location, pieces[2]!, piece(2)).catch(() => undefined)
  await one.end('SIGKILL')
  await cut
  const offset = Number((await tus.head(elsewhere, location)).headers.get('upload-offset'))
  expect(offset).toBeGreaterThanOrEqual(pieces[2]!)
  await start(first)
  const last = await tus.patch(artist, location, offset, Uint8Array.from(bytes.subarray(offset)))
  expect(last.status).toBe(204)
  const list = await elsewhere.get<MediaItem[]>('/api/media')
  expect(list.body).toMatchObject([{ _id: last.headers.get('media-id'), size: bytes.length, duration: 5 }])
  const stored = Buffer.from(await (await elsewhere.fetch(list.body[0]!.url)).arrayBuffer())
  expect(createHash('sha256').update(stored).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
  await client.close()
})
