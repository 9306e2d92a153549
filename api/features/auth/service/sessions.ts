import { authMessages } from '@flashsheet/contracts/auth/messages'
import type { Message, Session, SessionId } from '@flashsheet/contracts/auth/schema'
import type { Tx } from '@flashsheet/db/client'
import type { RequestCtx, SignedInCtx, System, VerifiedCtx } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { notFound, unauthenticated } from '../../../core/errors.ts'
import { sessionIdOf } from '../../../core/guards.ts'
import { createSessions } from '../../../core/sessions/session.ts'
import { lockUser } from '../queries.ts'
import { deviceOf } from '../rules.ts'
import { sessionView } from '../view.ts'

/**
 * Begins a session in the caller's transaction and returns its cookie, to be set after the commit. The id is always new,
 * against session fixation. The previous session of this browser ends.
 */
export async function beginSession(ctx: RequestCtx, tx: Tx, userId: string): Promise<string> {
  const sessions = createSessions(tx, ctx.config, ctx.now)
  if (ctx.caller?.kind === 'session') await sessions.end(ctx.caller.id)
  const { cookie } = await sessions.begin(userId, ctx.userAgent)
  return cookie
}

/**
 * Replaces the caller's session in a transaction that has locked the user; `endsOthers` also ends the user's other sessions.
 * Returns the new cookie; undefined if the caller is not the user, or if the session was ended since the request began: an
 * ended session must not open another one.
 */
export async function replaceSession(
  ctx: RequestCtx,
  tx: Tx,
  userId: string,
  { endsOthers }: { endsOthers: boolean },
): Promise<string | undefined> {
  const { caller } = ctx
  const sessions = createSessions(tx, ctx.config, ctx.now)
  const isLive = caller?.kind === 'session' && (await sessions.endOwn(userId, sha256(caller.id)))
  if (endsOthers) await sessions.endAllOf(userId)
  return isLive ? (await sessions.begin(userId, ctx.userAgent)).cookie : undefined
}

/** The same for the session's own user. Throws unauthenticated if the session was ended. */
export async function renewSession(ctx: SignedInCtx, tx: Tx, options: { endsOthers: boolean }): Promise<string> {
  const cookie = await replaceSession(ctx, tx, ctx.owner, options)
  if (cookie === undefined) throw unauthenticated()
  return cookie
}

/** Ends every session of a user, in the caller's transaction. */
export async function endSessions(ctx: Pick<System, 'config' | 'now'>, tx: Tx, userId: string): Promise<void> {
  await createSessions(tx, ctx.config, ctx.now).endAllOf(userId)
}

/** The artist's sessions; the caller's is marked. */
export async function listSessions(ctx: VerifiedCtx): Promise<Session[]> {
  const current = sha256(sessionIdOf(ctx))
  return (await ctx.sessions.listOf(ctx.owner)).map((session) =>
    sessionView(session, deviceOf(session.userAgent), current),
  )
}

/** Ends one of the artist's sessions and its live updates. Throws notFound for another artist's or an ended one. */
export async function endSession(ctx: VerifiedCtx, input: SessionId): Promise<Message> {
  if (!(await ctx.sessions.endOwn(ctx.owner, input.id))) throw notFound()
  if (input.id === sha256(sessionIdOf(ctx))) ctx.setCookie(ctx.sessions.clearingCookie())
  return { message: authMessages.sessionEnded }
}

/** Ends every session of the artist except the caller's. */
export async function endOtherSessions(ctx: VerifiedCtx): Promise<Message> {
  await ctx.db.transaction(async (tx) => {
    // Waits for a session that is being renewed, which would not be seen otherwise.
    await lockUser(tx, ctx.owner)
    await createSessions(tx, ctx.config, ctx.now).endOthers(ctx.owner, sessionIdOf(ctx))
  })
  return { message: authMessages.othersEnded }
}
