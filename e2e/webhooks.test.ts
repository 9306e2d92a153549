import { afterAll, beforeAll, expect, test } from 'vitest'
import { webhookMessages } from '../packages/contracts/webhooks/messages.ts'
import type { WebhookEndpoint } from '../packages/contracts/webhooks/schema.ts'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { control, eventually } from '../api/testing/sandbox.ts'
import { accessibilityFaults } from './accessibility.ts'
import { withPage } from './browser.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app?.stop())

type Call = { headers: Record<string, string>; body: string; status: number }
const callsTo = async (name: string) => await control<Call[]>(app, 'GET', `/sink?name=${name}`)
const endpointsOf = async (artist: Artist) => (await artist.get<WebhookEndpoint[]>('/api/webhook-endpoints')).body

test('an endpoint is added and tested, shows its deliveries, receives one of them again, and is deleted', async () => {
  const artist = await createArtist(app)
  await withPage(
    app,
    artist,
    async (page) => {
      await page.goto('/settings/developers')
      await page.getByRole('button', { name: 'Add an endpoint' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/hook')
      await dialog.getByText('A post is posted to all its pages').click()
      await dialog.getByRole('button', { name: 'Add the endpoint' }).click()
      // The server refuses an address that the form accepts.
      await dialog.getByText(webhookMessages.urlRefused).waitFor()
      await dialog.getByRole('textbox', { name: 'Address' }).fill(`${app.sandboxUrl}/sink/walk`)
      await dialog.getByRole('button', { name: 'Add the endpoint' }).dblclick()
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await dialog.getByRole('button', { name: 'Copy the secret' }).click()
      await page.getByText(webhookMessages.copied).waitFor()
      const secret = await page.evaluate(async () => await navigator.clipboard.readText())
      expect(secret).toMatch(/^whsec_/)
      expect(await accessibilityFaults(page, '[role=dialog]')).toEqual([])
      await dialog.getByRole('button', { name: 'Done' }).click()
      expect(await endpointsOf(artist)).toMatchObject([{ events: ['post.posted'], lastDelivery: null }])

      await page.getByRole('link', { name: /sink\/walk/ }).click()
      await page.getByText('Nothing sent yet').waitFor()
      await page.getByRole('button', { name: 'Send a test' }).dblclick()
      await page.getByText('Delivered').waitFor()
      await page.getByRole('button', { name: /A test call/ }).click()
      await dialog.getByText(webhookMessages.ping).waitFor()
      await dialog.getByText(/answered 204 after/).waitFor()
      await dialog.getByRole('button', { name: 'Send again' }).click()
      await eventually('the second call', async () => (await callsTo('walk')).length === 2)
      const [first, second] = await callsTo('walk')
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await dialog.waitFor({ state: 'hidden' })

      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Replace the secret' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Replace it' }).click()
      await dialog.getByRole('button', { name: 'Copy the secret' }).waitFor()
      expect(await dialog.locator('code').textContent()).not.toBe(secret)
      await dialog.getByRole('button', { name: 'Done' }).click()
      await dialog.waitFor({ state: 'hidden' })

      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the endpoint' }).dblclick()
      await page.getByText('No endpoints yet').waitFor()
      expect(await endpointsOf(artist)).toEqual([])
    },
    // The browser logs the refused address.
    { refusals: [400] },
  )
})
