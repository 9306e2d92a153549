import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import type { ForgotPasswordInput, Message, ResetPasswordInput } from '@flashsheet/contracts/auth/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { RequestCtx } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { forbidden, invalidField } from '../../../core/errors.ts'
import { tryConsumeRateLimit } from '../../../core/limits.ts'
import { requireSameOrigin } from '../../../core/origin.ts'
import { ownerScope } from '../../../core/scope.ts'
import { passwordChangedMail } from '../mails.ts'
import {
  deleteIdentities,
  deleteLinkTokens,
  findLinkToken,
  isEmailOfAnother,
  lockUser,
  lockUsersByEmail,
  deleteOtherRegistrations,
  updateUser,
  consumeLinkToken,
  type UserRow,
} from '../queries.ts'
import { nameFrom } from '../rules.ts'
import { rememberBrowser } from './browsers.ts'
import { requestLink } from './links.ts'
import { hashPassword } from './passwords.ts'
import { endSessions } from './sessions.ts'
import { mailUser } from './mail-user.ts'

/**
 * Mails a reset link; the answer does not reveal whether the address has an account. Beyond the limit nothing is mailed
 * and the answer is the same. A link is valid for as long as the limit lasts, so requests cannot lock an owner out.
 */
export async function forgotPassword(ctx: RequestCtx, input: ForgotPasswordInput): Promise<Message> {
  if (await tryConsumeRateLimit(ctx, 'resetsPerAddress', input.email)) {
    await ctx.db.transaction(
      async (tx) => await requestLink(ctx, tx, { purpose: 'reset_password', email: input.email }),
    )
  }
  return { message: authMessages.resetSent }
}

const linkInvalid = () => invalidField('token', authMessages.resetLinkInvalid)

/**
 * Sets a new password by a mailed link. Ends every session, invalidates every other link, unlinks Google, and verifies
 * the address, since the link came through its mailbox. Opens no session. Throws invalid when the link is used, expired
 * or unknown.
 */
export async function resetPassword(ctx: RequestCtx, input: ResetPasswordInput): Promise<Message> {
  await setPassword(ctx, input)
  return { message: authMessages.resetDone }
}

/**
 * The same on the page of the link. The browser also gets a device cookie, so that the owner can log in there while
 * strangers' guesses lock the log-in elsewhere.
 */
export async function resetPasswordHere(ctx: RequestCtx, input: ResetPasswordInput): Promise<Message> {
  requireSameOrigin(ctx)
  rememberBrowser(ctx, { id: await setPassword(ctx, input), emailVerifiedAt: ctx.now() })
  return { message: authMessages.resetDone }
}

/** Returns the user's id. */
async function setPassword(ctx: RequestCtx, input: ResetPasswordInput): Promise<string> {
  const link = await findLinkToken(ctx.db, sha256(input.token), ['reset_password'], ctx.now())
  if (!link) throw linkInvalid()
  // Before the transaction, since waiting in the hash queue must not hold a database connection.
  const passwordHash = await hashPassword(ctx.ip, input.newPassword)
  await retryOnDeadlock(ctx.db, async (tx) => {
    await lockUsersByEmail(tx, link.email)
    const token = await consumeLinkToken(tx, sha256(input.token), ['reset_password'], ctx.now())
    const user = token && (await lockUser(tx, ownerScope(token.userId)))
    // A link to a former address is invalid, and so is a registration's once the address has an account.
    if (!user || user.email !== token.email) throw linkInvalid()
    if (!user.isActive) throw forbidden('deactivated', errorMessages.deactivated)
    const owner = ownerScope(user.id)
    if (user.emailVerifiedAt === null && (await isEmailOfAnother(tx, owner, user.email))) throw linkInvalid()
    const verification = user.emailVerifiedAt === null ? { emailVerifiedAt: ctx.now() } : {}
    // A pending address is discarded: an intruder may have requested it.
    const change = { ...verification, ...safeName(ctx, user), pendingEmail: null, passwordHash }
    await updateUser(tx, owner, change, ctx.now())
    await deleteOtherRegistrations(tx, user.email, owner)
    await deleteLinkTokens(tx, owner, ['verify_email', 'reset_password', 'change_email'])
    await deleteIdentities(tx, owner)
    await endSessions(ctx, tx, user.id)
    const name = user.registration ? nameFrom(user.email) : user.name
    await mailUser(ctx, tx, user, passwordChangedMail(name, ctx.config.publicUrl))
  })
  return link.userId
}

/** Replaces the name of a registration unless this browser registered: a stranger may have chosen it. */
function safeName(ctx: RequestCtx, user: UserRow): { name?: string } {
  if (!user.registration) return {}
  const secret = ctx.cookie('registered')
  return secret !== undefined && user.registration.browser === sha256(secret) ? {} : { name: nameFrom(user.email) }
}
