import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { dropOldLinks, dropSignInStates } from '../queries.ts'
import { keptDays } from '../rules.ts'

/** Clears away links and sign-ins that ended. */
export async function tidyAuth(system: System): Promise<void> {
  const before = new Date(system.now().getTime() - keptDays * 86_400_000)
  await dropSignInStates(system.db, everyoneScope(), system.now())
  await dropOldLinks(system.db, everyoneScope(), before)
}
