import { keyMessages } from '@flashsheet/contracts/keys/messages'
import type { ApiKey } from '@flashsheet/contracts/keys/schema'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { clickTwice, noConnection, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { ApiKeys } from './api-keys.tsx'

const key = (name: string, changes: Partial<ApiKey> = {}): ApiKey => ({
  _id: '019a0000-0000-7000-8000-000000000001',
  name,
  prefix: 'fs_test_0123',
  scopes: ['media:read'],
  createdAt: '2039-11-01T12:00:00.000Z',
  lastUsedAt: null,
  expiresAt: null,
  ...changes,
})
const dialog = page.getByRole('dialog')

test('a new key needs a name and a scope, a write scope includes reading, and the key is shown once', async () => {
  const stored: ApiKey[] = []
  let isDown = true
  const { calls } = await renderWithAnswers(<ApiKeys />, {
    keys: {
      list: () => stored,
      create: ({ name, scopes }) => {
        if (isDown) throw noConnection()
        stored.push(key(name, { scopes }))
        return { ...key(name, { scopes }), key: 'fs_test_0123456789' }
      },
    },
  })
  const created = () => calls.filter(({ path }) => path === 'keys.create')
  await page.getByRole('button', { name: 'Make a key' }).click()
  const make = dialog.getByRole('button', { name: 'Make the key' })
  await make.click()
  await expect.element(dialog.getByText(keyMessages.nameRequired)).toBeVisible()
  await expect.element(dialog.getByText(keyMessages.scopesWrong)).toBeVisible()
  expect(created()).toEqual([])
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Backup script')
  await dialog.getByText('Add files to the library and delete them').click()
  const readScope = dialog.getByRole('checkbox', { name: 'See the library and its files' })
  await expect.element(readScope).toBeChecked()
  await expect.element(readScope).toBeDisabled()
  await make.click()
  await expect.element(dialog.getByText(keyMessages.createFailed)).toBeVisible()
  isDown = false
  await clickTwice(make)
  await expect.element(dialog.getByText('fs_test_0123456789')).toBeVisible()
  expect(created()).toHaveLength(2)
  expect(created()[1]).toMatchObject({ input: { name: 'Backup script', scopes: ['media:write'] } })
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByText('fs_test_0123…')).toBeVisible()
  await expect.element(page.getByText('fs_test_0123456789')).not.toBeInTheDocument()
})

test('a key shows its last use and its end; one that is gone when it is deleted counts as deleted', async () => {
  const [unused, expired] = [
    key('Never'),
    key('Over', { _id: '019a0000-0000-7000-8000-000000000002', expiresAt: '2020-01-01T00:00:00.000Z' }),
  ]
  let keys = [unused, expired]
  await renderWithAnswers(<ApiKeys />, {
    keys: {
      list: () => keys,
      revoke: ({ id }) => {
        keys = keys.filter(({ _id }) => _id !== id)
        if (id === unused._id) throw refusal(404, { message: 'Not here.', code: 'notFound' })
        return { deleted: true }
      },
    },
  })
  const text = (name: string) => page.getByRole('listitem').filter({ hasText: name }).first().element().textContent
  await expect.poll(() => text('Never')).toMatch(/^Never fs_test_0123…Never used, made /)
  await expect.poll(() => text('Over')).toMatch(/^Over Expired/)
  for (const name of ['Never', 'Over']) {
    await page.getByRole('button', { name: `Delete the key ${name}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the key' }).click()
    await expect.element(page.getByRole('button', { name: `Delete the key ${name}` })).not.toBeInTheDocument()
    await expect.element(page.getByText(keyMessages.revoked).last()).toBeVisible()
  }
  expect(page.getByText('Not here.').elements()).toEqual([])
})

test('a key with a long name fits a narrow phone', async () => {
  await page.viewport(320, 700)
  await renderWithAnswers(<ApiKeys />, { keys: { list: () => [key('W'.repeat(80))] } })
  await expect.element(page.getByText('W'.repeat(80))).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth)
})
