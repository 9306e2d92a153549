/** The states of posts (`endangered`: scheduled for an account that must be reconnected), then those of appointments. */
const calendarStates = [
  'posted',
  'scheduled',
  'endangered',
  'failed',
  'completed',
  'confirmed',
  'pending',
  'cancelled',
] as const
export type CalendarState = (typeof calendarStates)[number]

/** The icons of entries: one for each state, and those of scheduled posts in a running or paused queue. */
export const calendarIcons = [...calendarStates, 'queued', 'paused'] as const
export type CalendarIcon = (typeof calendarIcons)[number]

/** What the entries of all calendars have. */
export type BaseEntry = {
  id: string
  status: CalendarState
  /** Overrides the status for colour, icon and dot. */
  mark?: CalendarState
  /** The start, in epoch milliseconds. */
  at: number
  /** The end; absent if it has no duration. */
  until?: number
  /** The day in the calendar's time zone, `2026-11-21`. */
  day: string
  title: string
}

/** The state that decides colour, icon and dot. */
export const displayState = ({ status, mark }: Pick<BaseEntry, 'status' | 'mark'>): CalendarState => mark ?? status

/** "post", "posts", and the label of the button that plans one. */
export type Nouns = { one: string; many: string; plan: string }

/** "3 posts", "1 post", "no posts". */
export function countText(count: number, nouns: Nouns): string {
  return count === 0 ? `no ${nouns.many}` : `${count} ${count === 1 ? nouns.one : nouns.many}`
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** The day of an instant in the viewer's time zone. Called thousands of times at once, so it uses Date and not Intl. */
export function dayOf(at: number): string {
  const date = new Date(at)
  return `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** Sorts by time, then by id, so that the order is stable. */
export function byTime(a: Pick<BaseEntry, 'at' | 'id'>, b: Pick<BaseEntry, 'at' | 'id'>): number {
  return a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

export function entriesByDay<E extends BaseEntry>(entries: readonly E[]): ReadonlyMap<string, readonly E[]> {
  return Map.groupBy(entries, (entry) => entry.day)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** `h:mm AM`, by default in the viewer's time zone, which may change while the page is open: a cached format would keep the first. */
export function timeOf(at: number, timeZone?: string): string {
  if (timeZone === undefined) {
    const date = new Date(at)
    const hour = date.getHours()
    return `${hour % 12 || 12}:${twoDigits(date.getMinutes())} ${hour < 12 ? 'AM' : 'PM'}`
  }
  let clock = clocks.get(timeZone)
  if (!clock)
    clocks.set(timeZone, (clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone })))
  return clock.format(at).replaceAll('\u202F', ' ')
}

/** An empty day, or an empty half hour that begins at `minutes` since midnight, in the calendar's time zone. */
export type EmptyCell = { day: string; minutes: number | null }
