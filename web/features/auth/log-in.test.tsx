import { loginMessages } from '@flashsheet/contracts/login/messages'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, refusal, renderWithAnswers, type Answers } from '../../test-fixture.tsx'
import { PublicShell } from '../shell/public-shell.tsx'
import { ForgotPasswordScreen } from './forgot-password-screen.tsx'
import { LoginScreen } from './login-screen.tsx'
import { RegisterScreen } from './register-screen.tsx'
import { ResetPasswordScreen } from './reset-password-screen.tsx'

const field = (label: string) => page.getByLabelText(label, { exact: true })
const press = async (name: string) => await page.getByRole('button', { name, exact: true }).click()
const says = async (words: string) => await expect.element(page.getByText(words, { exact: true }).first()).toBeVisible()

const signedOut = {
  me: () => null,
  demoLogins: () => [],
  signInMethods: () => ({ google: false }),
} satisfies Answers['auth']

test('/login shows errors at the fields, keeps the email after a wrong password, can show the password, and opens the first screen', async () => {
  const { router, calls } = await renderWithAnswers(
    <LoginScreen />,
    {
      auth: {
        ...signedOut,
        login: ({ password }) => {
          if (password === 'needle and thread') return ada
          throw refusal(401, { message: authMessages.badCredentials, code: 'unauthenticated' })
        },
      },
      subscription: { mine: () => null },
    },
    '/login',
  )
  await press('Log in')
  await says(authMessages.emailRequired)
  await says(authMessages.passwordRequired)
  expect(calls.some(({ path }) => path === 'auth.login')).toBe(false)
  await field('Email').fill('ada@studio.example')
  await field('Password').fill('wrong password')
  await press('Log in')
  await says(authMessages.badCredentials)
  await expect.element(field('Email')).toHaveValue('ada@studio.example')
  await field('Password').fill('needle and thread')
  await expect.element(field('Password')).toHaveAttribute('type', 'password')
  await press('Show password')
  await expect.element(field('Password')).toHaveAttribute('type', 'text')
  await press('Log in')
  await expect.poll(() => router.state.location.pathname).toBe('/subscription')
})

test('/login states the reason of a redirect, and replaces a text from the URL that is not one of our messages', async () => {
  for (const reason of [loginMessages.signedOut, socialMessages.loginFirst]) {
    const { unmount } = await renderWithAnswers(<LoginScreen reason={reason} />, { auth: signedOut })
    await says(reason)
    await unmount()
  }
  await renderWithAnswers(<LoginScreen reason="Call +1 555 0100 to unlock your account" />, { auth: signedOut })
  await says(errorMessages.unknown)
  await expect.element(page.getByText(/555/)).not.toBeInTheDocument()
})

test('a signed-in artist is redirected from log-in and registration', async () => {
  const auth = { ...signedOut, me: () => ada }
  const login = await renderWithAnswers(<LoginScreen />, { auth }, '/login')
  await expect.poll(() => login.router.state.location.pathname).toBe('/new-post')
  await login.unmount()
  const registration = await renderWithAnswers(<RegisterScreen />, { auth }, '/register')
  await expect.poll(() => registration.router.state.location.pathname).toBe('/')
})

test('/forgot-password requires an address, answers every address alike, and offers another', async () => {
  const { calls } = await renderWithAnswers(<ForgotPasswordScreen />, {
    auth: { ...signedOut, forgotPassword: () => ({ message: authMessages.resetSent }) },
  })
  await press('Send reset link')
  await says(authMessages.forgotEmailRequired)
  expect(calls).toEqual([])
  await field('Email').fill('nobody-at-all@studio.example')
  await press('Send reset link')
  await expect.element(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await says(authMessages.resetSent)
  await press('Send to another email')
  await expect.element(field('Email')).toHaveValue('')
})

test('/reset-password requires the same password of six characters in both fields', async () => {
  const { calls } = await renderWithAnswers(<ResetPasswordScreen token="abc" />, { auth: signedOut })
  const refused = async (newPassword: string, confirm: string, reason: string) => {
    await field('New password').fill(newPassword)
    await field('Confirm password').fill(confirm)
    await press('Reset password')
    await says(reason)
  }
  await refused('', '', authMessages.fillAllFields)
  await refused('needle and thread', 'needle and bread', authMessages.passwordsDiffer)
  await refused('12345', '12345', authMessages.passwordTooShort)
  expect(calls).toEqual([])
})

test.each([
  ['', 'Links work once, for one hour.'],
  // The answer to its first use may have been lost.
  ['used-or-made-up', 'Links work once, for one hour. If you have just used this one, log in with your new password.'],
])('/reset-password?token=%s reports an invalid link and offers a new one', async (token, advice) => {
  await renderWithAnswers(<ResetPasswordScreen token={token} />, {
    auth: {
      ...signedOut,
      resetPassword: () => {
        throw refusal(400, { message: authMessages.resetLinkInvalid, code: 'invalid' })
      },
    },
  })
  if (token !== '') {
    await field('New password').fill('needle and thread')
    await field('Confirm password').fill('needle and thread')
    await press('Reset password')
  }
  await says(authMessages.resetLinkInvalid)
  await says(advice)
  await expect.element(page.getByRole('link', { name: 'Send a new link' })).toHaveAttribute('href', '/forgot-password')
})

test.each(['/login', '/register', '/forgot-password', '/reset-password', '/verify-email'])(
  '%s has no footer',
  async (path) => {
    await renderWithAnswers(<PublicShell>The form</PublicShell>, {}, path)
    await expect.element(page.getByText('The form')).toBeVisible()
    await expect.element(page.getByRole('contentinfo')).not.toBeInTheDocument()
  },
)
