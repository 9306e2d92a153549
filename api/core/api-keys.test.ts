import { expect, test } from 'vitest'
import { isKey, newKey } from './api-keys.ts'

const valid = 'fs_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0omAup'

test('recognises a key by its form and checksum', () => {
  expect(isKey(valid)).toBe(true)
  expect(isKey(valid.replace('fs_test_', 'fs_live_'))).toBe(true)
})

test.each([
  ['one character changed', valid.replace('5', '6')],
  ['a checksum that is not its own', `${valid.slice(0, -1)}q`],
  ['one character missing', valid.slice(1)],
  ['one character more', `${valid}0`],
  ['another prefix', valid.replace('fs_', 'sk_')],
  ['nothing', ''],
])('rejects a key with %s', (_what, text) => {
  expect(isKey(text)).toBe(false)
})

test('makes unique keys with the prefix of their environment', () => {
  const keys = Array.from({ length: 200 }, () => newKey({ sandbox: undefined }).key)
  expect(new Set(keys).size).toBe(200)
  for (const key of keys) {
    expect(key).toMatch(/^fs_live_[0-9A-Za-z]{46}$/)
    expect(isKey(key)).toBe(true)
  }
})
