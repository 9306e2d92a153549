/** One appointment as a calendar entry: a constant `uid`, a higher `sequence` with each change. */
export type CalendarEntry = {
  uid: string
  sequence: number
  cancelled: boolean
  startsAt: Date
  endsAt: Date
  /** When this version was written. */
  at: Date
  summary: string
  description: string
  location: string
  url: string | undefined
  organizer: { name: string; email: string }
  attendee: string
}

/**
 * The entry as an iCalendar file (RFC 5545, 5546): REQUEST adds or changes it, CANCEL removes it. Times are UTC, which
 * every client supports.
 */
export function calendarFile(entry: CalendarEntry): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Flashsheet//Appointments//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${entry.cancelled ? 'CANCEL' : 'REQUEST'}`,
    'BEGIN:VEVENT',
    `UID:${entry.uid}`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${utc(entry.at)}`,
    `DTSTART:${utc(entry.startsAt)}`,
    `DTEND:${utc(entry.endsAt)}`,
    `STATUS:${entry.cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    `SUMMARY:${text(entry.summary)}`,
    `DESCRIPTION:${text(entry.description)}`,
    ...(entry.location ? [`LOCATION:${text(entry.location)}`] : []),
    ...(entry.url ? [`URL:${entry.url}`] : []),
    `ORGANIZER;CN=${parameter(entry.organizer.name)}:mailto:${entry.organizer.email}`,
    `ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${entry.attendee}`,
    'TRANSP:OPAQUE',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const utc = (at: Date) => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** Escapes a TEXT value; other control characters are not allowed in one. */
const text = (value: string) =>
  value
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, '')

/** A quoted parameter value, which can contain neither quotes nor line ends. */
// oxlint-disable-next-line no-control-regex
const parameter = (value: string) => `"${value.replaceAll(/["\0-\x1f\x7f]/g, ' ')}"`

/** Folds lines at 75 bytes, between characters; a continuation begins with a space. */
function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  let bytes = 0
  for (const sign of line) {
    const size = Buffer.byteLength(sign)
    if (bytes + size > 75) {
      parts.push(part)
      part = ' '
      bytes = 1
    }
    part += sign
    bytes += size
  }
  return [...parts, part].join('\r\n')
}
