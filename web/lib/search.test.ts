import { expect, test } from 'vitest'
import { oneOf } from './read-stored-json.ts'
import { instant, integer, searchValidator, text } from './search.ts'

const read = searchValidator({ page: integer(2, 9), word: text(3), sort: oneOf(['new', 'old']), at: instant })

test('reads valid parameters, numbers from text and text from numbers', () => {
  expect(read({ page: '3', word: 12, sort: 'old', at: '2026-11-21T17:00:00.000Z' })).toEqual({
    page: 3,
    word: '12',
    sort: 'old',
    at: '2026-11-21T17:00:00.000Z',
  })
})

test.each([
  ['nothing', {}],
  ['a value too small, too long or not in the list', { page: 1, word: 'long', sort: 'up', at: 'today' }],
  ['a value too large, empty or of another type', { page: 10, word: '', sort: ['new'], at: 7 }],
  ['a list, an object, null', { page: ['3'], word: { a: 1 }, sort: null, at: {} }],
])('%s becomes undefined, which overrides the parameter in the URL', (_what, search) => {
  expect(read(search)).toStrictEqual({ page: undefined, word: undefined, sort: undefined, at: undefined })
})
