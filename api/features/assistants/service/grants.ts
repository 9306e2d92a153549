import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { IdParam } from '@flashsheet/contracts/input'
import type { ConnectedAssistant } from '@flashsheet/contracts/assistants/schema'
import type { Deleted } from '@flashsheet/contracts/keys/schema'
import type { System, VerifiedCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { deleteGrant, deleteExpired, listGrants } from '../queries.ts'
import { assistantView } from '../view.ts'

/** Programs that were not connected within this time are deleted. */
const unusedMs = 24 * 60 * 60_000

/** The artist's connected assistants, newest first. */
export async function listAssistants(ctx: VerifiedCtx): Promise<ConnectedAssistant[]> {
  return (await listGrants(ctx.db, ctx.owner)).map(assistantView)
}

/** Ends an assistant's access; its next message is refused. Throws notFound. */
export async function disconnectAssistant(ctx: VerifiedCtx, { id }: IdParam): Promise<Deleted> {
  // A concurrent refresh locks its token before the grant, of which this deletes the tokens.
  if (!(await retryOnDeadlock(ctx.db, async (tx) => await deleteGrant(tx, ctx.owner, id)))) throw notFound()
  return { deleted: true }
}

/** Deletes expired tokens and codes, assistants without a token, and programs that were not connected within a day. */
export async function deleteExpiredAccess(system: System): Promise<void> {
  const now = system.now()
  await deleteExpired(system.db, everyoneScope(), now, new Date(now.getTime() - unusedMs))
}
