import { isSent } from './draft-request.ts'
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
