import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NewWebhookEndpoint, WebhookEndpoint } from '../packages/contracts/webhooks/schema.ts'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { createProgram } from '../api/testing/keys.ts'
import { eventually } from '../api/testing/sandbox.ts'
import { withPage } from './browser.ts'
import { faultsInEachAppearance } from './faults-in-each-appearance.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app?.stop())

const endpointsOf = async (artist: Artist) => (await artist.get<WebhookEndpoint[]>('/api/webhook-endpoints')).body

test('keys with long names fit a narrow phone, a phone in the dark and a desktop, and are free of accessibility faults', async () => {
  const artist = await createArtist(app)
  for (const scopes of [[], ['posts:write', 'bookings:write', 'numbers:read']] as const)
    await createProgram(app, artist, scopes)
  await artist.post('/api/keys', { name: 'W'.repeat(80), scopes: ['media:read'], expiresAt: '2099-01-01T00:00:00Z' })
  await withPage(app, artist, async (page) => {
    await page.goto('/settings/developers')
    await page.getByText('W'.repeat(80)).waitFor()
    expect(await faultsInEachAppearance(page, 'body')).toEqual([])
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('dialog').getByText('It may').waitFor()
    expect(await faultsInEachAppearance(page, '[role=dialog]')).toEqual([])
  })
})

test('endpoints with long addresses fit a narrow phone, a phone in the dark and a desktop, and are free of accessibility faults', async () => {
  const artist = await createArtist(app)
  const name = 'w'.repeat(300)
  const { body } = await artist.post<NewWebhookEndpoint>('/api/webhook-endpoints', {
    url: `${app.sandboxUrl}/sink/${name}`,
    events: ['post.posted', 'post.failed'],
  })
  await artist.post(`/api/webhook-endpoints/${body._id}/test`)
  await eventually('the delivery', async () => (await endpointsOf(artist))[0]?.lastDelivery?.state === 'delivered')
  await withPage(app, artist, async (page) => {
    await page.goto('/settings/developers')
    await page.getByText(name).waitFor()
    expect(await faultsInEachAppearance(page, 'body')).toEqual([])
    await page.getByRole('link', { name: new RegExp(name) }).click()
    await page.getByText('Delivered').waitFor()
    expect(await faultsInEachAppearance(page, 'body')).toEqual([])
    await page.getByRole('button', { name: /A test call/ }).click()
    await page.getByRole('dialog').getByText('webhook-id').waitFor()
    expect(await faultsInEachAppearance(page, '[role=dialog]')).toEqual([])
  })
})

test('the reference fits a narrow phone, a phone in the dark and a desktop with an operation open, and is free of accessibility faults', async () => {
  await withPage(app, null, async (page) => {
    await page.goto('/developers/reference')
    await page.locator('#postPostsSchedule > summary').click()
    await page.locator('#postPostsSchedule').getByText('Try it').waitFor()
    expect(await faultsInEachAppearance(page)).toEqual([])
  })
})
