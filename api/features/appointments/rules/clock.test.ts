import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bookingTypes, defaultAvailability, timeSlots } from '@flashsheet/contracts/appointments/limits'
import type { Availability } from '@flashsheet/contracts/appointments/schema'
import { clockOf, dayNumber, dayOf, instantOf, minutesOf, readDay, zonedDay, zonedDayAt } from './clock.ts'
import { bookedSlots, freeDays, nextSlots, offeredSlots, slotAt, type Hours } from './slots.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
const hoursIn = (timeZone: string, change: Partial<Availability> = {}): Hours => ({
  ...defaultAvailability,
  ...change,
  timeZone,
})

/** Zones and dates of the server, none of which may matter. */
const servers = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe']

describe.each([...servers.map((timeZone) => [timeZone, undefined] as const), ['UTC', '2027-03-14T06:59:00Z'] as const])(
  'on a server in %s, at %s',
  (timeZone, at) => {
    const before = process.env['TZ']
    beforeAll(() => {
      process.env['TZ'] = timeZone
      if (at) vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) })
    })
    afterAll(() => {
      vi.useRealTimers()
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    })

    test('the process really uses the server’s zone', () => {
      for (const one of ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']) {
        expect(0 - new Date(one).getTimezoneOffset()).toBe(
          Temporal.Instant.from(one).toZonedDateTimeISO(timeZone).offsetNanoseconds / 60e9,
        )
      }
    })

    test.each([
      ['a gap moves forward', 'America/New_York', '2026-03-08', 2, 30, '2026-03-08T07:30:00.000Z'],
      ['a gap at midnight moves forward', 'America/Santiago', '2026-09-06', 0, 30, '2026-09-06T04:30:00.000Z'],
      ['a gap of half an hour moves forward', 'Australia/Lord_Howe', '2026-10-04', 2, 15, '2026-10-03T15:45:00.000Z'],
      ['an overlap takes the first', 'America/New_York', '2026-11-01', 1, 30, '2026-11-01T05:30:00.000Z'],
      ['the afternoon of a short day', 'America/New_York', '2026-03-08', 13, 0, '2026-03-08T17:00:00.000Z'],
      ['the afternoon of a long day', 'America/New_York', '2026-11-01', 13, 0, '2026-11-01T18:00:00.000Z'],
      ['half an hour of difference', 'Australia/Lord_Howe', '2026-10-04', 13, 0, '2026-10-04T02:00:00.000Z'],
      ['a zone of half hours', 'Asia/Kolkata', '2026-11-21', 9, 0, '2026-11-21T03:30:00.000Z'],
    ])('%s', (_name, zone, date, hour, minute, expected) => {
      expect(iso(instantOf(day(date), hour * 60 + minute, zone))).toBe(expected)
      expect(iso(clockOfDay(day(date), zone)(hour * 60 + minute))).toBe(expected)
    })

    test('a date that the zone skipped has no hours', () => {
      expect(clockOfDay(day('2011-12-30'), 'Pacific/Apia')(9 * 60)).toBeUndefined()
      expect(
        offeredSlots(
          hoursIn('Pacific/Apia'),
          day('2011-12-30'),
          '1 Hour Booking',
          [],
          Date.parse('2011-12-01T00:00:00Z'),
        ),
      ).toEqual([])
      expect(
        offeredSlots(
          hoursIn('Pacific/Apia'),
          day('2011-12-31'),
          '1 Hour Booking',
          [],
          Date.parse('2011-12-01T00:00:00Z'),
        ),
      ).toHaveLength(12)
    })

    test('an hour that the zone skipped is no slot', () => {
      expect(slotAt(hoursIn('Africa/Khartoum'), day('2000-01-15'), '12:00pm-1:00pm', '1 Hour Booking')).toBeUndefined()
    })

    test('days are read in the studio’s zone', () => {
      expect(readDay('2026-11-21', 'Pacific/Apia').toString()).toBe('2026-11-21')
      expect(readDay('2026-11-21T23:30:00Z', 'Pacific/Apia').toString()).toBe('2026-11-22')
      expect(readDay('2026-11-21T23:30:00.000-05:00', 'America/New_York').toString()).toBe('2026-11-21')
      expect(readDay('2026-11-21T02:00:00Z', 'America/New_York').toString()).toBe('2026-11-20')
      expect(readDay('2026-11-21T02:00:00', 'America/New_York').toString()).toBe('2026-11-21')
      expect(dayOf(Date.parse('2026-03-08T06:59:00Z'), 'America/New_York').toString()).toBe('2026-03-08')
      expect(minutesOf(Date.parse('2026-03-08T17:00:00Z'), 'America/New_York')).toBe(13 * 60)
    })

    test('slots on days when clocks change are the same in every server zone', () => {
      const now = Date.parse('2026-01-01T00:00:00Z')
      const firsts = [
        ['America/New_York', '2026-03-07'],
        ['America/New_York', '2026-03-08'],
        ['America/New_York', '2026-11-01'],
        ['Australia/Lord_Howe', '2026-10-04'],
        ['America/Santiago', '2026-09-06'],
      ].map(([zone = '', date = '']) => {
        const slots = offeredSlots(hoursIn(zone), day(date), 'Full Day Booking', [], now)
        expect(slots).toHaveLength(12)
        return [iso(slots[0]?.startsAt), iso(slots[0]?.endsAt), iso(slots[11]?.startsAt), iso(slots[11]?.endsAt)]
      })
      expect(firsts).toEqual([
        [
          '2026-03-07T14:00:00.000Z',
          '2026-03-07T22:00:00.000Z',
          '2026-03-08T01:00:00.000Z',
          '2026-03-08T02:00:00.000Z',
        ],
        [
          '2026-03-08T13:00:00.000Z',
          '2026-03-08T21:00:00.000Z',
          '2026-03-09T00:00:00.000Z',
          '2026-03-09T01:00:00.000Z',
        ],
        [
          '2026-11-01T14:00:00.000Z',
          '2026-11-01T22:00:00.000Z',
          '2026-11-02T01:00:00.000Z',
          '2026-11-02T02:00:00.000Z',
        ],
        [
          '2026-10-03T22:00:00.000Z',
          '2026-10-04T06:00:00.000Z',
          '2026-10-04T09:00:00.000Z',
          '2026-10-04T10:00:00.000Z',
        ],
        [
          '2026-09-06T12:00:00.000Z',
          '2026-09-06T20:00:00.000Z',
          '2026-09-06T23:00:00.000Z',
          '2026-09-07T00:00:00.000Z',
        ],
      ])
    })
  },
)

