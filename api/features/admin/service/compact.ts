import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { compactTallies } from '../queries/tallies.ts'

/** Adds up what belongs together among the tallies; the figures stay the same. */
export async function compact(system: System): Promise<void> {
  await compactTallies(system.db, everyoneScope())
}
