import { expect, test } from 'vitest'
import { instantInput } from './instant.ts'

test.each([
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00+14:00',
  '9999-12-31T23:59:59-23:59',
  '2026-12-01',
  '2026-12-01T10:00:00',
])('an instant that the database cannot store, or without an offset, is refused: %s', (text) => {
  expect(
    instantInput('no')
      .safeParse(text)
      .error?.issues.map((issue) => issue.message),
  ).toEqual(['no'])
})

test.each(['0001-01-01T00:00:00Z', '2026-12-01T10:00Z', '2026-12-01T10:00:00.5+02:00', '9999-12-31T23:59:59Z'])(
  'an instant may have any year that the database stores: %s',
  (text) => {
    expect(instantInput().safeParse(text).success).toBe(true)
  },
)
