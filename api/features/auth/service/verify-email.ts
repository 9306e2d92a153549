import { authMessages, type Message, type ResendVerificationInput, type UserInfo, type VerifyEmailInput } from '@flashsheet/contracts/auth'
import { errorMessages } from '@flashsheet/contracts/errors'
import { violatesUnique, type Tx } from '@flashsheet/db/client'
import type { RequestCtx } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { forbidden, invalid } from '../../../core/errors.ts'
import { countAgainst } from '../../../core/limits.ts'
import { queueMail } from '../../../core/mail.ts'
import { ownerScope } from '../../../core/scope.ts'
import { emailChangedMail } from '../mails.ts'
import { dropLinkTokens, isEmailOfAnother, lockUser, updateUser, useLinkToken, type UserRow } from '../queries.ts'
import { verifiedAs } from '../rules.ts'
import { userInfo } from '../view.ts'
import { requestLink } from './links.ts'
import { beginSession, endSessions } from './sessions.ts'

const linkInvalid = () => invalid(authMessages.verifyLinkInvalid, { token: authMessages.verifyLinkInvalid })

/**
 * Verifies the address a link was sent to and opens a session: of a registration, or of a change of address, which counts
 * from here on and ends every other session. Throws invalid when the link is used, old, unknown or overtaken.
 */
export async function verifyEmail(ctx: RequestCtx, input: VerifyEmailInput): Promise<UserInfo> {
  const proven = await ctx.db.transaction(async (tx) => await useLink(ctx, tx, input.token)).catch((error: unknown) => {
    // Somebody took the address between our look and our write.
    throw violatesUnique(error) ? linkInvalid() : error
  })
  ctx.setCookie(proven.cookie)
  return userInfo(proven.user)
}

async function useLink(ctx: RequestCtx, tx: Tx, given: string): Promise<{ user: UserRow; cookie: string }> {
  const token = await useLinkToken(tx, sha256(given), ['verify_email', 'change_email'], ctx.now())
  const user = token && (await lockUser(tx, ownerScope(token.userId)))
  if (!user) throw linkInvalid()
  if (!user.isActive) throw forbidden('deactivated', errorMessages.deactivated)
  const change = token.purpose === 'change_email' ? await moveTo(ctx, tx, user, token.email) : await prove(ctx, tx, user, token.email)
  return { user: { ...user, ...change }, cookie: await beginSession(ctx, tx, user.id) }
}

async function prove(ctx: RequestCtx, tx: Tx, user: UserRow, email: string): Promise<Partial<UserRow>> {
  // A link to an address the account no longer has proves nothing.
  if (user.email !== email) throw linkInvalid()
  const change = verifiedAs(email, ctx.config.adminEmail, ctx.now())
  await updateUser(tx, ownerScope(user.id), change, ctx.now())
  return change
}

async function moveTo(ctx: RequestCtx, tx: Tx, user: UserRow, email: string): Promise<Partial<UserRow>> {
  const owner = ownerScope(user.id)
  if (user.pendingEmail !== email || (await isEmailOfAnother(tx, owner, email))) throw linkInvalid()
  const change = { ...verifiedAs(email, ctx.config.adminEmail, ctx.now()), pendingEmail: null }
  await updateUser(tx, owner, change, ctx.now())
  await dropLinkTokens(tx, owner, ['verify_email', 'reset_password'])
  await endSessions(ctx, tx, user.id)
  await ctx.hooks.tell('emailChanged', ctx, tx, { owner })
  await queueMail(ctx, tx, { to: user.email, owner }, emailChangedMail(user.name, email, `${ctx.config.publicUrl}/contact`))
  return change
}

/** Sends another verification link; the answer does not tell whether the address has an account. Throws tooMany. */
export async function resendVerification(ctx: RequestCtx, input: ResendVerificationInput): Promise<Message> {
  await countAgainst(ctx, 'mailsPerAddress', input.email)
  await ctx.db.transaction(async (tx) => await requestLink(ctx, tx, { purpose: 'verify_email', email: input.email }))
  return { message: authMessages.verificationSent }
}
