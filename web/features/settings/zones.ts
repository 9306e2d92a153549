/** The current offset of a zone: `GMT-5`, `GMT+5:30`. */
export function offsetOf(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
}

/** All time zones that this browser knows, sorted by name, and the current one if it is not among them. */
export function zoneOptions(current: string, at: Date): { value: string; label: string; description: string }[] {
  const known = Intl.supportedValuesOf('timeZone')
  const all = known.includes(current) ? known : [current, ...known]
  return all.map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' ').replaceAll('/', ' / '),
    description: offsetOf(zone, at),
  }))
}
