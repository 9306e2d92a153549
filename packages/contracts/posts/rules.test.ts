import { expect, test } from 'vitest'
import { calendarTitleMax } from './limits.ts'
import { calendarTitle } from './rules.ts'

test('a long text is cut between two characters for the calendar', () => {
  const letters = 'a'.repeat(calendarTitleMax - 1)
  expect(calendarTitle([{ title: '', message: `${letters}🐟 koi` }])).toBe(letters)
  expect(calendarTitle([{ title: '', message: `${letters}bc` }])).toBe(`${letters}b`)
})
