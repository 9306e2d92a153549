import { describe, expect, test } from 'vitest'
import { formatScheduled } from '../../lib/format.ts'
import { endangeredSummary, endangeredText, isEndangered } from './endangered.ts'

type Endangered = Parameters<typeof endangeredSummary>[0][number]

const ends = '2026-12-01T12:00:00.000Z'

describe('scheduled posts of an account that must be reconnected', () => {
  test('are announced with the deadline, or as already blocked', () => {
    expect(endangeredText({ count: 1, endsAt: null, platform: 'facebook' })).toEqual({
      title: 'A planned post cannot get to Facebook.',
      text: 'Connect the account again, and it goes out as planned.',
    })
    expect(endangeredText({ count: 3, endsAt: ends, platform: 'linkedin' })).toEqual({
      title: '3 planned posts will not get to LinkedIn.',
      text: `LinkedIn lets us in until ${formatScheduled(ends)}. Connect the account again before then, and they go out as planned.`,
    })
  })

  test('are counted once in one note for several accounts', () => {
    const facebook: Endangered = { count: 2, endsAt: null, platform: 'facebook', ids: ['p1', 'p2'] }
    const linkedin: Endangered = { count: 2, endsAt: ends, platform: 'linkedin', ids: ['p2', 'p3'] }
    const later: Endangered = { count: 1, endsAt: '2026-12-09T12:00:00.000Z', platform: 'tiktok', ids: ['p2'] }
    expect(endangeredSummary([facebook, { ...facebook, ids: ['p2', 'p1'] }, linkedin])).toEqual({
      beforeLink: '3 planned posts cannot get to Facebook and LinkedIn until you',
      linkText: 'connect the 3 accounts again',
      afterLink: '.',
    })
    expect(endangeredSummary([later, { ...linkedin, count: 1, ids: ['p2'] }])).toEqual({
      beforeLink: 'A planned post will not get to TikTok and LinkedIn unless you',
      linkText: 'connect the 2 accounts again',
      afterLink: ` before ${formatScheduled(ends)}.`,
    })
  })

  test.each([
    [
      'of another account is not affected',
      { socialAccountId: 'b', status: 'scheduled' },
      '2026-12-02T12:00:00.000Z',
      false,
    ],
    [
      'that is posted already is not affected',
      { socialAccountId: 'a', status: 'posted' },
      '2026-12-02T12:00:00.000Z',
      false,
    ],
    [
      'before the deadline is not affected',
      { socialAccountId: 'a', status: 'scheduled' },
      '2026-11-30T12:00:00.000Z',
      false,
    ],
    ['after the deadline is affected', { socialAccountId: 'a', status: 'scheduled' }, '2026-12-02T12:00:00.000Z', true],
  ])('a page %s', (_what, variant, at, expected) => {
    expect(isEndangered({ socialAccountId: 'a', endsAt: ends }, variant, at)).toBe(expected)
  })
})
