import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'
import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { NewWebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { webhookEndpoints } from '@flashsheet/db/schema/webhooks'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consumeRateLimit, limits } from '../../core/limits.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

/** Without a worker, so that nothing is delivered. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web', env: { RATE_LIMITS: 'on' } })
})
afterAll(async () => await app.stop())

async function addEndpoint(artist: Artist): Promise<{ id: string; path: string }> {
  const { body } = await artist.post<NewWebhookEndpoint>('/api/webhook-endpoints', {
    url: 'https://a.example/',
    events: ['ping'],
  })
  return { id: body._id, path: `/api/webhook-endpoints/${body._id}` }
}

const set = async (id: string, columns: Partial<typeof webhookEndpoints.$inferInsert>) =>
  await app.client.db.update(webhookEndpoints).set(columns).where(eq(webhookEndpoints.id, id))

describe('a change is refused', () => {
  test('to an address in a private network', async () => {
    const artist = await createArtist(app)
    const { path } = await addEndpoint(artist)
    expect(await artist.put(path, { url: 'https://10.0.0.1/hook' })).toMatchObject({
      status: 400,
      body: { fields: { url: webhookMessages.urlRefused } },
    })
    expect((await artist.get('/api/webhook-endpoints')).body).toMatchObject([{ url: 'https://a.example/' }])
  })

  test('if it replaces a secret while the maximum of former ones still signs', async () => {
    const artist = await createArtist(app)
    const { path } = await addEndpoint(artist)
    for (let secrets = 1; secrets < webhookLimits.secretsMax; secrets += 1)
      expect((await artist.post(`${path}/rotate`)).status).toBe(200)
    expect(await artist.post(`${path}/rotate`)).toMatchObject({
      status: 409,
      body: { message: webhookMessages.rotatedTooOften },
    })
    app.clock.advance(webhookLimits.oldSecretHours * 3_600_000)
    expect((await artist.post(`${path}/rotate`)).status).toBe(200)
  })
})

test('tests and repeated deliveries of an artist have one limit per hour', async () => {
  const artist = await createArtist(app)
  const { path } = await addEndpoint(artist)
  const system = { config: app.running.config, now: app.clock.now, db: app.client.db }
  for (let call = 2; call < limits.webhookCallsPerArtist.max; call += 1)
    await consumeRateLimit(system, 'webhookCallsPerArtist', artist.id)
  const { body } = await artist.post<{ _id: string }>(`${path}/test`)
  const resend = async () => await artist.post(`${path}/deliveries/${body._id}/resend`)
  expect((await resend()).status).toBe(202)
  expect((await resend()).status).toBe(429)
  expect((await artist.post(`${path}/test`)).status).toBe(429)
  const other = await createArtist(app)
  expect((await other.post(`${(await addEndpoint(other)).path}/test`)).status).toBe(202)
})

describe('the failures of an endpoint', () => {
  const failing = { failures: 7, failingSince: new Date('2026-11-20'), backoffUntil: new Date('2026-11-30') }
  const none = { failures: 0, failingSince: null, backoffUntil: null }
  test.each([
    ['count on after another change', { description: 'b', url: 'https://a.example/', active: true }, {}, failing],
    ['do not count for a new address', { url: 'https://b.example/' }, {}, none],
    ['do not count once it is switched on again', { active: true }, { disabledAt: new Date('2026-11-21') }, none],
  ])('%s', async (_what, change, columns, expected) => {
    const artist = await createArtist(app)
    const { id, path } = await addEndpoint(artist)
    await set(id, { ...failing, ...columns })
    expect((await artist.put(path, change)).status).toBe(200)
    const [row] = await app.client.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id))
    expect(row).toMatchObject(expected)
  })
})

test('an endpoint that was switched off because of its failures keeps that reason when the artist switches it off', async () => {
  const artist = await createArtist(app)
  const { id, path } = await addEndpoint(artist)
  await set(id, { disabledAt: new Date('2026-11-21'), disabledReason: 'failing' })
  expect((await artist.put(path, { active: false })).body).toMatchObject({
    disabledAt: '2026-11-21T00:00:00.000Z',
    disabledReason: 'failing',
  })
})
