import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'
import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { NewWebhookEndpoint, WebhookDelivery } from '@flashsheet/contracts/webhooks/schema'
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '@flashsheet/db/schema/webhooks'
import { eq } from 'drizzle-orm'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import { ownerScope } from '../../core/scope.ts'
import { createSsrfSafeFetch } from '../../gateways/ssrf-safe-fetch.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { openSystem } from '../../testing/system.ts'
import { startProcess } from '../../testing/processes.ts'
import { eventually } from '../../testing/sandbox.ts'
import { deliverTo, sweepDeliveries } from './service/deliver.ts'
import { deleteExpiredEvents } from './service/deliveries.ts'
import { emitEvent } from './service/emit.ts'

/** Without a worker, since each test delivers by itself. */
let app: TestApp
/** Each has its own connections and queues, like a separate process. */
let systems: { system: System; close: () => Promise<void> }[]
let servers: Server[] = []
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  systems = [await openSystem(app), await openSystem(app)]
})
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  servers = []
})
afterAll(async () => {
  for (const { close } of systems) await close()
  await app.stop()
})

const notStopping = new AbortController().signal
const systemOf = (at: number): System => systems[at]!.system

/** Starts an artist's server. `ids` are those of the events it received. */
async function serve(listener: RequestListener): Promise<{ url: string; ids: string[] }> {
  const ids: string[] = []
  const server = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']))
    listener(request, response)
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, ids }
}
const accepts: RequestListener = (_request, response) => void response.writeHead(204).end()

async function addEndpoint(artist: Artist, url: string): Promise<{ id: string; path: string }> {
  const { body } = await artist.post<NewWebhookEndpoint>('/api/webhook-endpoints', { url, events: ['ping'] })
  return { id: body._id, path: `/api/webhook-endpoints/${body._id}` }
}
const sendTest = async (artist: Artist, path: string) => expect((await artist.post(`${path}/test`)).status).toBe(202)
const deliveriesOf = async (artist: Artist, path: string) =>
  (await artist.get<WebhookDelivery[]>(`${path}/deliveries`)).body

test('two concurrent processes send each delivery once', async () => {
  const artist = await createArtist(app)
  const { url, ids } = await serve(accepts)
  const { id, path } = await addEndpoint(artist, url)
  for (let n = 0; n < 8; n += 1) await sendTest(artist, path)
  await Promise.all([0, 1, 0, 1].map(async (at) => await deliverTo(systemOf(at), id, notStopping)))
  const deliveries = await deliveriesOf(artist, path)
  expect(deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual(
    Array.from({ length: 8 }, () => ['delivered', 1]),
  )
  expect(ids.toSorted()).toEqual(deliveries.map(({ eventId }) => eventId).toSorted())
})

test('the delivery of a killed process is sent by another one after its lease, and not before', async () => {
  const artist = await createArtist(app)
  let isHanging = true
  const { url, ids } = await serve((request, response) => {
    if (!isHanging) accepts(request, response)
  })
  const { id, path } = await addEndpoint(artist, url)
  await sendTest(artist, path)
  const worker = await startProcess({ ...app.env, ROLE: 'worker' })
  await eventually('the call', async () => await Promise.resolve(ids.length === 1), 30_000)
  await worker.end('SIGKILL')
  isHanging = false
  const system = systemOf(0)
  // Prolongs the lease, so that it cannot end yet on a slow machine.
  const inAnHour = new Date(Date.now() + 3_600_000)
  await app.client.db.update(webhookEndpoints).set({ leaseUntil: inAnHour }).where(eq(webhookEndpoints.id, id))
  await deliverTo(system, id, notStopping)
  expect(ids).toHaveLength(1)
  expect(await deliveriesOf(artist, path)).toMatchObject([{ state: 'pending', attempts: [] }])
  // The lease has ended.
  await app.client.db
    .update(webhookEndpoints)
    .set({ leaseUntil: new Date(0) })
    .where(eq(webhookEndpoints.id, id))
  await deliverTo(system, id, notStopping)
  expect(ids).toEqual([ids[0], ids[0]])
  expect(await deliveriesOf(artist, path)).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }])
}, 120_000)

test('a process that lost its lease during a call writes nothing, and leaves the endpoint to the new holder', async () => {
  const artist = await createArtist(app)
  const called = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const { url } = await serve((_request, response) => {
    called.resolve()
    void taken.promise.then(() => response.writeHead(500).end())
  })
  const { id, path } = await addEndpoint(artist, url)
  await sendTest(artist, path)
  const delivering = deliverTo(systemOf(0), id, notStopping)
  await called.promise
  const holder = { leaseToken: newId(), leaseUntil: new Date(Date.now() + 3_600_000) }
  await app.client.db.update(webhookEndpoints).set(holder).where(eq(webhookEndpoints.id, id))
  taken.resolve()
  await delivering
  expect(await deliveriesOf(artist, path)).toMatchObject([{ state: 'pending', attempts: [] }])
  const [row] = await app.client.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id))
  expect(row).toMatchObject({ ...holder, failures: 0 })
})

