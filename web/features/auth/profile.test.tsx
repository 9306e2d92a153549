import { authMessages } from '@flashsheet/contracts/auth/messages'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { ProfileScreen } from './profile-screen.tsx'

const field = (label: string) => page.getByRole('textbox', { name: label, exact: true })
const secret = (label: string) => page.getByLabelText(label, { exact: true })
const save = page.getByRole('button', { name: 'Save changes' })

test('a new password must match and takes the current one; what is refused stays typed, what is saved does not', async () => {
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
  await expect.element(secret('Current password')).not.toBeInTheDocument()
  await secret('Password').fill('a brand new one')
  await secret('Confirm password').fill('a brand new two')
  await save.click()
  await expect.element(page.getByText(authMessages.passwordsDiffer)).toBeVisible()
  await expect.element(page.getByText(authMessages.currentPasswordRequired)).toBeVisible()
  expect(sent()).toEqual([])
  await secret('Confirm password').fill('a brand new one')
  await secret('Current password').fill('not this one')
  await save.click()
  await expect.element(page.getByText(authMessages.currentPasswordWrong)).toBeVisible()
  await expect.element(secret('Password')).toHaveValue('a brand new one')
  await secret('Current password').fill('the right one')
  await save.click()
  await expect.element(page.getByText(authMessages.profileUpdated)).toBeVisible()
  await expect.element(secret('Password')).toHaveValue('')
  await expect.element(secret('Current password')).not.toBeInTheDocument()
  expect(sent()).toHaveLength(2)
})

test('with Google alone there is no password, and the address cannot be changed', async () => {
  await renderWithAnswers(<ProfileScreen />, {
    auth: { me: () => ada, account: () => ({ hasPassword: false, pendingEmail: null, google: true }) },
  })
  await expect.element(page.getByText(/^You log in with Google and have no password\./)).toBeVisible()
  await expect.element(field('Email')).toBeDisabled()
  await expect.element(secret('Password')).not.toBeInTheDocument()
  await expect
    .element(page.getByRole('link', { name: 'choose one in your settings' }))
    .toHaveAttribute('href', '/settings')
})

test('an address that waits for its confirmation is named, and can be given up', async () => {
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
