import { describe, expect, test } from 'vitest'
import { minutesAt, nudgeOf } from './calendar-drag.ts'

describe('the time of a drop in the week and day view', () => {
  test.each([
    [0, 0],
    [24, 30],
    [35, 30],
    [37, 60],
    [-50, 0],
    [1152, 1410],
    [5000, 1410],
  ])('a drop at %i of 1152 pixels is minute %i', (height, minutes) => {
    expect(minutesAt(height, 1152)).toBe(minutes)
  })
})

describe('Alt with an arrow key', () => {
  test.each([
    ['ArrowLeft', true, { days: -1, minutes: 0 }],
    ['ArrowDown', true, { days: 7, minutes: 0 }],
    ['ArrowRight', false, { days: 1, minutes: 0 }],
    ['ArrowUp', false, { days: 0, minutes: -30 }],
    ['Enter', true, undefined],
  ] as const)('%s (in the month: %s) moves the entry by %j', (key, isMonth, by) => {
    expect(nudgeOf(key, isMonth)).toEqual(by)
  })
})
