import { describe, expect, test } from 'vitest'
import { refuseForeignOrigin } from './origin.ts'

const passes = (publicUrl: string, origin?: string, site?: string) => {
  try {
    refuseForeignOrigin(publicUrl, origin, site)
    return true
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

test('on loopback another loopback name on the same port is the same place', () => {
  expect(passes('http://localhost:3000', 'http://127.0.0.1:3000')).toBe(true)
  expect(passes('http://localhost:3000', 'http://[::1]:3000')).toBe(true)
  expect(passes('http://localhost:3000', 'http://localhost:3001')).toBe(false)
})
