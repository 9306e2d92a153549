import {
  webhookShapes,
  type NewWebhookEndpoint,
  type WebhookDelivery,
  type WebhookDeliveryDetail,
  type WebhookEndpoint,
} from '@flashsheet/contracts/webhooks/schema'
import { webhookLimits, type WebhookType } from '@flashsheet/contracts/webhooks/limits'
import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import { users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { webhookDeliveries, webhookSecrets } from '@flashsheet/db/schema/webhooks'
import { eq } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { fault, postNow, untilSettled, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { openSystem } from '../../testing/system.ts'
import { control, eventually } from '../../testing/sandbox.ts'
import { checkWebhookBody, type WebhookDocument } from '../../testing/webhook-bodies.ts'
import { seal } from '../../core/crypto.ts'
import { ownerScope } from '../../core/scope.ts'
import { deliverTo, sweepDeliveries } from './service/deliver.ts'
import { emitEvent } from './service/emit.ts'
import { secretContext } from './service/secrets.ts'

let app: TestApp
let document: WebhookDocument
beforeAll(async () => {
  app = await startTestApp()
  document = (await app.visitor().get<WebhookDocument>('/api/openapi.json')).body
})
afterAll(async () => await app.stop())

type Call = { at: string; headers: Record<string, string>; body: string; status: number }
type EventBody = { type: WebhookType; timestamp: string; data: Record<string, unknown> }

let sinks = 0
async function addEndpoint(artist: Artist, events: readonly WebhookType[]) {
  const name = `sink-${(sinks += 1)}`
  const created = await artist.post<NewWebhookEndpoint>('/api/webhook-endpoints', {
    url: `${app.sandboxUrl}/sink/${name}`,
    events,
  })
  expect(created.status).toBe(201)
  return { name, ...created.body, path: `/api/webhook-endpoints/${created.body._id}` }
}

const callsTo = async (name: string) => await control<Call[]>(app, 'GET', `/sink?name=${name}`)
/** Waits for calls, and checks their bodies against the OpenAPI document. */
async function waitForCalls(name: string, count: number): Promise<Call[]> {
  const calls = await eventually(`${count} calls`, async () => {
    const all = await callsTo(name)
    return all.length >= count && all
  })
  for (const { body } of calls) checkWebhookBody(document, body)
  return calls
}
const typesAt = (calls: readonly Call[]) => calls.map(({ body }) => (JSON.parse(body) as EventBody).type)
const deliveriesOf = async (artist: Artist, path: string) =>
  (await artist.get<WebhookDelivery[]>(`${path}/deliveries`)).body

/** Advances the clock past the next try and sweeps, as a worker does periodically. */
async function sweepAfter(ms: number): Promise<void> {
  app.clock.advance(ms)
  const { system, close } = await openSystem(app)
  await sweepDeliveries(system)
  await close()
}

/** The body as verified by the library of the Standard Webhooks specification. Throws if the secret did not sign it. */
const verified = ({ headers, body }: Call, secret: string): unknown => new Webhook(secret).verify(body, headers)

/** The library's own signature: `verify` rejects timestamps that differ from the real time. */
const signatureOf = ({ headers, body }: Call, secret: string): string =>
  new Webhook(secret).sign(headers['webhook-id'] ?? '', new Date(Number(headers['webhook-timestamp']) * 1000), body)

const setPlan = async (userId: string, status: 'active' | 'canceled') =>
  await app.client.db.update(subscriptions).set({ status }).where(eq(subscriptions.userId, userId))
const setUser = async (id: string, patch: { isActive?: boolean; deletionAskedAt?: Date | null }) =>
  await app.client.db.update(users).set(patch).where(eq(users.id, id))

describe('an endpoint is refused', () => {
  test.each([
    'http://example.com/hook',
    'https://10.0.0.1/hook',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00::1]/hook',
    'https://user:secret@example.com/',
    'https://example.com:8443/',
    'ftp://example.com/',
    'nonsense',
    '',
  ])('at %s', async (url) => {
    const artist = await createArtist(app)
    const refused = await artist.post('/api/webhook-endpoints', { url, events: ['ping'] })
    expect(refused).toMatchObject({ status: 400, body: { fields: { url: webhookMessages.urlRefused } } })
  })

  test('with a port, by a message that says so', async () => {
    const artist = await createArtist(app)
    const refused = await artist.post('/api/webhook-endpoints', { url: 'https://example.com:8443/', events: ['ping'] })
    expect(refused.body).toMatchObject({ message: expect.stringContaining('without a port') })
  })

  test('with a type that does not exist, or none', async () => {
    const artist = await createArtist(app)
    const { eventUnknown, eventsRequired } = webhookMessages
    for (const [events, fields] of [
      [['post.flown'], { 'events.0': eventUnknown }],
      [[], { events: eventsRequired }],
      ['ping', { events: eventsRequired }],
    ])
      expect(await artist.post('/api/webhook-endpoints', { url: 'https://a.example/', events })).toMatchObject({
        status: 400,
        body: { fields },
      })
  })

  test('as the eleventh, also of concurrent ones', async () => {
    const artist = await createArtist(app)
    const answers = await Promise.all(
      Array.from(
        { length: webhookLimits.endpointsPerArtist + 2 },
        async () => await artist.post('/api/webhook-endpoints', { url: 'https://a.example/', events: ['ping'] }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(webhookLimits.endpointsPerArtist)
    const eleventh = await artist.post('/api/webhook-endpoints', { url: 'https://a.example/', events: ['ping'] })
    expect(eleventh).toMatchObject({ status: 409, body: { code: 'full' } })
  })
})

test('a delivery is not found below another endpoint, and not sent again there', async () => {
  const artist = await createArtist(app)
  const [own, other] = [await addEndpoint(artist, ['ping']), await addEndpoint(artist, ['ping'])]
  const { _id } = (await artist.post<{ _id: string }>(`${own.path}/test`)).body
  expect((await artist.get(`${other.path}/deliveries/${_id}`)).status).toBe(404)
  expect((await artist.post(`${other.path}/deliveries/${_id}/resend`)).status).toBe(404)
  expect((await artist.get(`${own.path}/deliveries/${_id}`)).status).toBe(200)
})

test('the id in the address decides, whatever the body or the query says', async () => {
  const artist = await createArtist(app)
  const [own, other] = [await addEndpoint(artist, ['ping']), await addEndpoint(artist, ['ping'])]
  expect((await artist.put<WebhookEndpoint>(own.path, { id: other._id, active: false })).body._id).toBe(own._id)
  const shown = (await artist.get<WebhookEndpoint[]>('/api/webhook-endpoints')).body
  expect(shown.map(({ _id, active }) => [_id, active])).toEqual([
    [other._id, true],
    [own._id, false],
  ])
  await artist.post(`${other.path}/test`)
  expect(await deliveriesOf(artist, other.path)).toHaveLength(1)
  expect((await artist.get(`${own.path}/deliveries?id=${other._id}`)).body).toEqual([])
})

test('a repeat with the same request id makes one endpoint for each artist, and another content is 409', async () => {
  const artist = await createArtist(app)
  const add = async (url: string, by = artist) =>
    await by.post<NewWebhookEndpoint>(
      '/api/webhook-endpoints',
      { url, events: ['ping'] },
      { 'idempotency-key': 'mine' },
    )
  const [first, concurrent] = await Promise.all([add('https://a.example/'), add('https://a.example/')])
  expect(concurrent).toMatchObject({ status: 201, body: first.body })
  expect((await add('https://a.example/')).body).toEqual(first.body)
  expect((await add('https://b.example/')).status).toBe(409)
  const ofAnother = await add('https://a.example/', await createArtist(app))
  expect([ofAnother.status, ofAnother.body._id === first.body._id]).toEqual([201, false])
  const { secret: _, ...shown } = first.body
  expect((await artist.get<WebhookEndpoint[]>('/api/webhook-endpoints')).body).toEqual([shown])
})

test('a published post is sent as a signed event in the shape of its type', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['account.connected', 'post.scheduled', 'post.posted'])
  const account = await connect(app, artist, 'facebook')
  const postId = await postNow(artist, { mediaIds: await uploadPictures(artist), variants: variantsOf(account) })
  await untilSettled(artist, postId)
  const calls = await waitForCalls(endpoint.name, 3)
  expect(typesAt(calls).toSorted()).toEqual(['account.connected', 'post.posted', 'post.scheduled'])
  for (const call of calls) {
    const { type, data } = JSON.parse(call.body) as EventBody
    expect(webhookShapes[type].parse(data)).toEqual(data)
    expect(verified(call, endpoint.secret)).toEqual(JSON.parse(call.body))
    expect(() => verified({ ...call, body: `${call.body} ` }, endpoint.secret)).toThrow('No matching signature')
  }
  const posted = calls.map(({ body }) => JSON.parse(body) as EventBody).find(({ type }) => type === 'post.posted')
  const { body: post } = await artist.get<object>(`/api/posts/${postId}`)
  expect(posted?.data).toMatchObject(post)
  const deliveries = await eventually('all to be delivered', async () => {
    const all = await deliveriesOf(artist, endpoint.path)
    return all.every(({ state }) => state === 'delivered') && all
  })
  expect(deliveries).toMatchObject([1, 2, 3].map(() => ({ attempts: [{ status: 204, error: null }], nextAt: null })))
})

test('a body that does not match its description is detected', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['ping'])
  await artist.post(`${endpoint.path}/test`)
  const [call] = await waitForCalls(endpoint.name, 1)
  const { data, ...rest } = JSON.parse(call?.body ?? '') as EventBody
  for (const wrong of [{ data: { ...data, version: 'one' } }, { data: {} }, { data, timestamp: 'today' }])
    expect(() => checkWebhookBody(document, JSON.stringify({ ...rest, ...wrong }))).toThrow('does not match its schema')
})

