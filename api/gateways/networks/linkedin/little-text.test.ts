import { expect, test } from 'vitest'
import { fromLittleText, toLittleText } from './little-text.ts'

test.each([
  ['plain words stay', 'A dagger, one hour.', 'A dagger, one hour.'],
  ['each reserved character is escaped', String.raw`\|{}@[]()<>*_~`, String.raw`\\\|\{\}\@\[\]\(\)\<\>\*\_\~`],
  ['a hashtag stays a hashtag', '#tattoo and #blackwork!', '#tattoo and #blackwork!'],
  ['a hash that begins no tag is escaped', 'colour #, no# 5 # 6', String.raw`colour \#, no\# 5 \# 6`],
  ['an underscore ends a tag and is escaped', '#fine_line', String.raw`#fine\_line`],
  ['letters of any script', '#тату (#刺青)', String.raw`#тату \(\#刺青\)`],
])('%s, and unescapes to the original', (_what, given, expected) => {
  expect(toLittleText(given)).toBe(expected)
  expect(fromLittleText(expected)).toBe(given)
})
