import { expect, test } from 'vitest'
import { calendarFile, type CalendarEntry } from './ics.ts'

const entry: CalendarEntry = {
  uid: '0199-1@flashsheet',
  sequence: 0,
  status: 'CONFIRMED',
  startsAt: new Date('2026-12-01T16:00:00Z'),
  endsAt: new Date('2026-12-01T17:00:00Z'),
  at: new Date('2026-11-21T12:00:00Z'),
  summary: '1 Hour Booking with Mara Quill',
  description: 'See, move or cancel: https://flashsheet.example/booking/abc',
  location: '12 Anchor St; Brooklyn, NY',
  url: 'https://flashsheet.example/booking/abc',
  organizer: { name: 'Mara "Quill"', email: 'hello@flashsheet.example' },
  attendee: 'ida@home.example',
}

test('adds an entry', () => {
  expect(calendarFile(entry)).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Flashsheet//Appointments//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:REQUEST',
      'BEGIN:VEVENT',
      'UID:0199-1@flashsheet',
      'SEQUENCE:0',
      'DTSTAMP:20261121T120000Z',
      'DTSTART:20261201T160000Z',
      'DTEND:20261201T170000Z',
      'STATUS:CONFIRMED',
      'SUMMARY:1 Hour Booking with Mara Quill',
      'DESCRIPTION:See\\, move or cancel: https://flashsheet.example/booking/abc',
      'LOCATION:12 Anchor St\\; Brooklyn\\, NY',
      'URL:https://flashsheet.example/booking/abc',
      'ORGANIZER;CN="Mara  Quill ":mailto:hello@flashsheet.example',
      'ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:ida@home.example',
      'TRANSP:OPAQUE',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  )
})

test('removes the entry with the same UID', () => {
  const file = calendarFile({ ...entry, status: 'CANCELLED', sequence: 3, url: undefined, location: '' })
  for (const line of ['METHOD:CANCEL', 'STATUS:CANCELLED', 'SEQUENCE:3', 'UID:0199-1@flashsheet'])
    expect(file).toContain(`${line}\r\n`)
  expect(file).not.toMatch(/^(?:URL|LOCATION)/m)
})

test('folds long lines between characters, and unfolding restores them', () => {
  const summary = `${'Schwälbchen 🐦 '.repeat(20)}`
  const file = calendarFile({ ...entry, summary, description: 'one\r\ntwo\nthree \\ four\u0000\u0007' })
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const unfolded = file.replaceAll('\r\n ', '')
  expect(unfolded).toContain(`SUMMARY:${summary}\r\n`)
  expect(unfolded).toContain('DESCRIPTION:one\\ntwo\\nthree \\\\ four\r\n')
})
