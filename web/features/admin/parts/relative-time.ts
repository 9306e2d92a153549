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

/** What to think of the oldest that waits: nothing while it is younger than `limit`, much when it is ten times that. */
export function tooOld(iso: string | null, now: number, limit: number): Verdict {
  const age = iso === null ? 0 : now - Date.parse(iso)
  if (age < limit) return 'good'
  return age < 10 * limit ? 'careful' : 'bad'
}

/** Days until a date; endless without one. */
export function daysUntil(date: string | null, now: number): number {
  return date === null ? Infinity : (Date.parse(date) - now) / (24 * 60 * minute)
}

/** What to think of the room on a disk: worth a look below twice the reserve, wrong below it, where uploads end. */
export function roomLeft({ freeBytes, reserveBytes }: { freeBytes: number; reserveBytes: number }): Verdict {
  if (freeBytes < reserveBytes) return 'bad'
  return freeBytes < 2 * reserveBytes ? 'careful' : 'good'
}
