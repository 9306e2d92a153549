import type { LinkInfo } from '@flashsheet/contracts/auth/schema'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, clickTwice, noConnection, renderWithAnswers, type Answers } from '../../test-fixture.tsx'
import { ForgotPasswordScreen } from './forgot-password-screen.tsx'
import { LoginScreen } from './login-screen.tsx'
import { PendingDeletionScreen } from './pending-deletion-screen.tsx'
import { ProfileScreen } from './profile-screen.tsx'
import { RegisterScreen } from './register-screen.tsx'
import { ResetPasswordScreen } from './reset-password-screen.tsx'
import { VerifyEmailScreen } from './verify-email-screen.tsx'

const { email, name } = ada
const password = 'needle and thread'
const visitor = {
  me: () => null,
  demoLogins: () => [],
  signInMethods: () => ({ google: false }),
  readLink: (): LinkInfo => ({ kind: 'registration', email, name, isAsker: true, registered: null }),
} satisfies Answers['auth']
const artist = {
  me: () => ({ ...ada, deletesAt: '2039-12-01T12:00:00.000Z' }),
  account: () => ({ hasPassword: true, pendingEmail: 'new@studio.example', google: false }),
} satisfies Answers['auth']

type Case = { call: string; auth: Answers['auth']; screen: ReactNode; fields?: Record<string, string>; button: string }
const cases: Case[] = [
  {
    call: 'login',
    auth: visitor,
    screen: <LoginScreen />,
    fields: { Email: email, Password: password },
    button: 'Log in',
  },
  {
    call: 'register',
    auth: visitor,
    screen: <RegisterScreen />,
    fields: { Name: name, Email: email, Password: password, 'Confirm password': password },
    button: 'Create account',
  },
  {
    call: 'forgotPassword',
    auth: visitor,
    screen: <ForgotPasswordScreen />,
    fields: { Email: email },
    button: 'Send reset link',
  },
  {
    call: 'resetPassword',
    auth: visitor,
    screen: <ResetPasswordScreen token="abc" />,
    fields: { 'New password': password, 'Confirm password': password },
    button: 'Reset password',
  },
  {
    call: 'confirmCode',
    auth: visitor,
    screen: <VerifyEmailScreen token="" email={email} />,
    fields: { 'Six-digit code': '123456' },
    button: 'Verify email',
  },
  {
    call: 'resendVerification',
    auth: visitor,
    screen: <VerifyEmailScreen token="" email={email} />,
    button: 'Resend verification email',
  },
  {
    call: 'confirmLink',
    auth: visitor,
    screen: <VerifyEmailScreen token={'a'.repeat(43)} email={email} />,
    button: `Confirm ${email} for ${name}`,
  },
  {
    call: 'updateProfile',
    auth: artist,
    screen: <ProfileScreen />,
    fields: { Name: 'Ada I.' },
    button: 'Save changes',
  },
  { call: 'resendEmailChange', auth: artist, screen: <ProfileScreen />, button: 'Send the link again' },
  { call: 'keepAccount', auth: artist, screen: <PendingDeletionScreen on={undefined} />, button: 'Keep my account' },
  { call: 'logout', auth: artist, screen: <PendingDeletionScreen on={undefined} />, button: 'Logout' },
]

test.each(cases)('a double click calls $call once', async ({ call, auth, screen, fields = {}, button: label }) => {
  const { calls } = await renderWithAnswers(screen, {
    auth: { ...auth, [call]: async () => await new Promise(() => {}) },
  })
  for (const [field, value] of Object.entries(fields)) await page.getByLabelText(field, { exact: true }).fill(value)
  for (const box of page.getByRole('checkbox').elements()) (box as HTMLElement).click()
  const button = page.getByRole('button', { name: label, exact: true })
  const element = await clickTwice(button)
  await expect.poll(() => element.dataset['pending']).toBe('true')
  expect(calls.filter(({ path }) => path === `auth.${call}`)).toHaveLength(1)
})

test.each([
  { call: 'login', screen: <LoginScreen />, fields: ['Email', 'Password'], button: 'Log in' },
  {
    call: 'register',
    screen: <RegisterScreen />,
    fields: ['Name', 'Email', 'Password', 'Confirm password'],
    button: 'Create account',
  },
  {
    call: 'confirmLink',
    screen: <VerifyEmailScreen token={'a'.repeat(43)} email={email} />,
    fields: [],
    button: `Confirm ${email} for ${name}`,
  },
])('the button of $call stays in place when it is pressed again after a failure', async (form) => {
  let isPending = false
  const answer = async () => {
    if (isPending) await new Promise(() => {})
    throw noConnection()
  }
  await renderWithAnswers(form.screen, { auth: { ...visitor, [form.call]: answer } })
  const typed: Record<string, string> = { Name: name, Email: email }
  for (const field of form.fields) await page.getByLabelText(field, { exact: true }).fill(typed[field] ?? password)
  for (const box of page.getByRole('checkbox').elements()) (box as HTMLElement).click()
  const button = page.getByRole('button', { name: form.button, exact: true })
  await button.click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  const element = button.element() as HTMLElement
  const { top } = element.getBoundingClientRect()
  isPending = true
  await button.click()
  await expect.poll(() => element.dataset['pending']).toBe('true')
  // Otherwise the second press of a double click would hit what is below the button, such as "Continue with Google".
  expect(element.getBoundingClientRect().top).toBe(top)
})
