import { expect, test } from 'vitest'
import { droppedAt, instantAt, nudgedAt } from './move-appointment.ts'

const from = { day: '2026-11-30', timeSlot: '2:00pm-3:00pm' } as const

test.each([
  [{ day: '2026-12-02', minutes: null }, '2:00pm-3:00pm'],
  [{ day: '2026-12-02', minutes: 600 }, '10:00am-11:00am'],
  [{ day: '2026-12-02', minutes: 630 }, '10:00am-11:00am'],
  [{ day: '2026-12-02', minutes: 60 }, '9:00am-10:00am'],
  [{ day: '2026-12-02', minutes: 1410 }, '8:00pm-9:00pm'],
])('dropped at %o it gets the slot %s', (place, timeSlot) => {
  expect(droppedAt(from, place)).toEqual({ day: '2026-12-02', timeSlot })
})

test('keys move by days and by slots, and stop at the first and last slot of a day', () => {
  expect(nudgedAt(from, { days: 1, minutes: 0 })).toEqual({ day: '2026-12-01', timeSlot: '2:00pm-3:00pm' })
  expect(nudgedAt(from, { days: 0, minutes: -30 })).toEqual({ day: '2026-11-30', timeSlot: '1:00pm-2:00pm' })
  expect(nudgedAt({ ...from, timeSlot: '8:00pm-9:00pm' }, { days: 0, minutes: 30 })).toEqual({
    day: '2026-11-30',
    timeSlot: '8:00pm-9:00pm',
  })
})

test('converts a slot to an instant in the time zone, on both sides of a daylight saving change', () => {
  expect(new Date(instantAt(from, 'America/New_York')).toISOString()).toBe('2026-11-30T19:00:00.000Z')
  expect(new Date(instantAt({ ...from, day: '2026-10-31' }, 'America/New_York')).toISOString()).toBe(
    '2026-10-31T18:00:00.000Z',
  )
  expect(new Date(instantAt(from, 'Pacific/Apia')).toISOString()).toBe('2026-11-30T01:00:00.000Z')
})
