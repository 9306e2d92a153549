import { expect, test } from 'vitest'
import { anchorOf, pageOf } from './cursor.ts'

const id = '019a0000-0000-7000-8000-000000000001'
const encoded = (text: string) => Buffer.from(text).toString('base64url')

test.each([
  'not a cursor',
  encoded(`0000-01-01T00:00:00.000Z ${id}`),
  encoded(`2026-13-01T00:00:00.000Z ${id}`),
  encoded('2026-12-01T00:00:00.000Z 1'),
])('refuses a cursor that no page gave: %s', (cursor) => {
  expect(() => anchorOf(cursor)).toThrow('cursor')
})

test('a page has the cursor of its last row if there are more', () => {
  const at = new Date('2026-12-01T00:00:00Z')
  const { items, next } = pageOf([1, 2, 3], 2, () => ({ at, id }))
  expect([items, anchorOf(next)]).toEqual([[1, 2], { at, id }])
  expect(pageOf([1, 2], 2, () => ({ at, id })).next).toBeUndefined()
})
