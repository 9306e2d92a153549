import { expect, test } from 'vitest'
import { acceptsEncoding } from './accepts-encoding.ts'

test.each([
  ['br', true],
  ['gzip, deflate, br', true],
  ['gzip,BR;q=0.5', true],
  ['br ; q=1.0', true],
  ['', false],
  ['gzip', false],
  ['*', false],
  ['x-br, brotli', false],
  ['br;q=0, gzip', false],
  ['gzip, br; Q=0.000', false],
])('of “%s” brotli is accepted: %s', (header, isAccepted) => {
  expect(acceptsEncoding(header, 'br')).toBe(isAccepted)
})
