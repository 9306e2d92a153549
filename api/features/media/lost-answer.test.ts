import type { FromUrlJob, FromUrlState, MediaItem } from '@flashsheet/contracts/media/schema'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { DbClient } from '@flashsheet/db/client'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { unavailable } from '../../core/errors.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connectFailing, lostConnection, type Failure } from '../../testing/failing-database.ts'
import { serve } from '../../testing/serve.ts'
import { openSystem, subscriberCtx } from '../../testing/system.ts'
import { removeFilesQueue } from './jobs.ts'
import { runFetch } from './service/fetch-from-url.ts'
import { receiveForm } from './service/receive-form.ts'
import { removeFiles } from './service/remove.ts'
import { sweepUploads } from './service/sweep.ts'

let app: TestApp
let opened: Awaited<ReturnType<typeof openSystem>>
beforeAll(async () => {
  app = await startTestApp({ role: 'web', env: { FETCH_LOOPBACK: 'on' } })
  opened = await openSystem(app)
})
afterAll(async () => {
  await opened.close()
  await app.stop()
})

let client: DbClient
let system: System
/** The n-th transaction of `system`, from 1, that fails, and how. */
let failing: { nth: number; failure: Failure } | undefined
let artist: Artist
let jpeg: Buffer
beforeEach(async () => {
  let transactions = 0
  failing = undefined
  client = connectFailing(app.running.databaseUrl, (statement) => {
    if (statement === 'begin') transactions += 1
    return statement === 'begin' && transactions === failing?.nth ? failing.failure : undefined
  })
  system = { ...opened.system, client, db: client.db }
  artist = await createArtist(app)
  jpeg = await picture(300, 300)
})
afterEach(async () => await client.close())

const library = async () => (await artist.get<MediaItem[]>('/api/media')).body
/** The status of each item's file. */
const filesOf = async (items: MediaItem[]) =>
  await Promise.all(items.map(async ({ url }) => (await artist.fetch(url)).status))

/** The second transaction, after the one that begins the upload, adds the item to the library. */
const adding = 2

describe('a form', () => {
  /** Sends a picture as a form to the service, and returns its result. */
  async function send(requestId?: string): Promise<unknown> {
    const form = new FormData()
    form.append('files', new File([new Uint8Array(jpeg)], 'a.jpg', { type: 'image/jpeg' }))
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const url = await serve((request, response) => {
      receiveForm(subscriberCtx(artist, system), request, { path: '/api/media/upload', requestId })
        .then(resolve, resolve)
        .finally(() => response.end())
    })
    await fetch(url, { method: 'POST', body: form })
    return await promise
  }

  test('keeps its files when the answer to its commit is lost', async () => {
    failing = { nth: adding, failure: 'after' }
    expect(await send()).toMatchObject(lostConnection())
    const items = await library()
    expect(items).toHaveLength(1)
    expect(await filesOf(items)).toEqual([200])
  })

  test('with a request id then returns its items', async () => {
    failing = { nth: adding, failure: 'after' }
    const sent = await send('lost-answer')
    expect(sent).toMatchObject([{ fileName: 'a.jpg' }])
    expect(sent).toEqual(await library())
    expect(await filesOf(await library())).toEqual([200])
  })

  test('that is not committed stores nothing, and leaves its place free', async () => {
    failing = { nth: adding, failure: 'before' }
    expect(await send()).toMatchObject(lostConnection())
    expect(await library()).toEqual([])
    failing = undefined
    expect(await send()).toHaveLength(1)
  })
})

describe('a fetch from an address', () => {
  async function startFetch(): Promise<{ id: string; state: () => Promise<FromUrlState> }> {
    const url = await serve((_request, response) => response.setHeader('content-type', 'image/jpeg').end(jpeg))
    const { body } = await artist.post<FromUrlJob>('/api/media/from-url', { url: `${url}/a.jpg` })
    return {
      id: body._id,
      state: async () => (await artist.get<FromUrlState>(`/api/media/from-url/${body._id}`)).body,
    }
  }
  const run = async (id: string) =>
    await runFetch(system, { id }, new AbortController().signal).catch((error: unknown) => error)

  test('keeps its file when the answer to its commit is lost', async () => {
    const { id, state } = await startFetch()
    failing = { nth: adding, failure: 'after' }
    expect(await run(id)).toMatchObject(lostConnection())
    expect(await state()).toMatchObject({ state: 'done', item: { _id: id } })
    expect(await filesOf(await library())).toEqual([200])
  })

  test('is repeated by its job when the database fails', async () => {
    const { id, state } = await startFetch()
    failing = { nth: adding, failure: 'before' }
    expect(await run(id)).toMatchObject(lostConnection())
    expect(await state()).toEqual({ state: 'fetching' })
    failing = undefined
    expect(await run(id)).toBeUndefined()
    expect(await state()).toMatchObject({ state: 'done', item: { _id: id } })
    expect(await filesOf(await library())).toEqual([200])
  })

  /** Runs the fetch, and `meanwhile` once its original is stored. */
  async function runWith(id: string, meanwhile: () => Promise<void>): Promise<unknown> {
    const { storage } = system.gateways
    const take = async (...given: Parameters<typeof storage.take>) => {
      await storage.take(...given)
      await meanwhile()
    }
    const disturbed = { ...system, gateways: { ...system.gateways, storage: { ...storage, take } } }
    return await runFetch(disturbed, { id }, new AbortController().signal).catch((error: unknown) => error)
  }

  test('keeps its file although an earlier run failed for lack of the storage', async () => {
    const { id, state } = await startFetch()
    const away = unavailable()
    expect(await runWith(id, async () => await Promise.reject(away))).toBe(away)
    const runQueued = async () => {
      const rows = await app.client.sql<{ data: { mediaIds: string[] } }[]>`
        select data from pgboss.job where name = ${removeFilesQueue.name} and state = 'created'`
      for (const { data } of rows) await removeFiles(system, data.mediaIds)
    }
    expect(await runWith(id, runQueued)).toBeUndefined()
    expect(await state()).toMatchObject({ state: 'done', item: { _id: id } })
    expect(await filesOf(await library())).toEqual([200])
  })

  test('adds nothing once the sweep has reported it as failed', async () => {
    const { id, state } = await startFetch()
    const sweep = async () => {
      app.clock.advance(2 * 3_600_000)
      await sweepUploads(opened.system)
    }
    expect(await runWith(id, sweep)).toBeUndefined()
    expect(await state()).toEqual({ state: 'failed', message: mediaMessages.addressFailed })
    expect(await library()).toEqual([])
  })
})
