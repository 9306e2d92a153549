import { expect, test } from 'vitest'
import { googleOutcome, verifiedAs } from './rules.ts'

const verified = { emailVerifiedAt: new Date(0) }
const unverified = { emailVerifiedAt: null }

test.each([
  // known by its subject, Google vouches for the address, who holds the address, what follows
  [false, false, undefined, 'refuse'],
  [false, false, verified, 'refuse'],
  [false, false, unverified, 'refuse'],
  [false, true, unverified, 'take-over'],
  [false, true, verified, 'link'],
  [false, true, undefined, 'create'],
  [true, false, undefined, 'enter'],
  [true, true, verified, 'enter'],
] as const)('known %s, address verified %s, held by %j: %s', (known, emailVerified, holder, outcome) => {
  expect(googleOutcome({ emailVerified }, known, holder)).toBe(outcome)
})

test('the named admin becomes one when the address is proven, and nobody else does', () => {
  const now = new Date()
  expect(verifiedAs('boss@studio.example', 'boss@studio.example', now)).toEqual({ email: 'boss@studio.example', emailVerifiedAt: now, isAdmin: true })
  expect(verifiedAs('one@studio.example', 'boss@studio.example', now)).not.toHaveProperty('isAdmin')
  expect(verifiedAs('one@studio.example', undefined, now)).not.toHaveProperty('isAdmin')
})