test('the sweep queues a delivery whose job was lost', async () => {
  const artist = await createArtist(app)
  const { url } = await serve(accepts)
  const { id, path } = await addEndpoint(artist, url)
  await sendTest(artist, path)
  // As if the process that took the job was killed before it claimed the endpoint.
  const { sql } = app.client
  await sql`delete from pgboss.job where data->>'endpointId' = ${id}`
  const queued = async () => await sql`select name from pgboss.job where data->>'endpointId' = ${id}`
  // Earlier the sweep would leave the delivery to its own job.
  app.clock.advance(20_000)
  await sweepDeliveries(systemOf(0))
  expect(await queued()).toEqual([{ name: 'webhooks.deliver-slow' }])
})

describe('an answer that does not come in time', () => {
  test('fails the attempt with a message, and the delivery is retried', async () => {
    expect(webhookLimits.timeoutSeconds).toBe(15)
    const artist = await createArtist(app)
    const { url } = await serve(() => undefined)
    const { id, path } = await addEndpoint(artist, url)
    await sendTest(artist, path)
    await deliverTo(systemOf(0), id, notStopping, { timeoutMs: 100 })
    expect(await deliveriesOf(artist, path)).toMatchObject([
      { state: 'pending', attempts: [{ status: null, error: webhookMessages.timedOut }] },
    ])
  })

  test('counts once its status has arrived, however slow its body', async () => {
    const artist = await createArtist(app)
    const { url } = await serve((_request, response) => {
      response.writeHead(200)
      response.write('so far')
    })
    const { id, path } = await addEndpoint(artist, url)
    await sendTest(artist, path)
    await deliverTo(systemOf(0), id, notStopping, { timeoutMs: 1500 })
    expect(await deliveriesOf(artist, path)).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }])
  })
})

describe('an endpoint that the artist changes during a call', () => {
  /** Sends two events, makes a change during the first call, and answers that call and every later one with `status`. */
  async function changeDuringCall(change: (url: string) => object, status: number) {
    const artist = await createArtist(app)
    const called = Promise.withResolvers<void>()
    const changed = Promise.withResolvers<void>()
    const former = await serve((_request, response) => {
      called.resolve()
      void changed.promise.then(() => response.writeHead(status).end())
    })
    const next = await serve(accepts)
    const { id, path } = await addEndpoint(artist, former.url)
    for (let n = 0; n < 2; n += 1) await sendTest(artist, path)
    const delivering = deliverTo(systemOf(0), id, notStopping)
    await called.promise
    expect((await artist.put(path, change(next.url))).status).toBe(200)
    changed.resolve()
    await delivering
    const [row] = await app.client.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id))
    return { artist, id, path, former, next, row, deliveries: await deliveriesOf(artist, path) }
  }

  test('is called at its new address from then on, and does not inherit the failure', async () => {
    const { former, next, row, deliveries } = await changeDuringCall((url) => ({ url }), 410)
    expect(former.ids).toHaveLength(1)
    expect(next.ids.toSorted()).toEqual(deliveries.map(({ eventId }) => eventId).toSorted())
    expect(deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered'])
    expect(row).toMatchObject({ disabledAt: null, failures: 0, failingSince: null })
  })

  test('sends nothing after it was switched off, even when it is switched on again', async () => {
    const { artist, id, path, former, deliveries } = await changeDuringCall(() => ({ active: false }), 500)
    expect(deliveries.map(({ state }) => state)).toEqual(['failed', 'failed'])
    await artist.put(path, { active: true })
    app.clock.advance(60_000)
    await deliverTo(systemOf(0), id, notStopping)
    expect(former.ids).toHaveLength(1)
  })

  test('has delivered what it accepted before it was switched off', async () => {
    const { deliveries } = await changeDuringCall(() => ({ active: false }), 204)
    expect(deliveries.map(({ state }) => state).toSorted()).toEqual(['delivered', 'failed'])
  })
})

test('an endpoint that answers 410 gets none of the deliveries that wait for it', async () => {
  const artist = await createArtist(app)
  const { url, ids } = await serve((_request, response) => void response.writeHead(410).end())
  const { id, path } = await addEndpoint(artist, url)
  for (let n = 0; n < 2; n += 1) await sendTest(artist, path)
  await deliverTo(systemOf(0), id, notStopping)
  expect(ids).toHaveLength(1)
  expect((await deliveriesOf(artist, path)).map(({ state }) => state)).toEqual(['failed', 'failed'])
})

