import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { compactTallies, recountTallies } from '../queries/tallies.ts'
import { compactionCutoffs } from '../rules/figures.ts'
import { computeCohort } from './growth.ts'

/**
 * Compacts the tallies, which changes no figure, and refreshes the stored cohort, which is too expensive to compute for
 * each request.
 */
export async function compact(system: System): Promise<void> {
  await compactTallies(system.db, everyoneScope(), compactionCutoffs(system.now()).toCompact)
  await computeCohort(system)
}

/**
 * Corrects tallies that differ from their tables, which only a restore or a manual change of the database can cause.
 */
export async function recount(system: Pick<System, 'db' | 'now' | 'log'>): Promise<void> {
  const added = await recountTallies(system.db, everyoneScope(), compactionCutoffs(system.now()).toCompact)
  if (added > 0) system.log.warn({ added }, 'tallies did not match their tables and were corrected')
}
