import { authMessages } from '@flashsheet/contracts/auth/messages'
import type { ForgotPasswordInput, Message, ResetPasswordInput } from '@flashsheet/contracts/auth/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { RequestCtx } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { forbidden, invalid } from '../../../core/errors.ts'
import { isWithin } from '../../../core/limits.ts'
import { queueMail } from '../../../core/mail.ts'
import { requireOwnPage } from '../../../core/origin.ts'
import { ownerScope } from '../../../core/scope.ts'
import { passwordChangedMail } from '../mails.ts'
import {
  dropIdentities,
  dropLinkTokens,
  findLinkToken,
  isEmailOfAnother,
  lockUser,
  lockUsersByEmail,
  settleRegistrations,
  updateUser,
  useLinkToken,
  type UserRow,
} from '../queries.ts'
import { nameFrom } from '../rules.ts'
import { rememberBrowser } from './browsers.ts'
import { requestLink } from './links.ts'
import { hashPassword } from './passwords.ts'
import { endSessions } from './sessions.ts'

/**
 * Sends a reset link; the answer does not tell whether the address has an account. Beyond its limit nothing more is mailed and the answer stays:
 * the link mailed last is good until the limit ends, so nobody keeps an owner out by asking.
 */
export async function forgotPassword(ctx: RequestCtx, input: ForgotPasswordInput): Promise<Message> {
  if (await isWithin(ctx, 'resetsPerAddress', input.email)) {
    await ctx.db.transaction(
      async (tx) => await requestLink(ctx, tx, { purpose: 'reset_password', email: input.email }),
    )
  }
  return { message: authMessages.resetSent }
}

const linkInvalid = () => invalid(authMessages.resetLinkInvalid, { token: authMessages.resetLinkInvalid })

/**
 * Sets a new password by a mailed link, and ends every session, every other link and every sign-in with Google. The link came through the
 * mailbox, so an address that was not verified is now. Opens no session. Throws invalid when the link is used, old or unknown.
 */
export async function resetPassword(ctx: RequestCtx, input: ResetPasswordInput): Promise<Message> {
  await setPassword(ctx, input)
  return { message: authMessages.resetDone }
}

/**
 * The same on the page of the link. The browser is known from then on: while strangers' guesses close the log-in, the owner comes in there with
 * the new password.
 */
export async function resetPasswordHere(ctx: RequestCtx, input: ResetPasswordInput): Promise<Message> {
  requireOwnPage(ctx)
  rememberBrowser(ctx, { id: await setPassword(ctx, input), emailVerifiedAt: ctx.now() })
  return { message: authMessages.resetDone }
}

/** Answers whose password was set. */
async function setPassword(ctx: RequestCtx, input: ResetPasswordInput): Promise<string> {
  const link = await findLinkToken(ctx.db, sha256(input.token), ['reset_password'], ctx.now())
  if (!link) throw linkInvalid()
  // Before the transaction: nobody waits for a turn with a connection in hand.
  const passwordHash = await hashPassword(ctx.ip, input.newPassword)
  await ctx.db.transaction(async (tx) => {
    await lockUsersByEmail(tx, link.email)
    const token = await useLinkToken(tx, sha256(input.token), ['reset_password'], ctx.now())
    const user = token && (await lockUser(tx, ownerScope(token.userId)))
    // A link to an address the account no longer has opens nothing, nor one of somebody who registered beside the owner.
    if (!user || user.email !== token.email) throw linkInvalid()
    if (!user.isActive) throw forbidden('deactivated', errorMessages.deactivated)
    const owner = ownerScope(user.id)
    if (user.emailVerifiedAt === null && (await isEmailOfAnother(tx, owner, user.email))) throw linkInvalid()
    const proof = user.emailVerifiedAt === null ? { emailVerifiedAt: ctx.now() } : {}
    // Whoever asked for another address may be the one the owner is shutting out.
    await updateUser(tx, owner, { ...proof, ...ownName(ctx, user), pendingEmail: null, passwordHash }, ctx.now())
    await settleRegistrations(tx, user.email, owner)
    await dropLinkTokens(tx, owner, ['verify_email', 'reset_password', 'change_email'])
    await dropIdentities(tx, owner)
    await endSessions(ctx, tx, user.id)
    await queueMail(
      ctx,
      tx,
      { to: user.email, owner },
      passwordChangedMail(
        user.registration ? nameFrom(user.email) : user.name,
        `${ctx.config.publicUrl}/forgot-password`,
      ),
    )
  })
  return link.userId
}

/** The name of a registration may be a stranger's: it stays only in the browser that gave it. */
function ownName(ctx: RequestCtx, user: UserRow): { name?: string } {
  if (!user.registration) return {}
  const secret = ctx.cookie('registered')
  return secret !== undefined && user.registration.browser === sha256(secret) ? {} : { name: nameFrom(user.email) }
}
