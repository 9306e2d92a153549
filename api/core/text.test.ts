import { expect, test } from 'vitest'
import { containsNul } from './text.ts'

test.each([
  ['a text', 'a\0b'],
  ['a list', ['a', ['\0']]],
  ['a value', { a: { b: 'c\0' } }],
  ['a name', { a: { 'b\0': 1 } }],
])('finds a NUL character in %s', (_where, value) => {
  expect(containsNul(value)).toBe(true)
})

test.each([[null], [undefined], [0], [''], [{ a: [1, null, { b: true }] }]])('finds none in %j', (value) => {
  expect(containsNul(value)).toBe(false)
})
