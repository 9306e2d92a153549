/** In the order of `Date.getDay`. */
export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Cities by the former names that browsers list. */
const renamedCities: Record<string, string> = {
  Asmera: 'Asmara',
  Calcutta: 'Kolkata',
  Coral_Harbour: 'Atikokan',
  Enderbury: 'Kanton',
  Faeroe: 'Faroe',
  Godthab: 'Nuuk',
  Katmandu: 'Kathmandu',
  Kiev: 'Kyiv',
  Ponape: 'Pohnpei',
  Rangoon: 'Yangon',
  Saigon: 'Ho Chi Minh',
  Truk: 'Chuuk',
}

/** All names of this city, that of today first. */
export const cityNames = (city: string): string[] => [
  city,
  ...Object.keys(renamedCities).filter((former) => renamedCities[former] === city),
]

/** The parts of a time zone's name as displayed: `America`, `New York`. */
export const zoneParts = (timeZone: string): string[] =>
  timeZone.split('/').map((part) => renamedCities[part] ?? part.replaceAll('_', ' '))

/** Whether these are the same time zone, which one of them may call by a former name: `Asia/Calcutta`, `Asia/Kolkata`. */
export const isSameZone = (one: string, other: string): boolean => String(zoneParts(one)) === String(zoneParts(other))

/** A time zone as displayed, by its city: `New York time`. */
export function zoneLabel(timeZone: string): string {
  // These names have the opposite sign: Etc/GMT+5 is five hours behind UTC.
  const [, sign, hours] = /^Etc\/GMT([+-])(\d+)$/.exec(timeZone) ?? []
  if (sign !== undefined) return `UTC${sign === '+' ? '-' : '+'}${hours} time`
  return `${zoneParts(timeZone).at(-1)} time`
}

/** Whether `at` is too late to plan for. With a grace, a time that is past by no more than that counts as now. */
export function hasPassed(at: Date | number, now: Date | number, graceSeconds = 0): boolean {
  const lateMs = Number(now) - Number(at)
  return graceSeconds === 0 ? lateMs >= 0 : lateMs > graceSeconds * 1000
}
