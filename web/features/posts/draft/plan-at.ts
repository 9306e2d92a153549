import { isSent } from './draft-request.ts'
import { isBegun } from './duplicate.ts'
import { newDraft, type Draft } from './draft.ts'

const morning = 10 * 60

/** A place of the calendar as a time on the viewer's clock: a day without a time is at ten, or today at the next whole hour when ten has passed. */
export function freeTime(day: string, minutes: number | null, now: Date): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const at = (of: number) => new Date(year, month - 1, date, 0, of)
  if (minutes !== null) return at(minutes)
  const ten = at(morning)
  return ten > now ? ten : at((now.getHours() + 1) * 60)
}

/** The draft for a time of the calendar, in place of those chosen before; a post of which something was sent keeps its own. */
export function planAt(draft: Draft, iso: string, id: string): Draft {
  if (isSent(draft)) return { ...newDraft(id), scheduledAt: [iso] }
  return draft.sent.length > 0 ? draft : { ...draft, scheduledAt: [iso] }
}

/** In this tab a time of the calendar waits to be used; that outlives the way to a network and back, and ends with the tab. */
const plannedKey = 'planned'

export function keepPlan(): void {
  inTab((tab) => tab.setItem(plannedKey, 'yes'))
}

/** The wizard was left for `pathname`; only the accounts lead back to what was planned. */
export function forgetPlan(pathname: string): void {
  if (!['/new-post', '/social-accounts'].includes(pathname)) inTab((tab) => tab.removeItem(plannedKey))
}

export function isPlanKept(): boolean {
  return inTab((tab) => tab.getItem(plannedKey) !== null) ?? false
}

/** Undefined where the browser keeps nothing. */
function inTab<T>(act: (tab: Storage) => T): T | undefined {
  try {
    return act(sessionStorage)
  } catch {
    return undefined
  }
}

/** The draft without times that nothing was made for; one that holds work keeps them. */
export function dropUnusedTimes(draft: Draft): Draft {
  return draft.scheduledAt.length > 0 && !isSent(draft) && !isBegun(draft) ? { ...draft, scheduledAt: [] } : draft
}
