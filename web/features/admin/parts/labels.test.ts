import { expect, test } from 'vitest'
import { formatChange, formatCount } from './labels.ts'

test.each([
  [5.2, '+5.2%'],
  [0, '+0%'],
  [-2.54, '−2.5%'],
  [1234.5, '+1,234.5%'],
  [null, '—'],
])('a change of %s reads %s', (percent, words) => {
  expect(formatChange(percent)).toBe(words)
})

test('counts have a singular or plural noun', () => {
  expect([formatCount(1, 'artist'), formatCount(1024, 'artist'), formatCount(0, 'reply', 'replies')]).toEqual([
    '1 artist',
    '1,024 artists',
    '0 replies',
  ])
})
