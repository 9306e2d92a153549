import { expect, test } from 'vitest'
import { tokensOf } from './refusal.ts'

const now = new Date('2026-11-21T12:00:00Z')

test.each([
  [3600, '2026-11-21T13:00:00.000Z'],
  // No date has so many seconds.
  [1e20, '2036-11-18T12:00:00.000Z'],
  ['soon', undefined],
])('a token that lasts %s seconds expires at %s', (seconds, expiresAt) => {
  const tokens = tokensOf({ access_token: 'a', expires_in: seconds }, now)
  expect(tokens.accessExpiresAt?.toISOString()).toBe(expiresAt)
})
