import { tryStorage } from '../../../lib/try-storage.ts'
import { isSent } from './draft-request.ts'
import { hasUnsentWork } from './duplicate.ts'
import { newDraft, type Draft } from './draft.ts'

const morning = 10 * 60

/** The time of a clicked calendar cell. A day without a time means 10 AM, or the next full hour if that has passed today. */
export function cellTime(day: string, minutes: number | null, now: Date): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const at = (minute: number) => new Date(year, month - 1, date, 0, minute)
  if (minutes !== null) return at(minutes)
  const ten = at(morning)
  return ten > now ? ten : at((now.getHours() + 1) * 60)
}

/** Replaces the chosen times with one from the calendar. A sent draft becomes a new one; a partly sent draft is not changed. */
export function planAt(draft: Draft, iso: string, id: string): Draft {
  if (isSent(draft)) return { ...newDraft(id), scheduledAt: [iso] }
  return draft.sent.length > 0 ? draft : { ...draft, scheduledAt: [iso] }
}

/** In session storage, because connecting an account in between reloads the app. */
const plannedKey = 'planned'

/** Records that the draft's time was chosen in the calendar. */
export function markPlannedTime(): void {
  tryStorage(() => sessionStorage.setItem(plannedKey, 'yes'))
}

/** Clears the record when the wizard is left, except for the accounts screen, which leads back to it. */
export function clearPlannedTime(pathname: string): void {
  if (!['/new-post', '/social-accounts'].includes(pathname)) tryStorage(() => sessionStorage.removeItem(plannedKey))
}

export function isTimePlanned(): boolean {
  return tryStorage(() => sessionStorage.getItem(plannedKey) !== null) ?? false
}

/** Removes the times of an otherwise empty draft. */
export function removeUnusedTimes(draft: Draft): Draft {
  return draft.scheduledAt.length > 0 && !isSent(draft) && !hasUnsentWork(draft) ? { ...draft, scheduledAt: [] } : draft
}
