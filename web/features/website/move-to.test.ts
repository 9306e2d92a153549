import { expect, test } from 'vitest'
import { moveTo } from './move-to.ts'

test('a picture takes the place it is moved to, and the others keep their order', () => {
  expect(moveTo(['a', 'b', 'c', 'd'], 'a', 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moveTo(['a', 'b', 'c', 'd'], 'd', 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(moveTo(['a', 'b'], 'a', 0)).toEqual(['a', 'b'])
})

test('one that has left the gallery meanwhile moves nothing', () => {
  expect(moveTo(['a', 'b'], 'c', 0)).toEqual(['a', 'b'])
})
