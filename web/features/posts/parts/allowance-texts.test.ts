import type { PageAllowance } from '@flashsheet/contracts/posts/schema'
import { describe, expect, test } from 'vitest'
import { formatScheduled } from '../../../lib/format.ts'
import { delaysOf, waitReason, allowanceText, waitText } from './allowance-texts.ts'

const frees = '2026-11-22T08:01:00.000Z'
const allowance = (at: PageAllowance['at'], shared = false): PageAllowance => ({
  socialAccountId: 'a',
  pageId: 'p',
  limit: 30,
  shared,
  sentence: 'They are used up.',
  at,
})
const left = (count: number, time = '2026-11-21T12:00:00.000Z') => ({
  time,
  left: count,
  freesAt: count === 0 ? frees : null,
})

test('shows the remaining allowance', () => {
  expect(allowanceText(allowance([left(28)]))).toBe('28 posts left today')
  expect(allowanceText(allowance([left(3)], true))).toBe('3 posts left today for everybody on Flashsheet')
  expect(allowanceText(allowance([left(1)]))).toBe('1 post left today')
})

test('shows until when a page has to wait', () => {
  expect(waitText(allowance([left(1)]))).toBeNull()
  expect(waitText(allowance([left(0)]))).toContain(`would go out by itself on ${formatScheduled(frees)}.`)
})

describe('delays', () => {
  const pages = [
    { key: 'a:p', name: 'Black Quill' },
    { key: 'b:q', name: 'Other' },
  ]
  const allowances = new Map([
    ['a:p', allowance([left(0), left(2, '2026-11-25T12:00:00.000Z'), left(0, '2026-11-21T14:00:00.000Z')])],
  ])

  test('are those of a post now if no time is chosen', () => {
    expect(delaysOf(pages, allowances, false)).toEqual([
      { key: 'a:p', page: 'Black Quill', sentence: 'They are used up.', times: [{ planned: null, freesAt: frees }] },
    ])
  })

  test('are those of the chosen times only, if any are chosen', () => {
    expect(delaysOf(pages, allowances, true)[0]?.times).toEqual([
      { planned: '2026-11-21T14:00:00.000Z', freesAt: frees },
    ])
  })

  test('are empty while something is left', () => {
    expect(delaysOf(pages, new Map([['a:p', allowance([left(1)])]]), false)).toEqual([])
  })
})

test('shows why a page waits, and the time of the next try', () => {
  expect(waitReason({ errorMessage: null, nextTryAt: null })).toBeNull()
  expect(waitReason({ errorMessage: 'Facebook is not answering right now.', nextTryAt: frees })).toBe(
    `Facebook is not answering right now. It goes on by itself: next try ${formatScheduled(frees)}.`,
  )
})
