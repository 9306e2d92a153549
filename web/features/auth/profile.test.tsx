import { authMessages } from '@flashsheet/contracts/auth/messages'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { UserMenu } from '../shell/user-menu.tsx'
import { ProfileScreen } from './profile-screen.tsx'

const field = (label: string) => page.getByRole('textbox', { name: label, exact: true })
const passwordField = (label: string) => page.getByLabelText(label, { exact: true })
const save = page.getByRole('button', { name: 'Save changes' })

test('a new password must match and needs the current one; the fields keep their text after a refusal and are emptied after a save', async () => {
  const { calls } = await renderWithAnswers(<ProfileScreen />, {
    auth: {
      me: () => ada,
      account: () => ({ hasPassword: true, pendingEmail: null, google: false }),
      updateProfile: ({ currentPassword }) => {
        if (currentPassword !== 'the right one')
          throw refusal(400, {
            message: authMessages.currentPasswordWrong,
            code: 'invalid',
            fields: { currentPassword: authMessages.currentPasswordWrong },
          })
        return ada
      },
    },
  })
  const sent = () => calls.filter(({ path }) => path === 'auth.updateProfile')
  await expect.element(field('Name')).toHaveValue('Ada Inkwell')
  await expect.element(passwordField('Current password')).not.toBeInTheDocument()
  await passwordField('Password').fill('a brand new one')
  await passwordField('Confirm password').fill('a brand new two')
  await save.click()
  await expect.element(page.getByText(authMessages.passwordsDiffer)).toBeVisible()
  await expect.element(page.getByText(authMessages.currentPasswordRequired)).toBeVisible()
  expect(sent()).toEqual([])
  await passwordField('Confirm password').fill('a brand new one')
  await passwordField('Current password').fill('not this one')
  await save.click()
  await expect.element(page.getByText(authMessages.currentPasswordWrong)).toBeVisible()
  await expect.element(passwordField('Password')).toHaveValue('a brand new one')
  await passwordField('Current password').fill('the right one')
  await save.click()
  await expect.element(page.getByText(authMessages.profileUpdated)).toBeVisible()
  await expect.element(passwordField('Password')).toHaveValue('')
  await expect.element(passwordField('Current password')).not.toBeInTheDocument()
  expect(sent()).toHaveLength(2)
})

test('a save that fails after the screen was left is reported by a toast', async () => {
  const answer = Promise.withResolvers<typeof ada>()
  const screen = await renderWithAnswers(<ProfileScreen />, {
    auth: {
      me: () => ada,
      account: () => ({ hasPassword: true, pendingEmail: null, google: false }),
      updateProfile: async () => await answer.promise,
    },
  })
  await field('Name').fill('Ada I.')
  await save.click()
  await expect.poll(() => screen.calls.some(({ path }) => path === 'auth.updateProfile')).toBe(true)
  await screen.unmount()
  answer.reject(
    refusal(400, { message: 'Please check.', code: 'invalid', fields: { name: 'This name is not possible.' } }),
  )
  const toast = page.getByRole('alertdialog')
  await expect.element(toast.getByText('Please check.')).toBeVisible()
  await expect.element(toast.getByText('This name is not possible.')).toBeVisible()
})

test('a new name needs no password, and is shown in the header at once', async () => {
  let user = ada
  const { calls } = await renderWithAnswers(
    <>
      <UserMenu />
      <ProfileScreen />
    </>,
    {
      auth: {
        me: () => user,
        account: () => ({ hasPassword: true, pendingEmail: null, google: false }),
        updateProfile: ({ name }) => (user = { ...user, name: name ?? user.name }),
      },
      subscription: { mine: () => null },
    },
  )
  await expect.element(field('Name')).toHaveValue('Ada Inkwell')
  await field('Name').fill('Nora Nadel')
  await save.click()
  await expect.element(page.getByText(authMessages.profileUpdated)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Account of Nora Nadel' })).toBeVisible()
  expect(calls).toContainEqual({
    path: 'auth.updateProfile',
    input: { _id: ada._id, name: 'Nora Nadel', password: '' },
  })
})

test('an account with Google alone has no password fields, and its address cannot be changed', async () => {
  await renderWithAnswers(<ProfileScreen />, {
    auth: { me: () => ada, account: () => ({ hasPassword: false, pendingEmail: null, google: true }) },
  })
  await expect.element(page.getByText(/^You log in with Google and have no password\./)).toBeVisible()
  await expect.element(field('Email')).toBeDisabled()
  await expect.element(passwordField('Password')).not.toBeInTheDocument()
  await expect
    .element(page.getByRole('link', { name: 'choose one in your settings' }))
    .toHaveAttribute('href', '/settings')
})

test('a new address that awaits confirmation is shown, and can be cancelled', async () => {
  let pendingEmail: string | null = 'new@studio.example'
  await renderWithAnswers(<ProfileScreen />, {
    auth: {
      me: () => ada,
      account: () => ({ hasPassword: true, pendingEmail, google: false }),
      cancelEmailChange: () => {
        pendingEmail = null
        return { message: authMessages.emailChangeCancelled }
      },
    },
  })
  await expect.element(page.getByText('new@studio.example')).toBeVisible()
  await page.getByRole('button', { name: 'Keep the old one' }).click()
  await expect.element(page.getByText(authMessages.emailChangeCancelled)).toBeVisible()
  await expect.element(page.getByText('Confirm your new address')).not.toBeInTheDocument()
})

test('a new password does not undo a name that was changed on another device', async () => {
  const { calls } = await renderWithAnswers(<ProfileScreen />, {
    auth: {
      me: () => ada,
      account: () => ({ hasPassword: true, pendingEmail: null, google: false }),
      updateProfile: () => ({ ...ada, name: 'Nora Nadel' }),
    },
  })
  await passwordField('Password').fill('a brand new one')
  await passwordField('Confirm password').fill('a brand new one')
  await passwordField('Current password').fill('the right one')
  await save.click()
  await expect.element(field('Name')).toHaveValue('Nora Nadel')
  expect(calls.filter(({ path }) => path === 'auth.updateProfile').map(({ input }) => input)).toEqual([
    { _id: ada._id, password: 'a brand new one', currentPassword: 'the right one' },
  ])
})
