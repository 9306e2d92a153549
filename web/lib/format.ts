/** The viewer's own zone, e.g. `America/New_York`. */
export function viewerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

const day = { month: 'numeric', day: 'numeric', year: 'numeric' } as const

/** Replaces U+202F, which Intl puts before AM and PM, by a plain space. */
const plain = (text: string) => text.replaceAll('\u202F', ' ')

/** `M/d/yyyy, h:mm a`, for schedules. In the viewer's zone unless another is given. */
export function formatScheduled(iso: string, timeZone?: string): string {
  return plain(
    new Intl.DateTimeFormat('en-US', { ...day, hour: 'numeric', minute: '2-digit', timeZone }).format(new Date(iso)),
  )
}

/** `Friday, Nov 27 at 7:00 PM`, for times in the near future. In the viewer's zone unless another is given. */
export function formatMoment(iso: string, timeZone?: string): string {
  const at = new Date(iso)
  const date = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'short', day: 'numeric', timeZone }).format(
    at,
  )
  return `${date} at ${plain(new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone }).format(at))}`
}

/** `M/d/yyyy, h:mm:ss a`, for media and accounts. */
export function formatStamp(iso: string, timeZone?: string): string {
  return plain(
    new Intl.DateTimeFormat('en-US', {
      ...day,
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
      timeZone,
    }).format(new Date(iso)),
  )
}

/** `M/d/yyyy`, where the time of day does not matter. */
export function formatShortDay(iso: string): string {
  return new Intl.DateTimeFormat('en-US', day).format(new Date(iso))
}

/** `March 8, 2027`, for billing. */
export function formatDay(iso: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' }).format(new Date(iso))
}

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
