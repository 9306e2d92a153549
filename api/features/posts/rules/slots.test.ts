import { describe, expect, test } from 'vitest'
import { connectedSlots, firstFree, slotKey, slotsAfter } from './slots.ts'

const newYork = 'America/New_York'
const everyDay = [1, 2, 3, 4, 5, 6, 7]
const page = (pageId: string) => ({ socialAccountId: 'a', pageId })
const first = (count: number, slots: Parameters<typeof slotsAfter>[0], after: string, zone = newYork) =>
  [...slotsAfter(slots, zone, new Date(after)).take(count)].map(({ at }) => at.toISOString())

describe('the slots of a queue', () => {
  test('are none without rules', () => {
    expect(first(1, [], '2026-11-23T12:00:00Z')).toEqual([])
  })

  test('follow the weekdays, Monday being 1, and begin after the given instant', () => {
    const slots = [
      { days: [3], time: '18:00' },
      { days: [1, 3], time: '09:00' },
    ]
    // A Monday, at nine in New York to the minute.
    expect(first(3, slots, '2026-11-23T14:00:00Z')).toEqual([
      '2026-11-25T14:00:00.000Z',
      '2026-11-25T23:00:00.000Z',
      '2026-11-30T14:00:00.000Z',
    ])
  })

  test('keep their wall time across both clock changes', () => {
    expect(first(3, [{ days: everyDay, time: '09:00' }], '2026-03-07T00:00:00Z')).toEqual([
      '2026-03-07T14:00:00.000Z',
      '2026-03-08T13:00:00.000Z',
      '2026-03-09T13:00:00.000Z',
    ])
    expect(first(2, [{ days: everyDay, time: '09:00' }], '2026-10-31T12:00:00Z')).toEqual([
      '2026-10-31T13:00:00.000Z',
      '2026-11-01T14:00:00.000Z',
    ])
  })

  test('move forward out of a skipped hour, and occur once in a repeated one', () => {
    const night = [{ days: [7], time: '02:30' }]
    expect(first(1, night, '2026-03-08T00:00:00Z')).toEqual(['2026-03-08T07:30:00.000Z'])
    expect(first(2, [{ days: [7], time: '01:30' }], '2026-11-01T00:00:00Z')).toEqual([
      '2026-11-01T05:30:00.000Z',
      '2026-11-08T06:30:00.000Z',
    ])
  })

  test('of two rules that a clock change moves to one instant are one slot, for the pages of both', () => {
    const slots = [
      { days: [7], time: '02:30', pages: [page('1')] },
      { days: [7], time: '03:30', pages: [page('2')] },
    ]
    const [slot] = slotsAfter(slots, newYork, new Date('2026-03-08T00:00:00Z'))
    expect(slot).toEqual({ at: new Date('2026-03-08T07:30:00Z'), pages: [page('1'), page('2')] })
  })

  test('name each page once, also one of two rules for one instant', () => {
    const slots = [
      { days: [1], time: '09:00', pages: [page('1'), page('2')] },
      { days: [1, 2], time: '09:00', pages: [page('2'), page('3'), page('3')] },
    ]
    const [slot] = slotsAfter(slots, newYork, new Date('2026-11-23T00:00:00Z'))
    expect(slot?.pages).toEqual([page('1'), page('2'), page('3')])
  })

  test('end after a year', () => {
    const all = [...slotsAfter([{ days: [1], time: '09:00' }], newYork, new Date('2026-11-23T15:00:00Z'))]
    expect(all).toHaveLength(52)
  })
})

describe('the first free slot', () => {
  const slots = [
    { at: new Date(1000), pages: [page('1')] },
    { at: new Date(2000), pages: undefined },
    { at: new Date(3000), pages: undefined },
  ]

  test('takes all pages, and is free for each', () => {
    expect(firstFree(slots, [page('1')], new Set())).toEqual(new Date(1000))
    expect(firstFree(slots, [page('1'), page('2')], new Set())).toEqual(new Date(2000))
    const taken = new Set([slotKey(page('2'), new Date(2000))])
    expect(firstFree(slots, [page('1'), page('2')], taken)).toEqual(new Date(3000))
    expect(firstFree(slots.slice(0, 1), [page('2')], new Set())).toBeUndefined()
  })

  test('is none of disconnected pages', () => {
    const rules = [
      { days: [1], time: '09:00', pages: [page('1'), page('2')] },
      { days: [2], time: '09:00', pages: [page('3')] },
      { days: [3], time: '09:00' },
    ]
    expect(connectedSlots(rules, [page('2')])).toEqual([
      { days: [1], time: '09:00', pages: [page('2')] },
      { days: [3], time: '09:00' },
    ])
  })
})