test('the deletion of a post is sent only to endpoints that are on and subscribe to it', async () => {
  const artist = await createArtist(app)
  const other = await addEndpoint(artist, ['post.posted'])
  const endpoint = await addEndpoint(artist, ['post.deleted'])
  const off = await addEndpoint(artist, ['post.deleted'])
  await artist.put(off.path, { active: false })
  const account = await connect(app, artist, 'facebook')
  const { body } = await artist.post<{ _id: string }>('/api/posts/schedule', {
    mediaIds: await uploadPictures(artist),
    variants: variantsOf(account),
    scheduledAt: new Date(app.clock.now().getTime() + 86_400_000).toISOString(),
  })
  await artist.delete(`/api/posts/${body._id}`)
  const [call] = await waitForCalls(endpoint.name, 1)
  expect(JSON.parse(call?.body ?? '')).toMatchObject({ type: 'post.deleted', data: { _id: body._id } })
  await artist.post(`${other.path}/test`)
  expect(typesAt(await waitForCalls(other.name, 1))).toEqual(['ping'])
  expect(await deliveriesOf(artist, off.path)).toEqual([])
})

test('an appointment is sent without personal data of the client', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['appointment.created', 'appointment.updated', 'appointment.cancelled'])
  const domainName = `hooks-${artist.id.slice(-8)}`
  await artist.post('/api/websitebuilder', { personalInfo: { name: 'Ada', domainName } })
  const { body } = await artist.post<{ _id: string }>('/api/appointments', {
    domainName,
    bookingType: '1 Hour Booking',
    timeSlot: '1:00pm-2:00pm',
    date: new Date(app.clock.now().getTime() + 14 * 86_400_000).toISOString().slice(0, 10),
    contact: { name: 'Ida Client', email: 'ida@home.example', phone: '555 01 02' },
    notes: 'A secret wish',
  })
  await artist.put(`/api/appointments/${body._id}`, { status: 'confirmed' })
  await artist.put(`/api/appointments/${body._id}`, { status: 'cancelled' })
  await artist.put(`/api/appointments/${body._id}`, { notes: 'Another secret wish' })
  const calls = await waitForCalls(endpoint.name, 4)
  expect(typesAt(calls).toSorted()).toEqual([
    'appointment.cancelled',
    'appointment.created',
    'appointment.updated',
    'appointment.updated',
  ])
  for (const { body: text } of calls) {
    const { type, data } = JSON.parse(text) as EventBody
    expect(webhookShapes[type].parse(data)).toEqual(data)
    // '555' alone may be in an id.
    for (const personal of ['Ida', 'ida@', '555 01 02', '5550102', 'secret wish']) expect(text).not.toContain(personal)
  }
})

