import { expect, test } from 'vitest'
import { googleOutcome, isAdminBySetting } from './rules.ts'

const verified = { emailVerifiedAt: new Date(0) }
const unverified = { emailVerifiedAt: null }

test.each([
  // identity is linked, address verified by Google, account of the address, result
  [false, false, undefined, 'refuse'],
  [false, false, verified, 'refuse'],
  [false, false, unverified, 'refuse'],
  [false, true, unverified, 'take-over'],
  [false, true, verified, 'link'],
  [false, true, undefined, 'create'],
  [true, false, undefined, 'sign-in'],
  [true, true, verified, 'sign-in'],
] as const)('linked %s, address verified %s, its account %j: %s', (isLinked, emailVerified, account, outcome) => {
  expect(googleOutcome({ emailVerified }, isLinked, account)).toBe(outcome)
})

const boss = {
  email: 'boss@studio.example',
  emailVerifiedAt: new Date(0),
  isAdmin: false,
  adminSettingUsedAt: null,
  deletionAskedAt: null,
}

test('the setting makes only this user an admin, once, after the mailbox is verified', () => {
  expect(isAdminBySetting(boss, 'boss@studio.example')).toBe(true)
  expect(isAdminBySetting(boss, undefined)).toBe(false)
  expect(isAdminBySetting({ ...boss, email: 'one@studio.example' }, 'boss@studio.example')).toBe(false)
  for (const change of [
    { emailVerifiedAt: null },
    { adminSettingUsedAt: new Date(0) },
    { deletionAskedAt: new Date(0) },
    { isAdmin: true },
  ]) {
    expect(isAdminBySetting({ ...boss, ...change }, 'boss@studio.example')).toBe(false)
  }
})
