import { expect, test } from 'vitest'
import { changeWords, countWords } from './words.ts'

test.each([
  [5.2, '+5.2%'],
  [0, '+0%'],
  [-2.54, '−2.5%'],
  [1234.5, '+1,234.5%'],
  [null, '—'],
])('a change of %s reads %s', (percent, words) => {
  expect(changeWords(percent)).toBe(words)
})

test('counts have a singular or plural noun', () => {
  expect([countWords(1, 'artist'), countWords(1024, 'artist'), countWords(0, 'reply', 'replies')]).toEqual([
    '1 artist',
    '1,024 artists',
    '0 replies',
  ])
})
