import { violatesUnique, type Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { adminMessages } from '@flashsheet/contracts/admin'
import { conflict, notFound } from '../../../core/errors.ts'
import { queueMail } from '../../../core/mail.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { deactivatedMail, emailChangedByStaffMail, reactivatedMail } from '../mails.ts'
import { dropLinkTokens, lockAdmins, lockUser, setAdmin, updateUser, type UserRow } from '../queries.ts'
import { requestLink } from './links.ts'
import { endSessions } from './sessions.ts'

/** Makes a registered person an admin, in the caller's transaction, and answers who it is. Throws notFound for an unknown address. */
export async function grantAdmin(system: Pick<System, 'now'>, tx: Tx, email: string): Promise<string> {
  const id = await setAdmin(tx, everyoneScope(), email, system.now())
  if (id === undefined) throw notFound('Nobody is registered with this address.')
  return id
}

/** Who can act as an admin right now; all of staff stay as they are until the caller's transaction ends. */
export async function lockActingAdmins(tx: Tx): Promise<Set<string>> {
  const staff = await lockAdmins(tx, everyoneScope())
  return new Set(staff.filter((one) => one.isActive && one.emailVerifiedAt !== null && one.deletionAskedAt === null).map((one) => one.id))
}

export type AccountChange = { name?: string | undefined; email?: string | undefined; isActive?: boolean | undefined; isAdmin?: boolean | undefined }

/**
 * Changes an account for staff, in the caller's transaction, and answers the fields that are different now. A new address has to
 * be verified anew; that, being deactivated, and becoming staff or no longer being it, ends every session. The artist is told by mail.
 * Throws notFound for nobody, conflict for an address somebody has.
 */
export async function changeAccount(system: System, tx: Tx, owner: OwnerId, wish: AccountChange): Promise<(keyof AccountChange)[]> {
  const user = await lockUser(tx, owner)
  if (!user || user.purgingAt) throw notFound(adminMessages.userGone)
  const fields = (['name', 'email', 'isActive', 'isAdmin'] as const).filter((field) => wish[field] !== undefined && wish[field] !== user[field])
  if (fields.length === 0) return []
  const change: Partial<UserRow> = Object.fromEntries(fields.map((field) => [field, wish[field]]))
  if (change.email !== undefined) Object.assign(change, { emailVerifiedAt: null, pendingEmail: null })
  try {
    await updateUser(tx, owner, change, system.now())
  } catch (error) {
    if (violatesUnique(error)) throw conflict(adminMessages.emailTaken, { fields: { email: adminMessages.emailTaken } })
    throw error
  }
  // A session never changes what it may do: who becomes staff, or is staff no longer, logs in anew.
  if (change.email !== undefined || change.isActive === false || change.isAdmin !== undefined) await endSessions(system, tx, owner)
  await tell(system, tx, user, change)
  return fields
}

async function tell(system: System, tx: Tx, user: UserRow, change: Partial<UserRow>): Promise<void> {
  const { publicUrl } = system.config
  const contactUrl = `${publicUrl}/contact`
  const owner = ownerScope(user.id)
  if (change.name !== undefined) await system.hooks.tell('nameChanged', system, tx, { owner })
  if (change.email !== undefined) {
    await system.hooks.tell('emailChanged', system, tx, { owner })
    // Links sent to the old address must not open the account any more.
    await dropLinkTokens(tx, owner, ['verify_email', 'reset_password', 'change_email'])
    await queueMail(system, tx, { to: user.email, owner }, emailChangedByStaffMail(user.name, change.email, contactUrl))
    await requestLink(system, tx, { purpose: 'verify_email', email: change.email })
  }
  if (change.isActive === false) await queueMail(system, tx, { to: user.email, owner }, deactivatedMail(user.name, contactUrl))
  if (change.isActive === true) await queueMail(system, tx, { to: change.email ?? user.email, owner }, reactivatedMail(user.name, `${publicUrl}/login`))
}
