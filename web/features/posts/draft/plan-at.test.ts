import { expect, test } from 'vitest'
import { newDraft } from './draft.ts'
import { removeUnusedTimes, cellTime, planAt } from './plan-at.ts'

const time = '2026-11-21T15:00:00.000Z'

test('a day without a time means ten o’clock, or today the next hour once ten has passed', () => {
  const now = new Date(2026, 10, 11, 14, 20)
  expect(cellTime('2026-11-12', null, now)).toEqual(new Date(2026, 10, 12, 10))
  expect(cellTime('2026-11-11', null, now)).toEqual(new Date(2026, 10, 11, 15))
  expect(cellTime('2026-11-11', 16 * 60 + 30, now)).toEqual(new Date(2026, 10, 11, 16, 30))
})

test('a click replaces the chosen times; a sent draft is replaced, a partly sent one is kept', () => {
  const before = { ...newDraft('d'), scheduledAt: ['2026-11-20T15:00:00.000Z', '2026-11-22T15:00:00.000Z'] }
  expect(planAt(before, time, 'e').scheduledAt).toEqual([time])
  const part = { ...before, sent: before.scheduledAt.slice(0, 1).map((sent) => ({ scheduledAt: sent, postId: 'p' })) }
  expect(planAt(part, time, 'e')).toBe(part)
  const whole = { ...before, sent: before.scheduledAt.map((sent) => ({ scheduledAt: sent, postId: 'p' })) }
  expect(planAt(whole, time, 'e')).toEqual({ ...newDraft('e'), scheduledAt: [time] })
})

test('drops the times of an empty draft, and keeps those of one with a picture or a caption', () => {
  const planned = { ...newDraft('d'), scheduledAt: [time] }
  expect(removeUnusedTimes(planned).scheduledAt).toEqual([])
  const written = { ...planned, global: { title: '', caption: 'Swallow' } }
  expect(removeUnusedTimes(written)).toBe(written)
  const sent = { ...planned, sent: [{ scheduledAt: time, postId: 'p' }] }
  expect(removeUnusedTimes(sent)).toBe(sent)
})
