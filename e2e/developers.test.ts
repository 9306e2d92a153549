import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyMessages } from '../packages/contracts/keys/messages.ts'
import { createArtist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { accessibilityFaults } from './accessibility.ts'
import { withPage } from './browser.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app?.stop())

test('a key is created, shown once, grants its scopes, and is refused once it is deleted', async () => {
  const artist = await createArtist(app)
  await withPage(app, artist, async (page) => {
    await page.goto('/settings')
    await page.getByRole('link', { name: 'API keys and webhooks' }).click()
    await page.getByRole('button', { name: 'Make a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Backup script')
    await dialog.getByText('Add files to the library and delete them').click()
    await dialog.getByRole('button', { name: 'Make the key' }).click()
    const key = (await dialog.locator('code').textContent()) ?? ''
    expect(key).toMatch(/^fs_test_[0-9A-Za-z]{46}$/)
    expect(await accessibilityFaults(page, '[role=dialog]')).toEqual([])

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await dialog.getByRole('button', { name: 'Copy the key' }).click()
    await page.getByText(keyMessages.copied).waitFor()
    expect(await page.evaluate(async () => await navigator.clipboard.readText())).toBe(key)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText(`${key.slice(0, 12)}…`).waitFor()
    expect(await page.getByText(key).count()).toBe(0)

    await page.getByText('Never used').waitFor()
    const call = async () => (await app.visitor().get('/api/media', { authorization: `Bearer ${key}` })).status
    expect(await call()).toBe(200)
    await page.reload()
    await page.getByText(/Last used/).waitFor()

    await page.getByRole('button', { name: 'Delete the key Backup script' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the key' }).click()
    await page.getByText('No keys yet').waitFor()
    expect(await call()).toBe(401)
  })
})
