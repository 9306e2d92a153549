/** The current offset of a zone: `GMT-5`, `GMT+5:30`. */
export function offsetOf(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
}

/** All time zones that this browser knows, and the current one, sorted by name. */
export function zoneOptions(
  set: string | undefined,
  at: Date,
): { value: string; label: string; description: string }[] {
  const known = Intl.supportedValuesOf('timeZone')
  const all = set === undefined || known.includes(set) ? known : [set, ...known]
  return all.map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' ').replaceAll('/', ' / '),
    description: offsetOf(zone, at),
  }))
}
