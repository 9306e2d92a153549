import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, refusal } from '../test-fixture.tsx'
import { rememberUser } from './remembered-user.ts'
import { toastFailure } from './toast-failure.ts'

test('the end of the session is stated by the log-in screen, and by a toast only where there is none', async () => {
  onTestFinished(() => rememberUser(null))
  const fail = () => toastFailure(refusal(401, { message: errorMessages.unauthenticated, code: 'unauthenticated' }), '')
  const shown = page.getByText(errorMessages.unauthenticated)
  rememberUser(null)
  fail()
  toastFailure(refusal(404, { message: 'Not found', code: 'notFound' }), '')
  await expect.element(page.getByText('Not found')).toBeVisible()
  expect(shown.elements()).toEqual([])
  rememberUser(ada)
  fail()
  await expect.element(shown).toBeVisible()
})
