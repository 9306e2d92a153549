import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { writeKeysetAnchors } from '../queries/keyset-anchors.ts'
import { compactTallies, recountTallies } from '../queries/tallies.ts'
import { quietBefore } from '../rules/figures.ts'
import { lookAtCohort } from './growth.ts'

/** Adds up what belongs together among the tallies, which changes no figure, and looks anew at what is too much to look at for each screen. */
export async function compact(system: System): Promise<void> {
  await compactTallies(system.db, everyoneScope(), quietBefore(system.now()).toAddUp)
  await writeKeysetAnchors(system.db, everyoneScope())
  await lookAtCohort(system)
}

/** Puts figures right that are not the sums of their tables: nobody but a restore, or a hand in the database, can have made them so. */
export async function recount(system: Pick<System, 'db' | 'now' | 'log'>): Promise<void> {
  const added = await recountTallies(system.db, everyoneScope(), quietBefore(system.now()).toAddUp)
  if (added > 0) system.log.warn({ added }, 'tallies were not the sums of their tables and were put right')
}
