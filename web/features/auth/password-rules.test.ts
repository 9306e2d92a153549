import { authMessages } from '@flashsheet/contracts/auth/messages'
import { describe, expect, test } from 'vitest'
import { needsCurrentPassword, profileErrors, resetErrors } from './password-rules.ts'

describe('a password reset', () => {
  test.each([
    ['', '', { newPassword: authMessages.fillAllFields, confirm: authMessages.fillAllFields }],
    ['123456', '', { confirm: authMessages.fillAllFields }],
    ['', '123456', { newPassword: authMessages.fillAllFields }],
    ['123', '1234', { confirm: authMessages.passwordsDiffer }],
    ['12345', '12345', { newPassword: authMessages.passwordTooShort }],
    ['x'.repeat(201), 'x'.repeat(201), { newPassword: authMessages.passwordTooLong }],
    ['123456', '123456', {}],
  ])('password "%s" with confirmation "%s" has the errors %j', (newPassword, confirm, errors) =>
    expect(resetErrors({ newPassword, confirm })).toEqual(errors),
  )
})

describe('a profile', () => {
  const account = { _id: 'a', email: 'mara@studio.example', hasPassword: true }
  const unchanged = { name: 'Mara', email: 'mara@studio.example', password: '', confirm: '', currentPassword: '' }

  test.each([
    [{ name: ' ' }, { name: authMessages.nameRequired }],
    [{ email: '' }, { email: authMessages.emailRequired, currentPassword: authMessages.currentPasswordRequired }],
    [{ email: 'new@studio.example' }, { currentPassword: authMessages.currentPasswordRequired }],
    [
      { password: 'a new one' },
      { confirm: authMessages.passwordsDiffer, currentPassword: authMessages.currentPasswordRequired },
    ],
    [{ password: '123', confirm: '123', currentPassword: 'old' }, { password: authMessages.passwordTooShort }],
    [{ confirm: 'left over' }, { confirm: authMessages.passwordsDiffer }],
    [{ name: 'New', email: ' MARA@studio.example ' }, {}],
    [{ password: 'a new one', confirm: 'a new one', currentPassword: 'old' }, {}],
  ])('a change of %j has the errors %j', (change, errors) =>
    expect(profileErrors({ ...unchanged, ...change }, account)).toEqual(errors),
  )

  test('an account without a password does not need the current one', () => {
    const values = { ...unchanged, password: 'the first', confirm: 'the first' }
    expect(needsCurrentPassword(values, { ...account, hasPassword: false })).toBe(false)
    expect(profileErrors(values, { ...account, hasPassword: false })).toEqual({})
  })
})
