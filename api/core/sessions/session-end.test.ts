import { serve, type ServerType } from '@hono/node-server'
import { getEventListeners } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { createArtist, createVisitor, type Artist, type Visitor } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { openEvents } from '../../testing/events.ts'
import { openSystem } from '../../testing/system.ts'

let app: TestApp
let artist: Artist
let server: ServerType
let stop: () => Promise<void>
/** The artist's browser at a second web process, whose subscriptions to live hints are counted in `waiting`. */
let browser: Visitor
let waiting = 0
let stopping: AbortSignal

beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  artist = await createArtist(app)
  const { system, close } = await openSystem(app)
  const live = {
    ...system.live,
    async *hints(...asked: Parameters<typeof system.live.hints>) {
      waiting += 1
      try {
        yield* system.live.hints(...asked)
      } finally {
        waiting -= 1
      }
    },
  }
  const counted = { ...system, live }
  server = await new Promise<ServerType>((resolve) => {
    const listening: ServerType = serve(
      {
        fetch: createApp(counted).fetch,
        port: 0,
        hostname: '127.0.0.1',
        overrideGlobalObjects: false,
      },
      () => resolve(listening),
    )
  })
  stop = close
  stopping = system.stopping
  browser = createVisitor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  for (const [name, value] of artist.cookies) browser.cookies.set(name, value)
})
afterAll(async () => {
  await new Promise((resolve) => server?.close(resolve))
  await stop?.()
  await app?.stop()
})

const pollOptions = { timeout: 15_000 }

const asked: [string, (headers: Record<string, string>) => Promise<Response>][] = [
  ['a query', async (headers) => await browser.fetch('/trpc/notices.list', { headers })],
  [
    'a batch of queries',
    async (headers) => await browser.fetch('/trpc/notices.list,auth.me?batch=1&input={}', { headers }),
  ],
  [
    'a mutation',
    async (headers) =>
      await browser.fetch('/trpc/notices.read', {
        method: 'POST',
        body: '{"ids":[]}',
        headers: { ...headers, 'content-type': 'application/json' },
      }),
  ],
  ['an unknown procedure', async (headers) => await browser.fetch('/trpc/notices.nothing', { headers })],
  [
    'a subscription inside a batch',
    async (headers) => await browser.fetch('/trpc/notices.watch?batch=1&input={}', { headers }),
  ],
  [
    'a HEAD of a subscription',
    async (headers) => await browser.fetch('/trpc/notices.watch', { method: 'HEAD', headers }),
  ],
  [
    'a subscription that is refused',
    async (headers) => await browser.fetch('/trpc/posts.watch?input={"postIds":7}', { headers }),
  ],
]

describe('a watch on a session belongs to an event stream', () => {
  test.each(asked)('%s that accepts an event stream leaves no watch behind', async (_what, ask) => {
    for (let n = 0; n < 20; n++) await (await ask({ accept: 'text/event-stream' })).text()
    await expect.poll(() => waiting, pollOptions).toBe(0)
  })

  test('a stream that its reader closes leaves no watch behind', async () => {
    const streams = await Promise.all(
      Array.from({ length: 10 }, async () => await openEvents(browser, 'notices.watch')),
    )
    for (const stream of streams) await stream.next()
    // One for the notices, one for the session.
    await expect.poll(() => waiting, pollOptions).toBe(20)
    for (const stream of streams) stream.close()
    await expect.poll(() => waiting, pollOptions).toBe(0)
  })

  test('a stream that has ended is not retained, also when garbage was collected while it was open', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const listeners = () => getEventListeners(stopping, 'abort').length
    const before = listeners()
    const streams = await Promise.all(
      Array.from({ length: 10 }, async () => await openEvents(browser, 'notices.watch')),
    )
    for (const stream of streams) await stream.next()
    expect(listeners()).toBe(before + 10)
    collect()
    for (const stream of streams) stream.close()
    await expect.poll(listeners, pollOptions).toBe(before)
  })

  test('streams end with their session, also without an Accept header, and leave no watch behind', async () => {
    const { trpc, cookies } = createVisitor(app.url)
    await trpc.auth.login.mutate({ email: artist.email, password: artist.password })
    const other = createVisitor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    for (const [name, value] of cookies) other.cookies.set(name, value)
    const streams = [await openEvents(other, 'notices.watch'), await openEvents(other, 'notices.watch', {}, {})]
    for (const stream of streams) await stream.next()
    await artist.trpc.auth.endOtherSessions.mutate()
    for (const stream of streams) await stream.ended
    await expect.poll(() => waiting, pollOptions).toBe(0)
  })
})
