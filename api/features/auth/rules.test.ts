import { expect, test } from 'vitest'
import { googleOutcome, isNamedAdmin } from './rules.ts'

const verified = { emailVerifiedAt: new Date(0) }
const unverified = { emailVerifiedAt: null }

test.each([
  // known by subject, address verified by Google, owner of the address, result
  [false, false, undefined, 'refuse'],
  [false, false, verified, 'refuse'],
  [false, false, unverified, 'refuse'],
  [false, true, unverified, 'take-over'],
  [false, true, verified, 'link'],
  [false, true, undefined, 'create'],
  [true, false, undefined, 'enter'],
  [true, true, verified, 'enter'],
] as const)('known %s, address verified %s, owned by %j: %s', (known, emailVerified, holder, outcome) => {
  expect(googleOutcome({ emailVerified }, known, holder)).toBe(outcome)
})

const boss = {
  email: 'boss@studio.example',
  emailVerifiedAt: new Date(0),
  isAdmin: false,
  adminSettingUsedAt: null,
  deletionAskedAt: null,
}

test('the setting makes an admin once the mailbox is verified, once, and nobody else', () => {
  expect(isNamedAdmin(boss, 'boss@studio.example')).toBe(true)
  expect(isNamedAdmin(boss, undefined)).toBe(false)
  expect(isNamedAdmin({ ...boss, email: 'one@studio.example' }, 'boss@studio.example')).toBe(false)
  for (const change of [
    { emailVerifiedAt: null },
    { adminSettingUsedAt: new Date(0) },
    { deletionAskedAt: new Date(0) },
    { isAdmin: true },
  ]) {
    expect(isNamedAdmin({ ...boss, ...change }, 'boss@studio.example')).toBe(false)
  }
})
