import { expect, test } from 'vitest'
import { createRoundRobin } from './round-robin.ts'

const full = () => {
  const waiting = createRoundRobin<string>({ waiting: 2, waitingPerOwner: 2 })
  expect([waiting.add('ada', 'a'), waiting.add('ben', 'b'), waiting.add('cleo', 'c')]).toEqual([true, true, false])
  return waiting
}

test('an item that was taken leaves its place to another', () => {
  const waiting = full()
  expect(waiting.take()).toBe('a')
  expect([waiting.add('cleo', 'c'), waiting.add('dan', 'd')]).toEqual([true, false])
})

test('an item that was removed leaves its place to another, and is not taken', () => {
  const waiting = full()
  waiting.remove('ada', 'a')
  expect([waiting.add('cleo', 'c'), waiting.add('dan', 'd')]).toEqual([true, false])
  expect(waiting.takeAll()).toEqual(['b', 'c'])
})

test('all items that were taken together leave their places to others', () => {
  const waiting = full()
  expect(waiting.takeAll()).toEqual(['a', 'b'])
  expect([waiting.add('ada', 'c'), waiting.add('ada', 'd'), waiting.add('ada', 'e')]).toEqual([true, true, false])
})

test('an owner who is busy is passed over, and has its turn later', () => {
  const waiting = full()
  expect(waiting.take(new Set(['ada']))).toBe('b')
  expect(waiting.take(new Set(['ada']))).toBeUndefined()
  expect(waiting.take()).toBe('a')
})
