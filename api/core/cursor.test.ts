import { expect, test } from 'vitest'
import { cursorsOf } from './cursor.ts'
import { ownerScope } from './scope.ts'

const id = '019a0000-0000-7000-8000-000000000001'
const at = new Date('2026-12-01T00:00:00Z')
const encoded = (text: string) => Buffer.from(text).toString('base64url')
const cursors = cursorsOf('posts', ownerScope('ada'))
const cursor = cursors.pageOf([1, 2, 3], 2, () => ({ at, id })).next ?? ''

test.each([
  '',
  'not a cursor',
  encoded(`0000-01-01T00:00:00.000Z ${id} 0123456789abcdef`),
  encoded(`2026-13-01T00:00:00.000Z ${id} 0123456789abcdef`),
  encoded('2026-12-01T00:00:00.000Z 1 0123456789abcdef'),
  encoded(`${at.toISOString()} ${id}`),
  `${cursor}=`,
  cursor.slice(0, -1),
])('refuses a cursor that no page gave: %s', (text) => {
  expect(() => cursors.anchorOf(text)).toThrow('cursor')
})

test('refuses a cursor that was changed in any character', () => {
  for (let place = 0; place < cursor.length; place++) {
    const other = cursor[place] === 'A' ? 'B' : 'A'
    const changed = cursor.slice(0, place) + other + cursor.slice(place + 1)
    expect(() => cursors.anchorOf(changed), changed).toThrow('cursor')
  }
})

test.each([
  ['list', cursorsOf('drafts', ownerScope('ada'))],
  ['artist', cursorsOf('posts', ownerScope('ben'))],
])('refuses a cursor of another %s', (_of, others) => {
  expect(() => others.anchorOf(cursor)).toThrow('cursor')
})

test('a page has the cursor of its last row if there are more', () => {
  expect(cursors.pageOf([1, 2, 3], 2, () => ({ at, id })).items).toEqual([1, 2])
  expect(cursors.anchorOf(cursor)).toEqual({ at, id })
  expect(cursors.pageOf([1, 2], 2, () => ({ at, id })).next).toBeUndefined()
})
