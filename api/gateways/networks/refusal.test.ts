import { expect, test } from 'vitest'
import { byStatus, refreshTokenOf, tokensOf, withRetryAfter } from './refusal.ts'

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

test('throws `reconnect` where there is no refresh token', () => {
  const tokens = tokensOf({ access_token: 'a' }, now)
  expect(() => refreshTokenOf('youtube', tokens)).toThrow(
    expect.objectContaining({ class: 'reconnect', message: 'YouTube needs you to connect this account again.' }),
  )
})

test.each([
  [302, 'retry'],
  [400, 'permanent'],
  [401, 'reconnect'],
  [404, 'permanent'],
  [408, 'retry'],
  [429, 'later'],
  [500, 'retry'],
  [503, 'retry'],
])('status %s without a code of the network means %s', (status, meaning) => {
  expect(byStatus(status)).toEqual({ class: meaning })
})

test.each([
  [429, 'retry', { class: 'later', retryAt: new Date('2026-11-21T12:01:30Z') }],
  [429, 'later', { class: 'later', retryAt: new Date('2026-11-21T12:01:30Z') }],
  [429, 'permanent', { class: 'permanent' }],
  [429, 'reconnect', { class: 'reconnect' }],
  [503, 'retry', { class: 'retry' }],
] as const)('Retry-After on %s with %s means %j', (status, meaning, expected) => {
  const headers = new Headers({ 'retry-after': '90' })
  expect(withRetryAfter({ class: meaning }, { status, headers, body: {}, irreversible: false, now })).toEqual(expected)
})
