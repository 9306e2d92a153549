import { expect, test } from 'vitest'
import { moveTo } from './move-to.ts'

test('moves an id to an index and keeps the order of the others', () => {
  expect(moveTo(['a', 'b', 'c', 'd'], 'a', 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moveTo(['a', 'b', 'c', 'd'], 'd', 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(moveTo(['a', 'b'], 'a', 0)).toEqual(['a', 'b'])
})

test('changes nothing when the id is no longer in the list', () => {
  expect(moveTo(['a', 'b'], 'c', 0)).toEqual(['a', 'b'])
})
