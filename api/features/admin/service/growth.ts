import type { Growth } from '@flashsheet/contracts/admin'
import type { AdminCtx } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { sumCohort } from '../queries/cohort.ts'
import { sumMovements, sumMovementsByMonth } from '../queries/tallies.ts'
import { cohortOf, monthsOf, startOf, windowAt } from '../rules/figures.ts'

const months = 12

/** How MRR and subscribers moved over a year, and how those who were there a month ago fared (bookings-sites-billing 4.1). */
export async function growth(ctx: AdminCtx): Promise<Growth> {
  const now = ctx.now()
  const { from, fromInstant } = windowAt(now)
  const scope = everyoneScope()
  return await ctx.db.transaction(
    async (tx) => ({
      months: monthsOf(await sumMovementsByMonth(tx, scope), now, months),
      cohort: cohortOf(startOf(await sumMovements(tx, scope, from)), await sumCohort(tx, scope, fromInstant)),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
