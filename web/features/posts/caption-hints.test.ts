import { expect, test } from 'vitest'
import { captionWarnings, countHashtags, countMentions } from './caption-hints.ts'

const words = (caption: string, title = '') => ({ title, caption })

test('hashtags and mentions are counted where they begin a word', () => {
  expect(countHashtags('#blackwork #тату #花 a#b &#39; ##x')).toBe(4)
  expect(countMentions('@mara mail@example.com (@jonas.birk) @@')).toBe(2)
})

test('Instagram warns above 30 hashtags and 20 mentions, others do not', () => {
  const tags = (n: number) => Array.from({ length: n }, (_, at) => `#t${at}`).join(' ')
  expect(captionWarnings('instagram', words(tags(30)))).toEqual([])
  expect(captionWarnings('instagram', words(tags(31)))).toEqual([expect.stringContaining('31')])
  expect(captionWarnings('instagram', words(tags(31).replaceAll('#', '@')))).toEqual([expect.stringContaining('20 mentions')])
  expect(captionWarnings('facebook', words(tags(31)))).toEqual([])
})

test('YouTube counts bytes and says what becomes of angle brackets', () => {
  expect(captionWarnings('youtube', words('a'.repeat(2200)))).toEqual([])
  expect(captionWarnings('youtube', words('花'.repeat(1700)))).toHaveLength(1)
  expect(captionWarnings('youtube', words('', 'a < b'))).toEqual([expect.stringContaining('‹')])
})