test('a failed call is repeated with the same id until it succeeds', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['ping'])
  await fault(app, 'sink', 'status', `/sink/${endpoint.name}$`, { status: 500, body: 'broken' })
  const { body } = await artist.post<{ _id: string }>(`${endpoint.path}/test`)
  await waitForCalls(endpoint.name, 1)
  await eventually('the failure to be written', async () => (await deliveriesOf(artist, endpoint.path))[0]?.attempts[0])
  await sweepAfter(20_000)
  const [first, second] = await waitForCalls(endpoint.name, 2)
  expect([first?.status, second?.status]).toEqual([500, 204])
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.body).toBe(first?.body)
  const detail = await eventually('the delivery to end', async () => {
    const { body: seen } = await artist.get<WebhookDeliveryDetail>(`${endpoint.path}/deliveries/${body._id}`)
    return seen.state === 'delivered' && seen
  })
  expect(detail.body).toBe(first?.body)
  expect(detail.attempts).toMatchObject([{ status: 500, answer: 'broken' }, { status: 204 }])
})

test('a redirect is a failure that is not followed', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['ping'])
  const headers = { location: `${app.sandboxUrl}/sink/elsewhere` }
  await fault(app, 'sink', 'status', `/sink/${endpoint.name}$`, { status: 302, headers, times: 5 })
  await artist.post(`${endpoint.path}/test`)
  const [delivery] = await eventually('the failure to be written', async () => {
    const all = await deliveriesOf(artist, endpoint.path)
    return all[0]?.attempts.length === 1 && all
  })
  expect(delivery).toMatchObject({ state: 'pending', attempts: [{ status: 302, error: webhookMessages.redirected }] })
  expect(await callsTo('elsewhere')).toEqual([])
})

