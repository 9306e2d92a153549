/** `1900` cents as `$19.00`; a credit as `-$19.00`. */
export function dollars(cents: number): string {
  return `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`
}

/** Seconds since the epoch as `21 Nov 2026`. */
export function formatDay(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    at * 1000,
  )
}
