import type { Growth } from '@flashsheet/contracts/admin/schema'
import type { AdminCtx, System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { findCohort, sumCohort, writeCohort, type CohortChange } from '../queries/cohort.ts'
import { sumMovements, sumMovementsByMonth } from '../queries/tallies.ts'
import { cohortOf, monthsOf, windowAt } from '../rules/figures.ts'

const months = 12

/** MRR and subscribers over a year, and the retention of the subscribers of a month ago. */
export async function getGrowth(ctx: AdminCtx): Promise<Growth> {
  const now = ctx.now()
  const { from, today } = windowAt(now)
  const scope = everyoneScope()
  const cohort = (await findCohort(ctx.db, scope, today)) ?? (await computeCohort(ctx))
  return {
    months: monthsOf(await sumMovementsByMonth(ctx.db, scope), now, months),
    cohort: cohortOf(await sumMovements(ctx.db, scope, from), cohort),
  }
}

/** Computes and stores the change of the cohort for the window that ends today. A job does so every ten minutes. */
export async function computeCohort(system: System): Promise<CohortChange> {
  const { fromInstant, today } = windowAt(system.now())
  const change = await sumCohort(system.db, everyoneScope(), fromInstant)
  await writeCohort(system.db, everyoneScope(), today, change)
  return change
}
