/** The viewer's own zone, e.g. `America/New_York`. */
export function viewerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

const day = { month: 'numeric', day: 'numeric', year: 'numeric' } as const
const time = { hour: 'numeric', minute: '2-digit' } as const

/** In the viewer's zone unless another is given. Replaces U+202F, which Intl puts before AM and PM, by a plain space. */
const format = (iso: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', options).format(new Date(iso)).replaceAll('\u202F', ' ')

/** `M/d/yyyy, h:mm a`, for schedules. */
export const formatScheduled = (iso: string, timeZone?: string): string => format(iso, { ...day, ...time, timeZone })

/** `Friday, Nov 27 at 7:00 PM`, with the year unless it is the current one. */
export function formatMoment(iso: string, timeZone?: string): string {
  const yearOf = (instant: string) => format(instant, { year: 'numeric', timeZone })
  const year = yearOf(iso) === yearOf(new Date().toISOString()) ? {} : ({ year: 'numeric' } as const)
  const date = format(iso, { weekday: 'long', month: 'short', day: 'numeric', ...year, timeZone })
  return `${date} at ${format(iso, { ...time, timeZone })}`
}

/** `M/d/yyyy, h:mm:ss a`, for media and accounts. */
export const formatStamp = (iso: string, timeZone?: string): string =>
  format(iso, { ...day, ...time, second: '2-digit', timeZone })

/** `M/d/yyyy`, where the time of day does not matter. */
export const formatShortDay = (iso: string): string => format(iso, day)

/** `March 8, 2027`, for billing. */
export const formatDay = (iso: string): string => format(iso, { month: 'long', day: 'numeric', year: 'numeric' })

/** Bytes for people: `12.4 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  let value = bytes
  let unit = 0
  // From here a value would be rounded to 1000.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(value < 9.95 ? 1 : 0)} ${units[unit]}`
}

/** Indents JSON; other text is returned unchanged. */
export function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
