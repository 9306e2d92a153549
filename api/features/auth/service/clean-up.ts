import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { enqueueLink } from '../jobs.ts'
import { deleteOldLinks, deleteOldRegistrations, deleteSignInStates, listUnprocessedLinkRequests } from '../queries.ts'
import { keptDays, registrationDays } from '../rules.ts'

/** Deletes expired links, sign-ins and registrations, and queues lost link jobs again. */
export async function cleanUpAuth(system: System): Promise<void> {
  const before = new Date(system.now().getTime() - keptDays * 86_400_000)
  await deleteSignInStates(system.db, everyoneScope(), system.now())
  await deleteOldLinks(system.db, everyoneScope(), before)
  await deleteOldRegistrations(
    system.db,
    everyoneScope(),
    new Date(system.now().getTime() - registrationDays * 86_400_000),
  )
  const left = await listUnprocessedLinkRequests(
    system.db,
    everyoneScope(),
    new Date(system.now().getTime() - 3_600_000),
  )
  for (const id of left) await enqueueLink(system, system.db, id)
}
