import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import type { Account, Message, UpdateProfileInput, UserInfo } from '@flashsheet/contracts/auth/schema'
import type { VerifiedCtx } from '../../../core/context.ts'
import { invalidField, notFound, unauthenticated } from '../../../core/errors.ts'
import { sessionIdOf } from '../../../core/guards.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import { emailChangeRequestedMail, passwordChangedMail } from '../mails.ts'
import { deleteLinkTokens, findUserById, listIdentities, lockUser, updateUser, type UserRow } from '../queries.ts'
import { accountView, userInfo } from '../view.ts'
import { requestLink } from './links.ts'
import { hashPassword, requirePassword } from './passwords.ts'
import { renewSession } from './sessions.ts'
import { mailUser } from './mail-user.ts'

/**
 * Changes name, password or address. A new address takes effect once its mailbox has confirmed it; the old one is
 * notified at once. A new password or address requires the current password, ends the other sessions and renews this
 * one. Does not reveal whether the new address has an account. Throws notFound (another's id), invalid or tooMany.
 */
export async function updateProfile(ctx: VerifiedCtx, input: UpdateProfileInput): Promise<UserInfo> {
  if (input._id !== ctx.owner) throw notFound()
  const before = await findUserById(ctx.db, ctx.owner)
  if (!before) throw unauthenticated()
  const newEmail = input.email === before.email ? undefined : input.email
  const newPassword = input.password === '' ? undefined : input.password
  if (newEmail === undefined && newPassword === undefined) return await rename(ctx, before, input.name)

  // A session alone does not prove the owner. A first password is set by a link mailed to the owner's mailbox.
  if (before.passwordHash === null)
    throw invalidField(newPassword === undefined ? 'email' : 'password', authMessages.passwordFirst)
  await requirePassword(ctx, before, input.currentPassword)
  if (newEmail !== undefined) {
    await consumeRateLimit(ctx, 'addressChangesPerAccount', ctx.owner)
    await consumeRateLimit(ctx, 'mailsPerAddress', newEmail)
  }
  const passwordHash = newPassword === undefined ? undefined : await hashPassword(ctx.ip, newPassword)
  const change = {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(newEmail === undefined ? {} : { pendingEmail: newEmail }),
    ...(passwordHash === undefined ? {} : { passwordHash }),
  }
  const saved = await retryOnDeadlock(ctx.db, async (tx) => {
    const user = await lockUser(tx, ctx.owner)
    // Changed concurrently: the verified password is no longer the current one.
    if (!user || user.passwordHash !== before.passwordHash || user.email !== before.email) throw unauthenticated()
    await updateUser(tx, ctx.owner, change, ctx.now())
    if (input.name !== undefined && input.name !== user.name)
      await ctx.hooks.run('nameChanged', ctx, tx, { owner: ctx.owner })
    if (newEmail !== undefined) {
      await mailUser(ctx, tx, user, emailChangeRequestedMail(user.name, ctx.config.publicUrl, newEmail))
      await requestLink(ctx, tx, { purpose: 'change_email', email: newEmail, userId: user.id })
    }
    if (passwordHash !== undefined) {
      // An older link could undo this change.
      await deleteLinkTokens(tx, ctx.owner, ['reset_password'])
      await mailUser(ctx, tx, user, passwordChangedMail(user.name, ctx.config.publicUrl))
    }
    return { user: { ...user, ...change }, cookie: await renewSession(ctx, tx, { endsOthers: true }) }
  })
  ctx.setCookie(saved.cookie)
  return userInfo(saved.user)
}

/** Changes the name only. Sessions are not renewed, so other windows stay signed in. */
async function rename(ctx: VerifiedCtx, before: UserRow, name: string | undefined): Promise<UserInfo> {
  if (name !== undefined && name !== before.name) {
    await ctx.db.transaction(async (tx) => {
      await updateUser(tx, ctx.owner, { name }, ctx.now())
      await ctx.hooks.run('nameChanged', ctx, tx, { owner: ctx.owner })
    })
  }
  ctx.setCookie(ctx.sessions.cookieOf(sessionIdOf(ctx)))
  return userInfo({ ...before, ...(name === undefined ? {} : { name }) })
}

/** Data for /profile besides the session's user. */
export async function getAccount(ctx: VerifiedCtx): Promise<Account> {
  const user = await findUserById(ctx.db, ctx.owner)
  if (!user) throw unauthenticated()
  return accountView(user, await listIdentities(ctx.db, ctx.owner))
}

/** Mails the link to the pending address again. Throws notFound when none is pending, or tooMany. */
export async function resendEmailChange(ctx: VerifiedCtx): Promise<Message> {
  const user = await findUserById(ctx.db, ctx.owner)
  const email = user?.pendingEmail
  if (!email) throw notFound(authMessages.noEmailChange)
  await consumeRateLimit(ctx, 'mailsPerAddress', email)
  await ctx.db.transaction(
    async (tx) => await requestLink(ctx, tx, { purpose: 'change_email', email, userId: ctx.owner }),
  )
  return { message: authMessages.emailChangeSent }
}

/** Discards the pending address and invalidates its link. */
export async function cancelEmailChange(ctx: VerifiedCtx): Promise<Message> {
  // Its confirmation locks the link before the user.
  await retryOnDeadlock(ctx.db, async (tx) => {
    await updateUser(tx, ctx.owner, { pendingEmail: null }, ctx.now())
    await deleteLinkTokens(tx, ctx.owner, ['change_email'])
  })
  return { message: authMessages.emailChangeCancelled }
}
