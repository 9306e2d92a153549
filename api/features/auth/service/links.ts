import { linkHours } from '@flashsheet/contracts/auth/limits'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { newToken, sha256, shortCode } from '../../../core/crypto.ts'
import { newId } from '../../../core/ids.ts'
import { ownerScope } from '../../../core/scope.ts'
import { linkQueue } from '../jobs.ts'
import {
  addressTakenMail,
  alreadyRegisteredMail,
  changeEmailMail,
  resetPasswordMail,
  verifyEmailMail,
  verifyStaffChangeMail,
} from '../mails.ts'
import {
  findUserById,
  findVerifiedUser,
  insertLinkRequest,
  insertLinkToken,
  listUsersByEmail,
  consumeLinkRequest,
  type LinkPurpose,
  type LinkRequest,
  type UserRow,
} from '../queries.ts'
import { codePurpose, deviceLabel, resetPasswordUrl, verifyEmailUrl } from '../rules.ts'
import { mailUser } from './mail-user.ts'

/**
 * Stores the request of a link. Only the job looks up whether the address has an account, so that the caller's work,
 * answer and timing are the same for every address (docs/product/accounts.md).
 */
export async function requestLink(
  system: System,
  tx: Tx,
  request: { purpose: LinkRequest['purpose']; email: string; userId?: string },
): Promise<void> {
  const id = newId()
  await insertLinkRequest(tx, { id, userId: null, ...request, createdAt: system.now() })
  await system.jobs.send(tx, linkQueue, { requestId: id })
}

/** Mails the link of a request; idempotent. */
export async function mailRequestedLink(system: System, { requestId }: { requestId: string }): Promise<void> {
  await system.db.transaction(async (tx) => {
    const request = await consumeLinkRequest(tx, requestId)
    if (!request) return
    const { email, userId, purpose } = request
    const requester = userId === null ? undefined : await findUserById(tx, ownerScope(userId))
    if (purpose === 'change_email') {
      // Otherwise the request was replaced or withdrawn.
      if (requester?.pendingEmail === email) await mailChangeLink(system, tx, requester, email)
      return
    }
    const [first] = await listUsersByEmail(tx, email)
    if (purpose === 'reset_password') {
      if (first) await mailResetLink(system, tx, first)
    } else if (first?.registration === null) {
      // The address has an account, so a registration could not be verified. Staff may have set the address.
      if (purpose === 'register')
        await mailUser(system, tx, first, alreadyRegisteredMail(first.name, system.config.publicUrl))
      else if (first.emailVerifiedAt === null) await mailVerificationLink(system, tx, first)
    } else {
      // A user whose address has changed since the request gets no mail.
      const user = userId === null ? first : requester?.email === email ? requester : undefined
      if (user) await mailVerificationLink(system, tx, user)
    }
  })
}

async function mailVerificationLink(system: System, tx: Tx, user: UserRow): Promise<void> {
  const token = await createLinkToken(system, tx, 'verify_email', user.id, user.email)
  const url = verifyEmailUrl(system.config.publicUrl, token, user.email)
  const mail = user.registration
    ? verifyEmailMail(
        { name: user.name, at: user.registration.createdAt, device: deviceLabel(user.registration.userAgent) },
        { url, token, code: shortCode(system.config, codePurpose, sha256(token)) },
      )
    : verifyStaffChangeMail(user.name, url, token)
  // Only the code of the newest mail is accepted.
  await mailUser(system, tx, user, mail, 'verify_email')
}

async function mailResetLink(system: System, tx: Tx, user: UserRow): Promise<void> {
  const token = await createLinkToken(system, tx, 'reset_password', user.id, user.email)
  const url = resetPasswordUrl(system.config.publicUrl, token)
  await mailUser(system, tx, user, resetPasswordMail(user.registration ? null : user.name, url), 'reset_password')
}

async function mailChangeLink(system: System, tx: Tx, requester: UserRow, email: string): Promise<void> {
  const { publicUrl } = system.config
  const owner = await findVerifiedUser(tx, email)
  if (owner) return await mailUser(system, tx, owner, addressTakenMail(owner.name, publicUrl))
  const token = await createLinkToken(system, tx, 'change_email', requester.id, email)
  const text = changeEmailMail(requester.name, verifyEmailUrl(publicUrl, token, email), token)
  await mailUser(system, tx, { id: requester.id, email }, text, 'change_email')
}

/** Creates a token of 128 random bits, stored hashed; returns it for the link. */
async function createLinkToken(system: System, tx: Tx, purpose: LinkPurpose, userId: string, email: string) {
  const token = newToken()
  const expiresAt = new Date(system.now().getTime() + linkHours[purpose] * 3_600_000)
  await insertLinkToken(tx, { hash: sha256(token), purpose, userId, email, expiresAt })
  return token
}
