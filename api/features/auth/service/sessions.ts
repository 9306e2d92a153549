import type { Tx } from '@flashsheet/db/client'
import type { RequestCtx, System } from '../../../core/context.ts'
import { createSessions } from '../../../core/session.ts'

/**
 * Begins a session in the caller's transaction and answers its cookie, to be sent once that has ended well. The id is
 * always new, so that one planted before is worth nothing afterwards; the session this browser had ends.
 */
export async function beginSession(ctx: RequestCtx, tx: Tx, userId: string): Promise<string> {
  const sessions = createSessions(tx, ctx.config, ctx.now)
  if (ctx.session) await sessions.end(ctx.session.id)
  const { cookie } = await sessions.begin(userId)
  return cookie
}

/** Ends every session of somebody, in the caller's transaction: their password or address changed, or staff stopped them. */
export async function endSessions(ctx: Pick<System, 'config' | 'now'>, tx: Tx, userId: string): Promise<void> {
  await createSessions(tx, ctx.config, ctx.now).endAllOf(userId)
}
