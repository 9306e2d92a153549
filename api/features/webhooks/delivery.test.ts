import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'
import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { NewWebhookEndpoint, WebhookDelivery } from '@flashsheet/contracts/webhooks/schema'
import { webhookEndpoints, webhookEvents } from '@flashsheet/db/schema/webhooks'
import { eq } from 'drizzle-orm'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import { createForeignFetch } from '../../gateways/foreign-fetch.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { openSystem } from '../../testing/system.ts'
import { startProcess } from '../../testing/processes.ts'
import { eventually } from '../../testing/sandbox.ts'
import { deliverTo, sweepDeliveries } from './service/deliver.ts'
import { deleteExpiredEvents } from './service/deliveries.ts'

/** Without a worker: what is delivered, and by whom, is up to each test. */
let app: TestApp
/** Two processes as far as the database can tell: each has connections and queues of its own. */
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

const running = new AbortController().signal
const systemOf = (at: number): System => systems[at]!.system

/** An artist's server, with the ids of the calls it got. */
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

test('two processes at once send each delivery once', async () => {
  const artist = await createArtist(app)
  const { url, ids } = await serve(accepts)
  const { id, path } = await addEndpoint(artist, url)
  for (let n = 0; n < 8; n += 1) await sendTest(artist, path)
  await Promise.all([0, 1, 0, 1].map(async (at) => await deliverTo(systemOf(at), id, running)))
  const deliveries = await deliveriesOf(artist, path)
  expect(deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual(
    Array.from({ length: 8 }, () => ['delivered', 1]),
  )
  expect(ids.toSorted()).toEqual(deliveries.map(({ eventId }) => eventId).toSorted())
})

test('what a killed process was sending is sent by another after its lease, and not before', async () => {
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
  // However slow this machine is, the lease is not over yet.
  const inAnHour = new Date(Date.now() + 3_600_000)
  await app.client.db.update(webhookEndpoints).set({ leaseUntil: inAnHour }).where(eq(webhookEndpoints.id, id))
  await deliverTo(system, id, running)
  expect(ids).toHaveLength(1)
  expect(await deliveriesOf(artist, path)).toMatchObject([{ state: 'pending', attempts: [] }])
  // As when the time of the lease has passed.
  await app.client.db
    .update(webhookEndpoints)
    .set({ leaseUntil: new Date(0) })
    .where(eq(webhookEndpoints.id, id))
  await deliverTo(system, id, running)
  expect(ids).toEqual([ids[0], ids[0]])
  expect(await deliveriesOf(artist, path)).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }])
}, 120_000)

test('the sweep queues what lost its job', async () => {
  const artist = await createArtist(app)
  const { url } = await serve(accepts)
  const { id, path } = await addEndpoint(artist, url)
  await sendTest(artist, path)
  // As when the process that took the job was killed before it claimed the endpoint.
  const { sql } = app.client
  await sql`delete from pgboss.job where data->>'endpointId' = ${id}`
  const queued = async () => await sql`select name from pgboss.job where data->>'endpointId' = ${id}`
  // Until then the job that was sent with it may still come.
  app.clock.advance(20_000)
  await sweepDeliveries(systemOf(0))
  expect(await queued()).toEqual([{ name: 'webhooks.deliver-slow' }])
})

describe('an answer that does not come in time', () => {
  test('fails the call with a sentence, and is tried again', async () => {
    expect(webhookLimits.timeoutSeconds).toBe(15)
    const artist = await createArtist(app)
    const { url } = await serve(() => undefined)
    const { id, path } = await addEndpoint(artist, url)
    await sendTest(artist, path)
    await deliverTo(systemOf(0), id, running, { timeoutMs: 100 })
    expect(await deliveriesOf(artist, path)).toMatchObject([
      { state: 'pending', attempts: [{ status: null, error: webhookMessages.timedOut }] },
    ])
  })

  test('counts as given once its status is there, however slow its body', async () => {
    const artist = await createArtist(app)
    const { url } = await serve((_request, response) => {
      response.writeHead(200)
      response.write('so far')
    })
    const { id, path } = await addEndpoint(artist, url)
    await sendTest(artist, path)
    await deliverTo(systemOf(0), id, running, { timeoutMs: 1500 })
    expect(await deliveriesOf(artist, path)).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }])
  })
})

/** What the name of an endpoint may be made to lead to after it was added. */
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
  ['the neighbourhood, in IPv6', [{ address: 'fe80::1', family: 6 }]],
  // Of a public and a private address, the private one might be connected to.
  [
    'both the internet and a private network',
    [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.8', family: 4 },
    ],
  ],
]

test.each(hostile)('a name that leads to %s is not called', async (_where, addresses) => {
  const artist = await createArtist(app)
  const { id, path } = await addEndpoint(artist, 'https://rebound.example/hook')
  await sendTest(artist, path)
  const system = systemOf(0)
  const webhookEndpoints = createForeignFetch({
    allowsLoopback: false,
    resolve: (_host, done) => done(null, addresses),
  })
  try {
    await deliverTo({ ...system, gateways: { ...system.gateways, webhookEndpoints } }, id, running)
  } finally {
    await webhookEndpoints.stop()
  }
  expect(await deliveriesOf(artist, path)).toMatchObject([
    { state: 'pending', attempts: [{ status: null, error: webhookMessages.addressRefused }] },
  ])
})

test('events older than thirty days go with their deliveries, however many, and younger ones stay', async () => {
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
  app.clock.advance((webhookLimits.keptDays + 1) * 86_400_000)
  await sendTest(artist, path)
  await deliverTo(systemOf(0), id, running)
  await deleteExpiredEvents(systemOf(0), running)
  expect(await deliveriesOf(artist, path)).toHaveLength(1)
  expect(await db.select().from(webhookEvents).where(eq(webhookEvents.userId, artist.id))).toHaveLength(1)
})
