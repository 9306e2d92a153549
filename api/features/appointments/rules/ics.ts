/** One appointment as a calendar entry. Its `uid` never changes; `sequence` grows with each change. */
export type CalendarEntry = {
  uid: string
  sequence: number
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
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
    `METHOD:${entry.status === 'CANCELLED' ? 'CANCEL' : 'REQUEST'}`,
    'BEGIN:VEVENT',
    `UID:${entry.uid}`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${utc(entry.at)}`,
    `DTSTART:${utc(entry.startsAt)}`,
    `DTEND:${utc(entry.endsAt)}`,
    `STATUS:${entry.status}`,
    `SUMMARY:${escapeText(entry.summary)}`,
    `DESCRIPTION:${escapeText(entry.description)}`,
    ...(entry.location ? [`LOCATION:${escapeText(entry.location)}`] : []),
    ...(entry.url ? [`URL:${entry.url}`] : []),
    `ORGANIZER;CN=${quoted(entry.organizer.name)}:mailto:${entry.organizer.email}`,
    `ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${entry.attendee}`,
    'TRANSP:OPAQUE',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

const utc = (at: Date) => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** Escapes a TEXT value and removes control characters that it may not contain. */
const escapeText = (value: string) =>
  value
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, '')

/** A quoted parameter value, which may contain neither quotes nor control characters. */
// oxlint-disable-next-line no-control-regex
const quoted = (value: string) => `"${value.replaceAll(/["\0-\x1f\x7f]/g, ' ')}"`

/** Folds a line at 75 bytes, between characters. A continuation line begins with a space. */
function fold(line: string): string {
  const parts: string[] = []
  let part = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > 75) {
      parts.push(part)
      part = ' '
      bytes = 1
    }
    part += character
    bytes += size
  }
  return [...parts, part].join('\r\n')
}
