/** Every state that something in a calendar can be in: posts (`endangered`: planned, and its account will be closed), then appointments. */
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

/** What can be drawn on an entry: its state, or that a scheduled post waits in the queue, which may be paused. */
export const calendarSigns = [...calendarStates, 'queued', 'paused'] as const
export type CalendarSign = (typeof calendarSigns)[number]

/** What every calendar needs to know of what it shows. */
export type Dated = {
  id: string
  status: CalendarState
  /** What it is marked as where its status does not say enough. */
  mark?: CalendarState
  /** Where it stands, in milliseconds. */
  at: number
  /** When it ends; absent: a moment. */
  until?: number
  /** The day of the calendar's zone it stands on, `2026-11-21`. */
  day: string
  title: string
}

/** What an entry is marked as: colour, sign and dot. */
export const markOf = <S extends CalendarState, M extends CalendarState>({
  status,
  mark,
}: {
  status: S
  mark?: M
}): S | M => mark ?? status

/** How a calendar names what it shows: "post", "posts". */
/** What entries are called, and what the button of an empty day says. */
export type Nouns = { one: string; many: string; plan: string }

/** "3 posts", "1 post", "no posts". */
export function countWords(count: number, nouns: Nouns): string {
  return count === 0 ? `no ${nouns.many}` : `${count} ${count === 1 ? nouns.one : nouns.many}`
}

const two = (value: number) => String(value).padStart(2, '0')

/** The viewer's day of an instant. Thousands are asked for at once, so this is plain arithmetic of the browser. */
export function dayOf(at: number): string {
  const date = new Date(at)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** By time, and among equals always in one order. */
export function byTime(a: Pick<Dated, 'at' | 'id'>, b: Pick<Dated, 'at' | 'id'>): number {
  return a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** By day, each day in order of time. */
export function entriesByDay<E extends Dated>(entries: readonly E[]): ReadonlyMap<string, readonly E[]> {
  return Map.groupBy(entries, (entry) => entry.day)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** `h:mm AM`, in the viewer's zone unless another is given. */
export function timeOf(at: number, timeZone?: string): string {
  const key = timeZone ?? ''
  let clock = clocks.get(key)
  if (!clock)
    clocks.set(key, (clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone })))
  return clock.format(at).replaceAll('\u202F', ' ')
}

/** An empty day, or a time of one in minutes since midnight, in the zone of the calendar. */
export type FreePlace = { day: string; minutes: number | null }
