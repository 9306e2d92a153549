import { authMessages } from '@flashsheet/contracts/auth/messages'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { rememberUser } from '../../lib/remembered-user.ts'
import { ada, renderWithAnswers } from '../../test-fixture.tsx'
import '../shell/app-providers.tsx'
import { CodeForm } from './code-form.tsx'

test('a code is confirmed by a toast, also after another user was logged in in this window', async () => {
  onTestFinished(() => rememberUser(null))
  rememberUser({ ...ada, _id: 'another' })
  rememberUser(null)
  await renderWithAnswers(<CodeForm email={ada.email} />, {
    auth: {
      confirmCode: () => ada,
      me: () => {
        rememberUser(ada)
        return ada
      },
    },
  })
  await page.getByLabelText('Six-digit code').fill('123456')
  await page.getByRole('button').click()
  await expect.element(page.getByRole('alertdialog', { name: authMessages.verified })).toBeVisible()
})
