import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { linkQueue } from '../jobs.ts'
import { deleteOldLinks, deleteOldRegistrations, deleteSignInStates, listUnprocessedLinkRequests } from '../queries.ts'
import { expiredLinkDays, registrationDays } from '../rules.ts'

/** Deletes expired links, sign-ins and registrations, and queues lost link jobs again. */
export async function cleanUpAuth(system: System): Promise<void> {
  const { db } = system
  const now = system.now()
  const scope = everyoneScope()
  await deleteSignInStates(db, scope, now)
  await deleteOldLinks(db, scope, new Date(now.getTime() - expiredLinkDays * 86_400_000))
  await deleteOldRegistrations(db, scope, new Date(now.getTime() - registrationDays * 86_400_000))
  for (const id of await listUnprocessedLinkRequests(db, scope, new Date(now.getTime() - 3_600_000)))
    await system.jobs.send(db, linkQueue, { requestId: id })
}
