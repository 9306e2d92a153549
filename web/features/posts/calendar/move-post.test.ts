import { describe, expect, test } from 'vitest'
import { droppedAt, nudgedAt } from './move-post.ts'

const at = new Date(2026, 10, 11, 15, 20).getTime()

describe('a post that is moved', () => {
  test('to another day keeps its hour', () => {
    expect(new Date(droppedAt(at, { day: '2026-12-01', minutes: null }))).toEqual(new Date(2026, 11, 1, 15, 20))
  })

  test('to another hour gets that hour', () => {
    expect(new Date(droppedAt(at, { day: '2026-11-12', minutes: 570 }))).toEqual(new Date(2026, 10, 12, 9, 30))
  })

  test('by keys moves by calendar days and by minutes', () => {
    expect(new Date(nudgedAt(at, { days: -7, minutes: 0 }))).toEqual(new Date(2026, 10, 4, 15, 20))
    expect(nudgedAt(at, { days: 0, minutes: 30 })).toBe(at + 1_800_000)
    const beforeTheClocksChange = new Date(2026, 9, 31, 12, 0).getTime()
    expect(new Date(nudgedAt(beforeTheClocksChange, { days: 1, minutes: 0 })).getHours()).toBe(12)
  })
})
