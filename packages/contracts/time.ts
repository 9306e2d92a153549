/** A zone for people, by its city: `New York time`. */
export function zoneLabel(timeZone: string): string {
  return `${timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone} time`
}

/** Whether a time is no longer ahead, so that nothing can be planned for it. A time that lies back no further than the grace is taken as now. */
export function hasPassed(at: Date | number, now: Date | number, graceSeconds = 0): boolean {
  const late = Number(now) - Number(at)
  return graceSeconds === 0 ? late >= 0 : late > graceSeconds * 1000
}
