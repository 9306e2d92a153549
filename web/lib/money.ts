const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Cents as US dollars; without cents when there are none: $19, $12.50. */
export function formatDollars(cents: number): string {
  return (cents % 100 === 0 ? whole : exact).format(cents / 100)
}
