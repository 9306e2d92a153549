import { authMessages, type ForgotPasswordInput, type Message, type ResetPasswordInput } from '@flashsheet/contracts/auth'
import { errorMessages } from '@flashsheet/contracts/errors'
import type { RequestCtx } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { forbidden, invalid } from '../../../core/errors.ts'
import { countAgainst } from '../../../core/limits.ts'
import { queueMail } from '../../../core/mail.ts'
import { ownerScope } from '../../../core/scope.ts'
import { passwordChangedMail } from '../mails.ts'
import { dropLinkTokens, lockUser, updateUser, useLinkToken } from '../queries.ts'
import { verifiedAs } from '../rules.ts'
import { requestLink } from './links.ts'
import { hashPassword } from './passwords.ts'
import { endSessions } from './sessions.ts'

/** Sends a reset link; the answer does not tell whether the address has an account. Throws tooMany. */
export async function forgotPassword(ctx: RequestCtx, input: ForgotPasswordInput): Promise<Message> {
  await countAgainst(ctx, 'mailsPerAddress', input.email)
  await ctx.db.transaction(async (tx) => await requestLink(ctx, tx, { purpose: 'reset_password', email: input.email }))
  return { message: authMessages.resetSent }
}

/**
 * Sets a new password by a mailed link, and ends every session and every other link. The link came through the mailbox, so
 * an address that was not verified is now (decision 5). Opens no session. Throws invalid when the link is used, old or unknown.
 */
export async function resetPassword(ctx: RequestCtx, input: ResetPasswordInput): Promise<Message> {
  // Before the transaction: nobody waits for a turn with a connection in hand.
  const passwordHash = await hashPassword(ctx.ip, input.newPassword)
  await ctx.db.transaction(async (tx) => {
    const token = await useLinkToken(tx, sha256(input.token), ['reset_password'], ctx.now())
    const user = token && (await lockUser(tx, ownerScope(token.userId)))
    // A link to an address the account no longer has opens nothing.
    if (!user || user.email !== token.email) throw invalid(authMessages.resetLinkInvalid, { token: authMessages.resetLinkInvalid })
    if (!user.isActive) throw forbidden('deactivated', errorMessages.deactivated)
    const owner = ownerScope(user.id)
    const proof = user.emailVerifiedAt === null ? verifiedAs(user.email, ctx.config.adminEmail, ctx.now()) : {}
    // Whoever asked for another address may be the one the owner is shutting out.
    await updateUser(tx, owner, { ...proof, pendingEmail: null, passwordHash }, ctx.now())
    await dropLinkTokens(tx, owner, ['verify_email', 'reset_password', 'change_email'])
    await endSessions(ctx, tx, user.id)
    await queueMail(ctx, tx, { to: user.email, owner }, passwordChangedMail(user.name, `${ctx.config.publicUrl}/forgot-password`))
  })
  return { message: authMessages.resetDone }
}
