import { cityNames, isSameZone, zoneParts } from '@flashsheet/contracts/time'

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

const separator = ' / '

const labelOf = (zone: string) => zoneParts(zone).join(separator)

/** Whether the text finds the zone with this label: by its city, also by a former name, by its region, or as programs write it. */
export function zoneMatches(label: string, text: string): boolean {
  const parts = label.split(separator)
  const names = cityNames(parts.at(-1) ?? '').map((city) => [...parts.slice(0, -1), city].join(separator))
  return names.some((name) => searchable(name).includes(searchable(text)))
}

/** In lower case, without accents; what separates words is one space. */
const searchable = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[\s/_]+/g, ' ')
