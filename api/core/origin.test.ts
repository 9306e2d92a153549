import { describe, expect, test } from 'vitest'
import { mayUseSession } from './origin.ts'

const passes = (publicUrl: string, origin?: string, site?: string) => {
  try {
    return mayUseSession(publicUrl, { method: 'PUT', path: '/api/users/profile', origin, fetchSite: site })
  } catch {
    return false
  }
}

describe('on a public address', () => {
  const own = 'https://app.flashsheet.example'
  test.each([
    ['another site', 'https://evil.example', undefined, false],
    ['a look-alike', 'https://app.flashsheet.example.evil.example', undefined, false],
    ['http instead of https', 'http://app.flashsheet.example', undefined, false],
    ['an opaque origin', 'null', undefined, false],
    ['loopback', 'http://localhost:3000', undefined, false],
    ['no Origin, but cross-site', undefined, 'cross-site', false],
    ['itself', own, 'same-origin', true],
    ['no browser', undefined, undefined, true],
  ])('%s', (_what, origin, site, expected) => expect(passes(own, origin, site)).toBe(expected))
})

test('on loopback another loopback name on the same port is the same origin', () => {
  expect(passes('http://localhost:3000', 'http://127.0.0.1:3000')).toBe(true)
  expect(passes('http://localhost:3000', 'http://[::1]:3000')).toBe(true)
  expect(passes('http://localhost:3000', 'http://localhost:3001')).toBe(false)
  expect(passes('http://localhost:3000', 'https://127.0.0.1:3000')).toBe(false)
})

test('a path that needs no session is answered as anonymous for any origin', () => {
  const from = (method: string, path: string) => () =>
    mayUseSession('https://app.flashsheet.example', {
      method,
      path,
      origin: 'https://evil.example',
      fetchSite: undefined,
    })
  for (const path of [
    '/api/webhooks/stripe',
    '/api/users/verify-email',
    '/api/users/reset-password',
    '/api/appointments',
  ])
    expect(from('POST', path)()).toBe(false)
  for (const path of ['/api/users', '/api/users/auth', '/api/users/verify-email/more', '/api/appointments/1'])
    expect(from('POST', path)).toThrow()
  expect(from('DELETE', '/api/appointments')).toThrow()
})
