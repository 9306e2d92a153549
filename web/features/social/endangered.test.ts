import { describe, expect, test } from 'vitest'
import { formatScheduled } from '../../lib/format.ts'
import { endangeredWords, isEndangered } from './endangered.ts'

const ends = '2026-12-01T12:00:00.000Z'

describe('planned posts in danger', () => {
  test('are told with the end, or as shut already', () => {
    expect(endangeredWords({ count: 1, endsAt: null, platform: 'facebook' })).toEqual({ title: 'A planned post cannot get to Facebook.', text: 'Connect the account again, and it goes out as planned.' })
    expect(endangeredWords({ count: 3, endsAt: ends, platform: 'linkedin' })).toEqual({
      title: '3 planned posts will not get to LinkedIn.',
      text: `LinkedIn lets us in until ${formatScheduled(ends)}. Connect the account again before then, and they go out as planned.`,
    })
  })

  test.each([
    ['of another account', { socialAccountId: 'b', status: 'scheduled' }, '2026-12-02T12:00:00.000Z', false],
    ['that is out', { socialAccountId: 'a', status: 'posted' }, '2026-12-02T12:00:00.000Z', false],
    ['before the end', { socialAccountId: 'a', status: 'scheduled' }, '2026-11-30T12:00:00.000Z', false],
    ['after the end', { socialAccountId: 'a', status: 'scheduled' }, '2026-12-02T12:00:00.000Z', true],
  ])('a page %s', (_what, variant, at, expected) => {
    expect(isEndangered({ socialAccountId: 'a', endsAt: ends }, variant, at)).toBe(expected)
  })
})
