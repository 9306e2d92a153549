export type HealthLevel = 'good' | 'warning' | 'error'

const minuteMs = 60_000
const units = [
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
] as const

/** `3 minutes ago`; `—` without a time. */
export function relativeTime(iso: string | null, now: number): string {
  if (iso === null) return '—'
  const ageMs = now - Date.parse(iso)
  for (const [unit, unitMs] of units) {
    const count = Math.floor(ageMs / unitMs)
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}

/** The level of the oldest waiting item: a warning from `limitMs` on, an error from ten times that. */
export function levelOfAge(iso: string | null, now: number, limitMs: number): HealthLevel {
  const ageMs = iso === null ? 0 : now - Date.parse(iso)
  if (ageMs < limitMs) return 'good'
  return ageMs < 10 * limitMs ? 'warning' : 'error'
}

/** Days until a date; Infinity without one. */
export function daysUntil(date: string | null, now: number): number {
  return date === null ? Infinity : (Date.parse(date) - now) / (24 * 60 * minuteMs)
}

/** The level of free disk space: a warning below twice the reserve, an error below the reserve, where uploads are refused. */
export function levelOfDisk({ freeBytes, reserveBytes }: { freeBytes: number; reserveBytes: number }): HealthLevel {
  if (freeBytes < reserveBytes) return 'error'
  return freeBytes < 2 * reserveBytes ? 'warning' : 'good'
}
