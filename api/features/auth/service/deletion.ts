import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { deletesAt } from '@flashsheet/contracts/auth/rules'
import type { DeleteAccountInput, AccountDeletionAnswer, UserInfo } from '@flashsheet/contracts/auth/schema'
import type { SignedInCtx, VerifiedCtx } from '../../../core/context.ts'
import { conflict, invalidField, unauthenticated } from '../../../core/errors.ts'
import { deletionRequestedMail, deletionUndoneMail } from '../mails.ts'
import { lockUser, updateUser } from '../queries.ts'
import { isSameName } from '../rules.ts'
import { userInfo } from '../view.ts'
import { endSessions, renewSession } from './sessions.ts'
import { lockActiveAdmins } from './staff.ts'
import { mailUser } from './mail-user.ts'

/**
 * Requests the deletion of the account, confirmed by its name. Payments end and posts are held at once
 * (`accountDeletionRequested`), every session ends, and after the grace period everything is deleted. Throws invalid for
 * another name, conflict for the only admin.
 */
export async function requestDeletion(ctx: VerifiedCtx, input: DeleteAccountInput): Promise<AccountDeletionAnswer> {
  const now = ctx.now()
  await retryOnDeadlock(ctx.db, async (tx) => {
    // Locks staff before the artist, in the same order as changes by staff, to prevent a deadlock.
    const admins = ctx.user.isAdmin ? await lockActiveAdmins(tx) : new Set()
    const user = await lockUser(tx, ctx.owner)
    // A concurrent request came first and has ended this session.
    if (!user || user.deletionAskedAt) throw unauthenticated()
    if (!isSameName(input.name, user.name)) throw invalidField('name', authMessages.nameDiffers)
    if (admins.size === 1 && admins.has(user.id)) throw conflict(authMessages.lastAdmin)
    await updateUser(tx, ctx.owner, { deletionAskedAt: now }, now)
    await ctx.hooks.run('accountDeletionRequested', ctx, tx, { owner: ctx.owner })
    await endSessions(ctx, tx, user.id)
    await mailUser(ctx, tx, user, deletionRequestedMail(user, ctx.config.publicUrl, deletesAt(now)))
  })
  ctx.setCookie(ctx.sessions.clearingCookie())
  return { message: authMessages.deletionRequested, deletesAt: deletesAt(now).toISOString() }
}

/**
 * Undoes the deletion within the grace period. The subscription has ended, so posts stay held until a plan is chosen
 * again. The session is renewed, as it gains rights. Throws conflict when there is nothing to undo.
 */
export async function undoDeletion(ctx: SignedInCtx): Promise<UserInfo> {
  const undone = await retryOnDeadlock(ctx.db, async (tx) => {
    const user = await lockUser(tx, ctx.owner)
    if (!user?.deletionAskedAt || user.purgingAt) throw conflict(authMessages.noDeletion)
    await updateUser(tx, ctx.owner, { deletionAskedAt: null }, ctx.now())
    await mailUser(ctx, tx, user, deletionUndoneMail(user.name, ctx.config.publicUrl))
    return { user: { ...user, deletionAskedAt: null }, cookie: await renewSession(ctx, tx, { endsOthers: false }) }
  })
  ctx.setCookie(undone.cookie)
  return userInfo(undone.user)
}
