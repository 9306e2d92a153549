import { postLimits } from '@flashsheet/contracts/posts/limits'
import type { CalendarInput, CalendarPost } from '@flashsheet/contracts/posts/schema'
import type { SubscriberCtx } from '../../../core/context.ts'
import { listCalendarRows, listCalendarTargets } from '../queries/calendar.ts'
import { calendarView } from '../view.ts'

/** The calendar entries of a range, unordered; at most `calendarMax`. */
export async function listCalendar(ctx: SubscriberCtx, input: CalendarInput): Promise<CalendarPost[]> {
  const range = { from: new Date(input.from), to: new Date(input.to) }
  const [rows, targets] = await Promise.all([
    listCalendarRows(ctx.db, ctx.owner, range, postLimits.calendarMax),
    listCalendarTargets(ctx.db, ctx.owner, range, postLimits.calendarMax),
  ])
  const targetsOf = Map.groupBy(targets, (target) => target.postId)
  // A post without targets was created or deleted between the two reads.
  return rows.flatMap((row) => {
    const ofPost = targetsOf.get(row.id)
    return ofPost ? calendarView(row, ofPost) : []
  })
}