test('an event that is written while its endpoint is switched off by a 410 does not stay pending', async () => {
  const artist = await createArtist(app)
  const { url } = await serve((_request, response) => void response.writeHead(410).end())
  const { id, path } = await addEndpoint(artist, url)
  await sendTest(artist, path)
  const [written, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = systemOf(0).db.transaction(async (tx) => {
    await emitEvent(systemOf(0), tx, ownerScope(artist.id), 'ping', () => ({ message: 'late' }))
    written.resolve()
    await ended.promise
  })
  await written.promise
  let isOver = false
  const delivering = deliverTo(systemOf(1), id, notStopping).finally(() => (isOver = true))
  await eventually('the delivery to end, or to wait for the event', async () => {
    return isOver || (await lockWaits(app.client, 'webhook_endpoints')) > 0
  })
  ended.resolve()
  await Promise.all([writing, delivering])
  expect(await deliveriesOf(artist, path)).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
})

test('an endpoint that is deleted while an event is written does not fail what caused the event', async () => {
  const artist = await createArtist(app)
  const { url } = await serve(accepts)
  const { path } = await addEndpoint(artist, url)
  const system = systemOf(0)
  let isDeleted = false
  const { deletion } = await system.db.transaction(async (tx) => {
    const deleting = Promise.withResolvers<{ status: number }>()
    await emitEvent(system, tx, ownerScope(artist.id), 'ping', async () => {
      deleting.resolve(artist.delete(path).finally(() => (isDeleted = true)))
      await eventually('the deletion to end, or to wait for this transaction', async () => {
        return isDeleted || (await lockWaits(app.client)) > 0
      })
      return { message: 'written' }
    })
    return { deletion: deleting.promise }
  })
  expect((await deletion).status).toBe(200)
})

test('a delivery that the artist sends again during its last try is not failed by that try', async () => {
  const artist = await createArtist(app)
  const called = Promise.withResolvers<void>()
  const resent = Promise.withResolvers<void>()
  const { url, ids } = await serve((request, response) => {
    called.resolve()
    if (ids.length > 1) accepts(request, response)
    else void resent.promise.then(() => response.writeHead(500).end())
  })
  const { id, path } = await addEndpoint(artist, url)
  await sendTest(artist, path)
  await app.client.db.update(webhookDeliveries).set({ tries: 9 }).where(eq(webhookDeliveries.endpointId, id))
  const delivering = deliverTo(systemOf(0), id, notStopping)
  await called.promise
  const [delivery] = await deliveriesOf(artist, path)
  expect((await artist.post(`${path}/deliveries/${delivery?._id}/resend`)).status).toBe(202)
  resent.resolve()
  await delivering
  expect(await deliveriesOf(artist, path)).toMatchObject([{ state: 'delivered' }])
})

/** Addresses that an endpoint's host name may resolve to after it was added. */
const hostile: [string, LookupAddress[]][] = [
  ['this host', [{ address: '127.0.0.1', family: 4 }]],
  ['this host by its other address', [{ address: '0.0.0.0', family: 4 }]],
  ['a private network', [{ address: '10.0.0.8', family: 4 }]],
  ['a home network', [{ address: '192.168.1.1', family: 4 }]],
  ['a shared network', [{ address: '100.64.0.1', family: 4 }]],
  ['the metadata of a cloud', [{ address: '169.254.169.254', family: 4 }]],
  ['this host, in IPv6', [{ address: '::1', family: 6 }]],
  ['this host, IPv4 within IPv6', [{ address: '::ffff:127.0.0.1', family: 6 }]],
  ['the metadata of a cloud, in hexadecimal', [{ address: '::ffff:a9fe:a9fe', family: 6 }]],
  ['a private network behind NAT64', [{ address: '64:ff9b::a00:1', family: 6 }]],
  ['a tunnel', [{ address: '2002:7f00:1::', family: 6 }]],
  ['a private network, in IPv6', [{ address: 'fd00::1', family: 6 }]],
  ['a link-local address, in IPv6', [{ address: 'fe80::1', family: 6 }]],
  // A client may connect to either address.
  [
    'both the internet and a private network',
    [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.8', family: 4 },
    ],
  ],
]

test.each(hostile)('a name that resolves to %s is not called', async (_target, addresses) => {
  const artist = await createArtist(app)
  const { id, path } = await addEndpoint(artist, 'https://rebound.example/hook')
  await sendTest(artist, path)
  const system = systemOf(0)
  const webhookEndpoints = createSsrfSafeFetch({
    allowsLoopback: false,
    resolve: (_host, done) => done(null, addresses),
  })
  try {
    await deliverTo({ ...system, gateways: { ...system.gateways, webhookEndpoints } }, id, notStopping)
  } finally {
    await webhookEndpoints.stop()
  }
  expect(await deliveriesOf(artist, path)).toMatchObject([
    { state: 'pending', attempts: [{ status: null, error: webhookMessages.addressRefused }] },
  ])
})

test('events older than thirty days are deleted with their deliveries, however many, and newer ones stay', async () => {
  const artist = await createArtist(app)
  const { id, path } = await addEndpoint(artist, (await serve(accepts)).url)
  await sendTest(artist, path)
  const { db } = app.client
  const old = Array.from({ length: 1500 }, () => ({
    id: newId(),
    userId: artist.id,
    type: 'ping' as const,
    body: '{}',
    createdAt: app.clock.now(),
  }))
  await db.insert(webhookEvents).values(old)
  app.clock.advance((webhookLimits.retentionDays + 1) * 86_400_000)
  await sendTest(artist, path)
  await deliverTo(systemOf(0), id, notStopping)
  await deleteExpiredEvents(systemOf(0), notStopping)
  expect(await deliveriesOf(artist, path)).toHaveLength(1)
  expect(await db.select().from(webhookEvents).where(eq(webhookEvents.userId, artist.id))).toHaveLength(1)
})
