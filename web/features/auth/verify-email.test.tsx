import { authMessages } from '@flashsheet/contracts/auth/messages'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { noConnection, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { VerifyEmailScreen } from './verify-email-screen.tsx'

const token = 'a'.repeat(43)
const again = page.getByRole('button', { name: 'Try Again' })

test('a link that was opened without a connection is read when it is tried again', async () => {
  let isDown = true
  const { router } = await renderWithAnswers(<VerifyEmailScreen token={token} email="ada@studio.example" />, {
    auth: {
      readLink: () => {
        if (isDown) throw noConnection()
        return {
          kind: 'registration',
          email: 'ada@studio.example',
          name: 'Ada Inkwell',
          isAsker: true,
          registered: null,
        }
      },
      me: () => null,
    },
  })
  await expect.element(page.getByText(/could not reach the server/)).toBeVisible()
  isDown = false
  await again.click()
  await expect.element(page.getByRole('button', { name: 'Confirm ada@studio.example for Ada Inkwell' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/')
})

test('after a link that is invalid, the code or another link is asked for', async () => {
  const { router } = await renderWithAnswers(<VerifyEmailScreen token={token} email="ada@studio.example" />, {
    auth: {
      readLink: () => {
        throw refusal(400, { message: authMessages.verifyLinkInvalid, code: 'invalid' })
      },
      me: () => null,
    },
  })
  await again.click()
  await expect.poll(() => router.state.location.href).toBe('/verify-email?email=ada%40studio.example')
})
