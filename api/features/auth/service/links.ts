import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { newToken, sha256 } from '../../../core/crypto.ts'
import { newId } from '../../../core/ids.ts'
import { queueMail } from '../../../core/mail.ts'
import { ownerScope } from '../../../core/scope.ts'
import { enqueueLink } from '../jobs.ts'
import { addressTakenMail, alreadyRegisteredMail, changeEmailMail, resetPasswordMail, verifyEmailMail } from '../mails.ts'
import { findUserByEmail, findUserById, insertLinkRequest, insertLinkToken, takeLinkRequest, type LinkPurpose, type LinkRequest, type UserRow } from '../queries.ts'
import { linkHours, resetPasswordUrl, verifyEmailUrl } from '../rules.ts'

/**
 * Writes down that a link was asked for. Whether there is anybody to mail it to, the job finds out: the caller's work is
 * the same for every address, and so are its answer and its time (spec 4; decision 5).
 */
export async function requestLink(system: System, tx: Tx, request: { purpose: LinkRequest['purpose']; email: string; userId?: string }): Promise<void> {
  const id = newId()
  await insertLinkRequest(tx, { id, userId: null, ...request, createdAt: system.now() })
  await enqueueLink(system, tx, id)
}

/** Mails what a request asked for, once; running twice mails once. */
export async function answerLinkRequest(system: System, requestId: string): Promise<void> {
  await system.db.transaction(async (tx) => {
    const request = await takeLinkRequest(tx, requestId)
    if (!request) return
    if (request.purpose === 'change_email') {
      const asker = request.userId === null ? undefined : await findUserById(tx, ownerScope(request.userId))
      // A newer wish, or none any more.
      if (asker?.pendingEmail === request.email) await mailChangeLink(system, tx, asker, request.email)
      return
    }
    const user = await findUserByEmail(tx, request.email)
    if (!user) return
    if (request.purpose === 'reset_password') await mailResetLink(system, tx, user)
    else if (request.purpose === 'register' && user.id !== request.userId) await mailAlreadyRegistered(system, tx, user)
    else if (user.emailVerifiedAt === null) await mailVerificationLink(system, tx, user)
  })
}

async function mailVerificationLink(system: System, tx: Tx, user: UserRow): Promise<void> {
  const token = await makeToken(system, tx, 'verify_email', user.id, user.email)
  await queueMail(system, tx, { to: user.email, owner: ownerScope(user.id) }, verifyEmailMail(user.name, verifyEmailUrl(system.config.publicUrl, token, user.email), token))
}

async function mailResetLink(system: System, tx: Tx, user: UserRow): Promise<void> {
  const token = await makeToken(system, tx, 'reset_password', user.id, user.email)
  await queueMail(system, tx, { to: user.email, owner: ownerScope(user.id) }, resetPasswordMail(user.name, resetPasswordUrl(system.config.publicUrl, token)))
}

/** The one who owns a mailbox but registered somebody else's way in has a reset: it proves the mailbox and makes the password theirs. */
async function mailAlreadyRegistered(system: System, tx: Tx, user: UserRow): Promise<void> {
  const { publicUrl } = system.config
  await queueMail(system, tx, { to: user.email, owner: ownerScope(user.id) }, alreadyRegisteredMail(user.name, `${publicUrl}/login`, `${publicUrl}/forgot-password`))
}

async function mailChangeLink(system: System, tx: Tx, asker: UserRow, email: string): Promise<void> {
  const holder = await findUserByEmail(tx, email)
  if (holder) {
    await queueMail(system, tx, { to: holder.email, owner: ownerScope(holder.id) }, addressTakenMail(holder.name, `${system.config.publicUrl}/login`))
    return
  }
  const token = await makeToken(system, tx, 'change_email', asker.id, email)
  await queueMail(system, tx, { to: email, owner: ownerScope(asker.id) }, changeEmailMail(asker.name, verifyEmailUrl(system.config.publicUrl, token, email), token))
}

/** A new token of 128 random bits, stored hashed; answers what the link carries. */
async function makeToken(system: System, tx: Tx, purpose: LinkPurpose, userId: string, email: string): Promise<string> {
  const token = newToken()
  const expiresAt = new Date(system.now().getTime() + linkHours[purpose] * 3_600_000)
  await insertLinkToken(tx, { hash: sha256(token), purpose, userId, email, expiresAt })
  return token
}
