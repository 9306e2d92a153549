import { authMessages } from '@flashsheet/contracts/auth/messages'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, clickTwice, lineWork, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { SignInMethods } from './sign-in-methods.tsx'

const subscription = { mine: () => lineWork }

test('removing Google requires the password', async () => {
  let google = [{ email: 'ada@gmail.example', linkedAt: '2039-11-01T12:00:00.000Z' }]
  const { calls } = await renderWithAnswers(<SignInMethods />, {
    auth: {
      ownSignInMethods: () => ({ hasPassword: true, google }),
      removeGoogle: ({ currentPassword }) => {
        if (currentPassword !== 'the right one')
          throw refusal(400, {
            message: authMessages.currentPasswordWrong,
            code: 'invalid',
            fields: { currentPassword: authMessages.currentPasswordWrong },
          })
        google = []
        return ada
      },
    },
    subscription,
  })
  const dialog = page.getByRole('dialog')
  const remove = dialog.getByRole('button', { name: 'Remove Google' })
  const password = dialog.getByLabelText('Current password', { exact: true })
  const whatRemovesIt = page.getByText(/A password reset or a new address removes it/)
  await expect.element(whatRemovesIt).toBeVisible()
  await page.getByRole('button', { name: 'Remove Google' }).click()
  await remove.click()
  await expect.element(dialog.getByText(authMessages.currentPasswordRequired)).toBeVisible()
  expect(calls.some(({ path }) => path === 'auth.removeGoogle')).toBe(false)
  await password.fill('not this one')
  await remove.click()
  await expect.element(dialog.getByText(authMessages.currentPasswordWrong)).toBeVisible()
  await password.fill('the right one')
  await clickTwice(remove)
  await expect.element(page.getByText(authMessages.googleRemoved)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Remove Google' })).not.toBeInTheDocument()
  expect(whatRemovesIt.elements()).toEqual([])
  expect(calls.filter(({ path }) => path === 'auth.removeGoogle')).toHaveLength(2)
})

test('an account with Google alone has its first password set by an emailed link, and cannot remove Google', async () => {
  const { calls } = await renderWithAnswers(<SignInMethods />, {
    auth: {
      me: () => ada,
      ownSignInMethods: () => ({
        hasPassword: false,
        google: [{ email: 'ada@gmail.example', linkedAt: '2039-11-01T12:00:00.000Z' }],
      }),
      forgotPassword: () => ({ message: authMessages.resetSent }),
    },
    subscription,
  })
  await clickTwice(page.getByRole('button', { name: 'Mail me a link' }))
  await expect.element(page.getByText(authMessages.resetSent)).toBeVisible()
  expect(calls.filter(({ path }) => path === 'auth.forgotPassword')).toEqual([
    { path: 'auth.forgotPassword', input: { email: ada.email } },
  ])
  await expect.element(page.getByRole('button', { name: 'Remove Google' })).not.toBeInTheDocument()
})

test.each([
  { who: 'a subscriber', hasPlan: true, offers: 'Change', not: 'Mail me a link' },
  { who: 'an artist without a plan, who has no profile', hasPlan: false, offers: 'Mail me a link', not: 'Change' },
])('$who changes the password by: $offers', async ({ hasPlan, offers, not }) => {
  await renderWithAnswers(<SignInMethods />, {
    auth: { me: () => ada, ownSignInMethods: () => ({ hasPassword: true, google: [] }) },
    subscription: { mine: () => (hasPlan ? lineWork : null) },
  })
  await expect.element(page.getByText(offers, { exact: true })).toBeVisible()
  await expect.element(page.getByText(not, { exact: true })).not.toBeInTheDocument()
})
