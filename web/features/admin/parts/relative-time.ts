export type Verdict = 'good' | 'careful' | 'bad'

const minute = 60_000
const steps = [
  ['day', 24 * 60 * minute],
  ['hour', 60 * minute],
  ['minute', minute],
] as const

/** `3 minutes ago`; `—` when there is none. */
export function ago(iso: string | null, now: number): string {
  if (iso === null) return '—'
  const age = now - Date.parse(iso)
  for (const [unit, length] of steps) {
    const count = Math.floor(age / length)
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}

/** The tone for the oldest waiting item: a warning from `limit` on, an error from ten times that. */
export function tooOld(iso: string | null, now: number, limit: number): Verdict {
  const age = iso === null ? 0 : now - Date.parse(iso)
  if (age < limit) return 'good'
  return age < 10 * limit ? 'careful' : 'bad'
}

/** Days until a date; Infinity without one. */
export function daysUntil(date: string | null, now: number): number {
  return date === null ? Infinity : (Date.parse(date) - now) / (24 * 60 * minute)
}

/** The tone for free disk space: a warning below twice the reserve, an error below it, where uploads are refused. */
export function roomLeft({ freeBytes, reserveBytes }: { freeBytes: number; reserveBytes: number }): Verdict {
  if (freeBytes < reserveBytes) return 'bad'
  return freeBytes < 2 * reserveBytes ? 'careful' : 'good'
}