const clockOfDay = (date: Temporal.PlainDate, zone: string) => clockOf(zonedDay(dayNumber(date), zone), zone)

test('the fast path for days without a clock change equals the full conversion, on every day of a year', () => {
  for (const zone of ['America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Pacific/Apia', 'Asia/Kolkata']) {
    for (let date = day('2026-01-01'); date.year === 2026; date = date.add({ days: 1 })) {
      const clock = clockOfDay(date, zone)
      for (const minutes of [0, 9 * 60, 21 * 60, 1440]) expect(clock(minutes)).toBe(instantOf(date, minutes, zone))
      const [noon, midnight] = [instantOf(date, 720, zone), instantOf(date, 0, zone)]
      for (const at of [noon, midnight, midnight - 1])
        expect(zonedDayAt(at, zone).name).toBe(dayOf(at, zone).toString())
      expect(zonedDayAt(noon, zone).weekday).toBe(date.dayOfWeek % 7)
    }
  }
})

describe('offers', () => {
  const zone = 'America/New_York'
  const date = day('2026-11-23')
  const now = Date.parse('2026-11-21T12:00:00Z')
  const at = (hour: number, on = date) => instantOf(on, hour * 60, zone)
  const labels = (
    hours: Hours,
    type: (typeof bookingTypes)[number] = '1 Hour Booking',
    busy: { from: number; to: number }[] = [],
    when = now,
    on = date,
  ) => offeredSlots(hours, on, type, busy, when).map((slot) => slot.timeSlot)

  test('by default every slot of every day and type', () => {
    for (const type of bookingTypes) expect(labels(hoursIn(zone), type)).toEqual([...timeSlots])
    expect(
      freeDays(hoursIn(zone), Temporal.PlainYearMonth.from('2028-02'), '1 Hour Booking', [], now).map(
        (one) => one.free,
      ),
    ).toEqual(Array.from({ length: 29 }, () => 12))
    expect(bookedSlots(hoursIn(zone), date, [], now)).toEqual([])
  })

  test('no slot that has begun; an hour begins at its first moment', () => {
    const today = day('2026-11-21')
    expect(labels(hoursIn(zone), '1 Hour Booking', [], at(11, today) - 1, today)[0]).toBe('11:00am-12:00pm')
    expect(labels(hoursIn(zone), '1 Hour Booking', [], at(11, today), today)[0]).toBe('12:00pm-1:00pm')
    expect(labels(hoursIn(zone), '1 Hour Booking', [], at(20, today), today)).toEqual([])
    expect(labels(hoursIn(zone), '1 Hour Booking', [], now, day('2026-11-20'))).toEqual([])
  })

  test('longer bookings only where they overlap nothing, shortened to end by nine in the evening', () => {
    const busy = [{ from: at(14), to: at(15) }]
    expect(labels(hoursIn(zone), '1 Hour Booking', busy)).not.toContain('2:00pm-3:00pm')
    expect(labels(hoursIn(zone), '1/2 Day Booking', busy)).toEqual([
      '9:00am-10:00am',
      '10:00am-11:00am',
      ...timeSlots.slice(6),
    ])
    expect(labels(hoursIn(zone), 'Full Day Booking', busy)).toEqual(timeSlots.slice(6))
    expect(iso(slotAt(hoursIn(zone), date, '7:00pm-8:00pm', 'Full Day Booking')?.endsAt)).toBe(iso(at(21)))
  })

  test('slots with the buffer after each, and before the next', () => {
    const busy = [{ from: at(14), to: at(15) }]
    expect(labels(hoursIn(zone, { bufferMinutes: 30 }), '1 Hour Booking', busy)).toEqual(
      timeSlots.filter((slot) => slot !== '2:00pm-3:00pm' && slot !== '1:00pm-2:00pm'),
    )
    expect(iso(slotAt(hoursIn(zone, { bufferMinutes: 30 }), date, '9:00am-10:00am', '1 Hour Booking')?.freeAt)).toBe(
      iso(at(10.5)),
    )
  })

  test('slots within weekly hours and outside breaks', () => {
    const weekly = [null, { from: 600, to: 1080, breaks: [{ from: 780, to: 810 }] }, null, null, null, null, null]
    const hours = hoursIn(zone, { weekly })
    expect(labels(hours)).toEqual([...timeSlots.slice(1, 4), ...timeSlots.slice(5, 9)])
    expect(labels(hours, '1/2 Day Booking')).toEqual([...timeSlots.slice(1, 4), ...timeSlots.slice(5, 9)])
    expect(iso(slotAt(hours, date, '5:00pm-6:00pm', '1/2 Day Booking')?.endsAt)).toBe(iso(at(18)))
    expect(labels(hours, '1 Hour Booking', [], now, day('2026-11-24'))).toEqual([])
    // The artist may book later than the own hours; the day then ends at nine.
    expect(iso(slotAt(hours, date, '6:00pm-7:00pm', '1/2 Day Booking')?.endsAt)).toBe(iso(at(21)))
  })

  test('no slot on blocked days or in blocked hours', () => {
    const block = (firstDay: string, lastDay: string, from = 0, to = 1440) => ({
      firstDay,
      lastDay,
      from,
      to,
      reason: '',
    })
    expect(labels(hoursIn(zone, { blocks: [block('2026-11-22', '2026-11-23')] }))).toEqual([])
    expect(labels(hoursIn(zone, { blocks: [block('2026-11-24', '2026-11-30')] }))).toHaveLength(12)
    expect(labels(hoursIn(zone, { blocks: [block('2026-11-23', '2026-11-23', 720, 900)] }))).toEqual([
      ...timeSlots.slice(0, 3),
      ...timeSlots.slice(6),
    ])
  })

  test('slots after the notice in hours and within the horizon in studio days', () => {
    expect(labels(hoursIn(zone, { noticeHours: 48 }), '1 Hour Booking', [], at(11, day('2026-11-21')))[0]).toBe(
      '11:00am-12:00pm',
    )
    expect(labels(hoursIn(zone, { horizonDays: 2 }))).toHaveLength(12)
    expect(labels(hoursIn(zone, { horizonDays: 1 }))).toEqual([])
    // Late in the evening in New York it is tomorrow elsewhere; the studio's own date counts.
    expect(
      labels(hoursIn(zone, { horizonDays: 1 }), '1 Hour Booking', [], Date.parse('2026-11-23T04:30:00Z')),
    ).toHaveLength(12)
  })

  test('the same count in a month as on the day itself', () => {
    const busy = [
      { from: at(14), to: at(18) },
      { from: at(9, day('2026-11-01')), to: at(21, day('2026-11-01')) },
      { from: at(9, day('2026-11-30')), to: at(17, day('2026-11-30')) },
      { from: at(24, day('2026-11-12')), to: at(25, day('2026-11-12')) },
    ]
    for (const type of bookingTypes) {
      const hours = hoursIn(zone, { bufferMinutes: 240 })
      const month = freeDays(
        hours,
        Temporal.PlainYearMonth.from('2026-11'),
        type,
        busy,
        Date.parse('2026-10-01T00:00:00Z'),
      )
      expect(month).toHaveLength(30)
      for (const one of month)
        expect(one.free).toBe(offeredSlots(hours, day(one.day), type, busy, Date.parse('2026-10-01T00:00:00Z')).length)
    }
  })

  test('the next free times, across days', () => {
    const busy = [{ from: at(19), to: at(21) }]
    expect(
      nextSlots(hoursIn(zone), '1 Hour Booking', busy, now, at(18), 3).map((slot) => [slot.day, slot.timeSlot]),
    ).toEqual([
      ['2026-11-23', '6:00pm-7:00pm'],
      ['2026-11-24', '9:00am-10:00am'],
      ['2026-11-24', '10:00am-11:00am'],
    ])
    // A search from the past begins today.
    expect(nextSlots(hoursIn(zone), '1 Hour Booking', [], now, 0, 1).map((slot) => slot.day)).toEqual(['2026-11-21'])
    // A booking from before a change of the studio's zone can begin at night.
    const atNight = [{ from: at(24), to: at(25) }]
    const [{ timeSlot } = {}] = nextSlots(
      hoursIn(zone, { bufferMinutes: 240 }),
      '1 Hour Booking',
      atNight,
      now,
      at(20),
      1,
    )
    expect(timeSlot).toBe('9:00am-10:00am')
    expect(
      nextSlots(hoursIn(zone, { weekly: Array.from({ length: 7 }, () => null) }), '1 Hour Booking', [], now, 0, 3),
    ).toEqual([])
  })
})
