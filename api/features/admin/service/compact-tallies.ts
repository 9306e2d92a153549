import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { writeKeysetAnchors } from '../queries/keyset-anchors.ts'
import { compactTallies } from '../queries/tallies.ts'
import { quietBefore } from '../rules/figures.ts'
import { lookAtCohort } from './growth.ts'

/** Adds up what belongs together among the tallies, which changes no figure, and looks anew at what is too much to look at for each screen. */
export async function compact(system: System): Promise<void> {
  await compactTallies(system.db, everyoneScope(), quietBefore(system.now()).toAddUp)
  await writeKeysetAnchors(system.db, everyoneScope())
  await lookAtCohort(system)
}
