import type { Draft as StoredDraft } from '@flashsheet/contracts/drafts/schema'
import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, noConnection, renderWithAnswers } from '../../../test-fixture.tsx'
import { DraftsScreen } from './drafts-screen.tsx'

const dagger: StoredDraft = {
  _id: '019a0000-0000-7000-8000-000000000040',
  version: 1,
  title: 'Dagger',
  mediaIds: [],
  variants: [],
  scheduledAt: null,
  createdAt: '2039-11-01T12:00:00.000Z',
  updatedAt: '2039-11-01T12:00:00.000Z',
}

test('a draft that could not be deleted is shown again, even without a connection', async () => {
  let isDown = false
  const withConnection = <T,>(value: T): T => {
    if (isDown) throw noConnection()
    return value
  }
  await renderWithAnswers(<DraftsScreen />, {
    auth: { me: () => ada },
    drafts: {
      list: () => withConnection([dagger]),
      remove: () => withConnection({ deleted: true } as const),
    },
    media: { list: () => [] },
    social: { accounts: () => [] },
  })
  const row = page.getByRole('button', { name: 'Open the draft Dagger' })
  await expect.element(row).toBeVisible()
  isDown = true
  await page.getByRole('button', { name: 'Delete the draft Dagger' }).click()
  await expect.element(page.getByText(draftMessages.deleteFailed)).toBeVisible()
  await expect.element(row).toBeVisible()
})