test('an endpoint that answers 410 is switched off, its artist is notified, and PUT switches it on again', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['ping'])
  await fault(app, 'sink', 'status', `/sink/${endpoint.name}$`, { status: 410 })
  await artist.post(`${endpoint.path}/test`)
  const off = await eventually('the endpoint to be switched off', async () => {
    const [seen] = (await artist.get<WebhookEndpoint[]>('/api/webhook-endpoints')).body
    return seen?.active === false && seen
  })
  expect(off.disabledReason).toBe('gone')
  expect((await artist.trpc.notices.list.query()).notices).toMatchObject([
    { kind: 'webhook_disabled', title: webhookMessages.disabledTitle },
  ])
  expect((await artist.post(`${endpoint.path}/test`)).status).toBe(409)
  expect((await artist.put(endpoint.path, { active: true })).body).toMatchObject({ active: true, disabledAt: null })
  await artist.post(`${endpoint.path}/test`)
  expect((await waitForCalls(endpoint.name, 2)).at(-1)?.status).toBe(204)
})

test('what was delivered stays delivered when its endpoint is switched off', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['ping'])
  await artist.post(`${endpoint.path}/test`)
  const isDelivered = async () => (await deliveriesOf(artist, endpoint.path))[0]?.state === 'delivered'
  await eventually('the delivery', isDelivered)
  expect((await artist.put(endpoint.path, { active: false })).status).toBe(200)
  expect(await isDelivered()).toBe(true)
})

test('a replaced secret still signs for a day, also if the next one is replaced meanwhile', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['ping'])
  const { body } = await artist.post<{ secret: string }>(`${endpoint.path}/rotate`)
  await artist.post(`${endpoint.path}/test`)
  const [both] = await waitForCalls(endpoint.name, 1)
  expect(both?.headers['webhook-signature']?.split(' ')).toEqual(
    [body.secret, endpoint.secret].map((secret) => both && signatureOf(both, secret)),
  )
  app.clock.advance(12 * 3_600_000)
  const { body: newest } = await artist.post<{ secret: string }>(`${endpoint.path}/rotate`)
  app.clock.advance(13 * 3_600_000)
  await artist.post(`${endpoint.path}/test`)
  const later = (await waitForCalls(endpoint.name, 2)).at(-1)
  expect(later?.headers['webhook-signature']?.split(' ')).toEqual(
    [newest.secret, body.secret].map((secret) => later && signatureOf(later, secret)),
  )
})

