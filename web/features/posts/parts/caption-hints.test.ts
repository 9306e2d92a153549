import { expect, test } from 'vitest'
import { captionWarnings, countHashtags, countMentions } from './caption-hints.ts'

const words = (caption: string, title = '') => ({ title, caption })

test('hashtags and mentions are counted where they begin a word', () => {
  expect(countHashtags('#blackwork #тату #花 a#b &#39; ##x')).toBe(4)
  expect(countMentions('@mara mail@example.com (@jonas.birk) @@')).toBe(2)
})

test('warns for Instagram above 5 hashtags and 20 mentions, and refuses above 30 hashtags; not for others', () => {
  const tags = (n: number) => Array.from({ length: n }, (_, at) => `#t${at}`).join(' ')
  expect(captionWarnings('instagram', words(tags(5)))).toEqual([])
  for (const n of [6, 30])
    expect(captionWarnings('instagram', words(tags(n)))).toEqual([
      `Instagram wants no more than 5 hashtags in a post. This caption has ${n}.`,
    ])
  expect(captionWarnings('instagram', words(tags(31)))).toEqual([
    'Instagram takes up to 30 hashtags. This caption has 31.',
  ])
  expect(captionWarnings('instagram', words(tags(31).replaceAll('#', '@')))).toEqual([
    expect.stringContaining('20 mentions'),
  ])
  expect(captionWarnings('facebook', words(tags(31)))).toEqual([])
})

test('counts bytes for YouTube and announces the replacement of angle brackets', () => {
  expect(captionWarnings('youtube', words('a'.repeat(2200)))).toEqual([])
  expect(captionWarnings('youtube', words('花'.repeat(1700)))).toHaveLength(1)
  expect(captionWarnings('youtube', words('', 'a < b'))).toEqual([expect.stringContaining('‹')])
})

test('counts escaped symbols twice for LinkedIn', () => {
  expect(captionWarnings('linkedin', words('a'.repeat(2200)))).toEqual([])
  expect(captionWarnings('linkedin', words('_'.repeat(1500)))).toEqual([])
  expect(captionWarnings('linkedin', words('_'.repeat(1501)))).toEqual([
    'LinkedIn will cut the end of this caption: it takes up to 3000 characters, some symbols count twice.',
  ])
})
