import { expect, test } from 'vitest'
import { pagesToShow } from './pagination.tsx'

test.each([
  [1, 2, [1, 2]],
  [1, 10, [1, 2, null, 10]],
  [4, 10, [1, 2, 3, 4, 5, null, 10]],
  [5, 10, [1, null, 4, 5, 6, null, 10]],
  [3, 10, [1, 2, 3, 4, null, 10]],
  [8, 10, [1, null, 7, 8, 9, 10]],
  [10, 10, [1, null, 9, 10]],
  [2, 4, [1, 2, 3, 4]],
])('page %i of %i shows %j', (current, pages, shown) => {
  expect(pagesToShow(current, pages)).toEqual(shown)
})
