import { expect, test } from 'vitest'
import { calendarTitleMax } from './limits.ts'
import { calendarTitle, leastVisible, networkTexts, postTitle, shortTitle } from './rules.ts'

test('a long text is cut between two characters for the calendar', () => {
  const letters = 'a'.repeat(calendarTitleMax - 1)
  expect(calendarTitle([{ title: '', message: `${letters}🐟 koi` }])).toBe(letters)
  expect(calendarTitle([{ title: '', message: `${letters}bc` }])).toBe(`${letters}b`)
})

test('a post is listed by its title, otherwise by its message', () => {
  expect(postTitle([{ title: 'Koi', message: 'Healed' }])).toBe('Koi')
  expect(postTitle([{ title: '', message: 'Healed' }])).toBe('Healed')
  expect(postTitle([])).toBe('Untitled Post')
})

test('a text is cut to exactly what a network takes, with an ellipsis', () => {
  const { text } = networkTexts('instagram', { title: '', message: 'a'.repeat(2201) }, false)
  expect(text).toBe(`${'a'.repeat(2199)}…`)
  expect(networkTexts('instagram', { title: '', message: 'a'.repeat(2200) }, false).text).toBe('a'.repeat(2200))
})

test('YouTube counts the bytes of a text', () => {
  const { text } = networkTexts('youtube', { title: 'T', message: '刺'.repeat(1700) }, true)
  expect(text).toBe(`${'刺'.repeat(1665)}…`)
  expect(new TextEncoder().encode(text).length).toBe(4998)
})

test('a text is not cut within a character of several code points', () => {
  const { text } = networkTexts('youtube', { title: 'T', message: `abcd${'क्ष'.repeat(600)}` }, true)
  expect(text).toBe(`abcd${'क्ष'.repeat(554)}…`)
  const { text: emoji } = networkTexts('instagram', { title: '', message: `abcd${'👩🏽‍🎨'.repeat(400)}` }, false)
  expect(emoji).toBe(`abcd${'👩🏽‍🎨'.repeat(313)}…`)
})

test('a title that is cut after a word ends with the word', () => {
  const title = `${'a'.repeat(99)} and more`
  expect(networkTexts('youtube', { title, message: '' }, true).title).toBe('a'.repeat(99))
})

test('a title in a list is its first line, cut', () => {
  expect(shortTitle(' Koi\nfor Ada')).toBe('Koi')
  expect(shortTitle('Koi for Ada', 5)).toBe('Koi …')
})

test('the smallest audience is preferred, and nobody else if none is offered', () => {
  expect(leastVisible(['PUBLIC_TO_EVERYONE', 'FOLLOWER_OF_CREATOR'])).toBe('FOLLOWER_OF_CREATOR')
  expect(leastVisible([])).toBe('SELF_ONLY')
})
