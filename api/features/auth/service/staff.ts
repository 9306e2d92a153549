import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { adminMessages } from '@flashsheet/contracts/admin/messages'
import { conflict, notFound } from '../../../core/errors.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { isServedArtist } from '../../../core/served-artist.ts'
import { deactivatedMail, emailChangedByStaffMail, reactivatedMail } from '../mails.ts'
import {
  deleteIdentities,
  deleteLinkTokens,
  findVerifiedUser,
  isEmailOfAnother,
  lockAdmins,
  lockUser,
  updateUser,
  type UserRow,
} from '../queries.ts'
import { isAdminBySetting } from '../rules.ts'
import { requestLink } from './links.ts'
import { endSessions } from './sessions.ts'
import { mailUser } from './mail-user.ts'

/**
 * Makes the owner of a verified address an admin, in the caller's transaction, and returns the user's id. Older sessions
 * end. Throws notFound for an unverified address.
 */
export async function grantAdmin(system: Pick<System, 'config' | 'now'>, tx: Tx, email: string): Promise<string> {
  const account = await findVerifiedUser(tx, email)
  const user = account && (await lockUser(tx, ownerScope(account.id)))
  if (user?.email !== email) throw notFound(adminMessages.nobodyVerified)
  if (!user.isAdmin) {
    await updateUser(tx, ownerScope(user.id), { isAdmin: true }, system.now())
    await endSessions(system, tx, user.id)
  }
  return user.id
}

/**
 * Applies ADMIN_EMAIL at a log-in, in the caller's transaction before the session begins. If the user becomes an admin,
 * older sessions end. Returns the user.
 */
export async function grantAdminBySetting(system: System, tx: Tx, user: UserRow): Promise<UserRow> {
  if (!isAdminBySetting(user, system.config.adminEmail)) return user
  const owner = ownerScope(user.id)
  const change = { isAdmin: true, adminSettingUsedAt: system.now() }
  await updateUser(tx, owner, change, system.now())
  await endSessions(system, tx, user.id)
  await system.hooks.run('adminBySetting', system, tx, { owner })
  return { ...user, ...change }
}

/** The ids of active admins. All staff are locked until the caller's transaction ends. */
export async function lockActiveAdmins(tx: Tx): Promise<Set<string>> {
  const staff = await lockAdmins(tx, everyoneScope())
  return new Set(
    staff
      .filter((admin) => admin.isActive && admin.emailVerifiedAt !== null && admin.deletionAskedAt === null)
      .map((admin) => admin.id),
  )
}

export type AccountChange = Partial<Pick<UserRow, 'name' | 'email' | 'isActive' | 'isAdmin'>>

/**
 * Changes an account on behalf of staff, in the caller's transaction. A new address must be verified again. A new
 * address, deactivation, and gaining or losing staff rights end every session. The artist is notified by mail. Throws
 * notFound for an unknown user, conflict for a taken address, an admin's address, and an admin without a verified one.
 */
export async function changeAccount(system: System, tx: Tx, owner: OwnerId, changes: AccountChange) {
  const user = await lockUser(tx, owner)
  if (!user || user.purgingAt) throw notFound(adminMessages.userGone)
  const fields = (['name', 'email', 'isActive', 'isAdmin'] as const).filter(
    (field) => changes[field] !== undefined && changes[field] !== user[field],
  )
  if (fields.length === 0) return { fields, emailBefore: user.email }
  const change: Partial<UserRow> = Object.fromEntries(fields.map((field) => [field, changes[field]]))
  // Otherwise staff could set a colleague's address to one of their own and take over the account by its link.
  if (change.email !== undefined && user.isAdmin)
    throw conflict(adminMessages.staffAddress, { fields: { email: adminMessages.staffAddress } })
  if (change.isAdmin && (change.email !== undefined || user.emailVerifiedAt === null))
    throw conflict(adminMessages.staffUnverified)
  if (change.email !== undefined) {
    if (await isEmailOfAnother(tx, owner, change.email))
      throw conflict(adminMessages.emailTaken, { fields: { email: adminMessages.emailTaken } })
    Object.assign(change, { emailVerifiedAt: null, pendingEmail: null })
  }
  // ADMIN_EMAIL must not restore rights that staff removed.
  if (change.isAdmin === false) change.adminSettingUsedAt = system.now()
  await updateUser(tx, owner, change, system.now())
  // A session's rights never change: gaining or losing staff rights requires a new log-in.
  if (change.email !== undefined || change.isActive === false || change.isAdmin !== undefined)
    await endSessions(system, tx, owner)
  await notifyOfChange(system, tx, user, change)
  return { fields, emailBefore: user.email }
}

async function notifyOfChange(system: System, tx: Tx, user: UserRow, change: Partial<UserRow>): Promise<void> {
  const { publicUrl } = system.config
  const owner = ownerScope(user.id)
  if (change.name !== undefined) await system.hooks.run('nameChanged', system, tx, { owner })
  if (change.email !== undefined) {
    await system.hooks.run('emailChanged', system, tx, { owner })
    // Links and identities of the old address must no longer open the account.
    await deleteLinkTokens(tx, owner, ['verify_email', 'reset_password', 'change_email'])
    await deleteIdentities(tx, owner)
    await mailUser(system, tx, user, emailChangedByStaffMail(user.name, publicUrl, change.email))
    await requestLink(system, tx, { purpose: 'verify_email', email: change.email, userId: user.id })
  }
  if (change.isActive === false) await mailUser(system, tx, user, deactivatedMail(user.name, publicUrl))
  if (change.isActive === true) {
    const text = reactivatedMail(user.name, publicUrl, await isServedArtist(tx, owner))
    await mailUser(system, tx, { ...user, ...change }, text)
  }
}
