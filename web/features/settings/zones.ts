import { isSameZone, zoneParts } from '@flashsheet/contracts/time'

/** The current offset of a zone: `GMT-5`, `GMT+5:30`. */
export function offsetOf(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
}

/** All time zones that this browser knows, and the current one, sorted by the names of today. A browser may know it by a former name. */
export function zoneOptions(current: string, at: Date): { value: string; label: string; description: string }[] {
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => !isSameZone(zone, current))
  return [current, ...others]
    .map((value) => ({ value, label: labelOf(value), description: offsetOf(value, at) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}

const labelOf = (zone: string) => zoneParts(zone).join(' / ')
