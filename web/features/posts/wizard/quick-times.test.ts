import { expect, test } from 'vitest'
import { quickTimes } from './quick-times.ts'

const timesAt = (now: Date) => quickTimes(now).map(({ label, at }) => [label, at.getDay(), at.getHours()])

test('offers this evening, tomorrow morning and Monday evening', () => {
  expect(timesAt(new Date(2026, 10, 19, 9, 30))).toEqual([
    ['Tonight 7 PM', 4, 19],
    ['Tomorrow 10 AM', 5, 10],
    ['Monday 6 PM', 1, 18],
  ])
})

test('leaves out this evening from 6 PM on', () => {
  expect(timesAt(new Date(2026, 10, 19, 18)).map(([label]) => label)).toEqual(['Tomorrow 10 AM', 'Monday 6 PM'])
})

test('on a Monday offers the next one, on a Sunday the following day', () => {
  expect(quickTimes(new Date(2026, 10, 16, 9)).at(-1)).toEqual({
    label: 'Next Monday 6 PM',
    at: new Date(2026, 10, 23, 18),
  })
  expect(quickTimes(new Date(2026, 10, 22, 9)).at(-1)).toEqual({ label: 'Monday 6 PM', at: new Date(2026, 10, 23, 18) })
})