test('a secret that no key decrypts fails the attempts with a message, until it is replaced', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['ping'])
  const { db } = app.client
  const [row] = await db.select().from(webhookSecrets).where(eq(webhookSecrets.endpointId, endpoint._id))
  if (!row) throw new Error('the endpoint has no secret')
  const otherKeys = { secretKey: randomBytes(32) }
  await db
    .update(webhookSecrets)
    .set({ secret: seal(otherKeys, secretContext(row.id), endpoint.secret) })
    .where(eq(webhookSecrets.id, row.id))
  await artist.post(`${endpoint.path}/test`)
  const [delivery] = await eventually('the failure to be written', async () => {
    const all = await deliveriesOf(artist, endpoint.path)
    return all[0]?.attempts.length === 1 && all
  })
  expect(delivery).toMatchObject({
    state: 'pending',
    attempts: [{ status: null, error: webhookMessages.secretUnreadable }],
  })
  const { body } = await artist.post<{ secret: string }>(`${endpoint.path}/rotate`)
  await sweepAfter(20_000)
  const [call] = await waitForCalls(endpoint.name, 1)
  expect(call?.headers['webhook-signature']).toBe(call && signatureOf(call, body.secret))
})

test('a delivery is sent again when the artist asks', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['ping'])
  const { body } = await artist.post<{ _id: string }>(`${endpoint.path}/test`)
  await eventually(
    'the delivery to end',
    async () => (await deliveriesOf(artist, endpoint.path))[0]?.state === 'delivered',
  )
  expect((await artist.post(`${endpoint.path}/deliveries/${body._id}/resend`)).status).toBe(202)
  const [first, second] = await waitForCalls(endpoint.name, 2)
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
})

test('an endpoint that backs off is not called for a new event until that ends', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['ping'])
  await fault(app, 'sink', 'status', `/sink/${endpoint.name}$`, { status: 503, headers: { 'retry-after': '3600' } })
  await artist.post(`${endpoint.path}/test`)
  await eventually('the attempt to be written', async () => (await deliveriesOf(artist, endpoint.path))[0]?.attempts[0])
  const { system, close } = await openSystem(app)
  await system.db.transaction(
    async (tx) => await emitEvent(system, tx, ownerScope(artist.id), 'ping', () => ({ message: webhookMessages.ping })),
  )
  await deliverTo(system, endpoint._id, new AbortController().signal)
  await close()
  expect((await deliveriesOf(artist, endpoint.path)).map(({ attempts }) => attempts.length)).toEqual([0, 1])
})

test('an endpoint that backs off is called at once when the artist asks', async () => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['ping'])
  await fault(app, 'sink', 'status', `/sink/${endpoint.name}$`, {
    status: 503,
    headers: { 'retry-after': '3600' },
    times: 2,
  })
  const attempted = async (count: number) =>
    await eventually('the attempt to be written', async () => {
      const attempts = (await deliveriesOf(artist, endpoint.path)).flatMap((delivery) => delivery.attempts)
      return attempts.length >= count
    })
  const { body } = await artist.post<{ _id: string }>(`${endpoint.path}/test`)
  await attempted(1)
  await artist.post(`${endpoint.path}/deliveries/${body._id}/resend`)
  await attempted(2)
  await artist.post(`${endpoint.path}/test`)
  await waitForCalls(endpoint.name, 3)
})

test.each([
  ['the plan ends', async (id: string) => await setPlan(id, 'canceled')],
  ['the artist is deactivated', async (id: string) => await setUser(id, { isActive: false })],
  ['the artist asks for deletion', async (id: string) => await setUser(id, { deletionAskedAt: app.clock.now() })],
])('after %s nothing is sent, and pending deliveries fail', async (_what, end) => {
  const artist = await createArtist(app)
  const endpoint = await addEndpoint(artist, ['ping'])
  await fault(app, 'sink', 'status', `/sink/${endpoint.name}$`, { status: 500 })
  await artist.post(`${endpoint.path}/test`)
  await eventually('the failure to be written', async () => (await deliveriesOf(artist, endpoint.path))[0]?.attempts[0])
  await end(artist.id)
  await sweepAfter(20_000)
  const rows = async () =>
    await app.client.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.endpointId, endpoint._id))
  await eventually('the delivery to be given up', async () => (await rows())[0]?.state === 'failed')
  await setPlan(artist.id, 'active')
  await setUser(artist.id, { isActive: true, deletionAskedAt: null })
  const [delivery] = await deliveriesOf(artist, endpoint.path)
  expect(delivery?.attempts).toHaveLength(1)
  expect(await callsTo(endpoint.name)).toHaveLength(1)
})
