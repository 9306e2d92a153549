import { expect, test } from 'vitest'
import { isKey, newKey } from './api-keys.ts'

const known = 'fs_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0omAup'

test('a key is known by its checksum alone', () => {
  expect(isKey(known)).toBe(true)
  expect(isKey(known.replace('fs_test_', 'fs_live_'))).toBe(true)
})

test.each([
  ['one character changed', known.replace('5', '6')],
  ['a checksum that is not its own', `${known.slice(0, -1)}q`],
  ['one character missing', known.slice(1)],
  ['one more', `${known}0`],
  ['another prefix', known.replace('fs_', 'sk_')],
  ['nothing', ''],
])('what has %s is no key', (_what, text) => {
  expect(isKey(text)).toBe(false)
})

test('a new key says where it is from, and no two are alike', () => {
  const keys = Array.from({ length: 200 }, () => newKey({ sandbox: undefined }).key)
  expect(new Set(keys).size).toBe(200)
  for (const key of keys) {
    expect(key).toMatch(/^fs_live_[0-9A-Za-z]{46}$/)
    expect(isKey(key)).toBe(true)
  }
})
