import { authMessages } from '@flashsheet/contracts/auth/messages'
import type { OwnSignInMethods, RemoveGoogleInput, UserInfo } from '@flashsheet/contracts/auth/schema'
import type { VerifiedCtx } from '../../../core/context.ts'
import { conflict, unauthenticated } from '../../../core/errors.ts'
import { googleRemovedMail } from '../mails.ts'
import { deleteIdentities, findUserById, listIdentities, lockUser } from '../queries.ts'
import { signInMethodsView, userInfo } from '../view.ts'
import { requirePassword } from './passwords.ts'
import { renewSession } from './sessions.ts'
import { mailUser } from './mail-user.ts'

/** The sign-in methods of the artist's account. */
export async function getOwnSignInMethods(ctx: VerifiedCtx): Promise<OwnSignInMethods> {
  const user = await findUserById(ctx.db, ctx.owner)
  if (!user) throw unauthenticated()
  return signInMethodsView(user, await listIdentities(ctx.db, ctx.owner))
}

/**
 * Unlinks Google. Requires the password, since it becomes the only sign-in method. Other sessions end, this one is
 * renewed, and the owner is notified. Throws conflict if the account has no password or no Google, invalid for a wrong
 * password, or tooMany.
 */
export async function removeGoogle(ctx: VerifiedCtx, input: RemoveGoogleInput): Promise<UserInfo> {
  const before = await findUserById(ctx.db, ctx.owner)
  if (!before) throw unauthenticated()
  if (before.passwordHash === null) throw conflict(authMessages.googleIsOnlyWay)
  await requirePassword(ctx, before, input.currentPassword)
  const saved = await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, ctx.owner)
    if (!user || user.passwordHash !== before.passwordHash) throw unauthenticated()
    if ((await listIdentities(tx, ctx.owner)).length === 0) throw conflict(authMessages.googleNotLinked)
    await deleteIdentities(tx, ctx.owner)
    await mailUser(ctx, tx, user, googleRemovedMail(user.name, ctx.config.publicUrl))
    return { user, cookie: await renewSession(ctx, tx, { endsOthers: true }) }
  })
  ctx.setCookie(saved.cookie)
  return userInfo(saved.user)
}
