import { describe, expect, test } from 'vitest'
import { answers, helpScreens } from './answers.ts'
import { searchAnswers } from './search-answers.ts'

test('every screen has answers, and every answer has a screen and a unique id', () => {
  for (const { id } of helpScreens)
    expect(answers.filter((answer) => answer.screen === id).length, id).toBeGreaterThanOrEqual(3)
  expect(new Set(answers.map((answer) => answer.id)).size).toBe(answers.length)
  for (const { id, question, answer } of answers) {
    expect(id).toMatch(/^[a-z][a-z-]+$/)
    expect(question).toMatch(/[.?]$/)
    for (const paragraph of answer) expect(paragraph, id).toMatch(/^[A-Z0-9].*[.]$/s)
    expect(answer.join(' '), id).not.toMatch(/undefined|NaN/)
  }
})

describe('searching', () => {
  const first = (query: string) => searchAnswers(answers, query)[0]?.id
  test.each([
    ['how do I cancel', 'cancel-plan'],
    ['CANCEL', 'cancel-plan'],
    ['card', 'change-card'],
    ['double booking', 'double-booking'],
    ['heic', 'file-limits'],
    ['dark mode', 'dark-mode'],
    ['Zeitzone', undefined],
    ['timezone', 'time-of-posts'],
    ['delete account', 'delete-account'],
    ['fáiled', 'post-failed'],
    ['hacked', 'other-devices'],
    ['refund', 'refund'],
    ['xyzzy', undefined],
  ])('%s finds %s', (query, id) => {
    expect(first(query)).toBe(id)
  })

  test('an empty search, or one of punctuation only, returns all answers', () => {
    expect(searchAnswers(answers, '')).toEqual(answers)
    expect(searchAnswers(answers, ' ?! ')).toEqual(answers)
  })

  test('finds every answer by its own question', () => {
    for (const answer of answers) expect(searchAnswers(answers, answer.question), answer.question).toContain(answer)
  })
})
