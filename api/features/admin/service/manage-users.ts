import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { adminMessages } from '@flashsheet/contracts/admin/messages'
import type { IdParam } from '@flashsheet/contracts/input'
import type { AdminUser, UpdateUserInput } from '@flashsheet/contracts/admin/schema'
import type { AuditAction } from '@flashsheet/contracts/admin/limits'
import type { Message } from '@flashsheet/contracts/auth/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { AdminCtx, System } from '../../../core/context.ts'
import { conflict, forbidden, notFound } from '../../../core/errors.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { changeAccount, grantAdmin, lockActiveAdmins, type AccountChange } from '../../auth/service/staff.ts'
import { closeAccount } from '../../auth/service/purge.ts'
import { holdTargets, releaseTargets } from '../../posts/service/hold.ts'
import { expireCheckouts } from '../../subscription/service/account.ts'
import { findUser } from '../queries/users.ts'
import { userView } from '../view.ts'
import { writeAuditEntry } from './audit.ts'

/**
 * Changes an account while no other admin can change one. Checks again that the caller is an admin: of two who demote
 * each other at once, the second no longer is. `mayRemoveAdmin`: the change could take away the subject's access. Throws
 * forbidden, or conflict for the caller's own account, so that an admin always remains.
 */
async function changeAsAdmin<T>(
  ctx: AdminCtx,
  subjectId: string,
  mayRemoveAdmin: boolean,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await retryOnDeadlock(ctx.db, async (tx) => {
    if (!(await lockActiveAdmins(tx)).has(ctx.owner)) throw forbidden('admin', errorMessages.admin)
    if (mayRemoveAdmin && subjectId === ctx.owner) throw conflict(adminMessages.self)
    return await work(tx)
  })
}

/** Changes an account (`PUT /api/admin/users/{id}`). Throws notFound, conflict, forbidden. */
export async function updateUser(ctx: AdminCtx, input: UpdateUserInput): Promise<AdminUser> {
  const { id, ...changes } = input
  if (id === ctx.owner && changes.email !== undefined && changes.email !== ctx.user.email)
    throw conflict(adminMessages.ownAddress)
  await changeAsAdmin(
    ctx,
    id,
    changes.isActive === false || changes.isAdmin === false,
    async (tx) => await applyChanges(ctx, tx, id, changes),
  )
  return await getUserView(ctx, id)
}

/** Toggles active and inactive. Throws as `updateUser`. */
export async function toggleStatus(ctx: AdminCtx, { id }: IdParam): Promise<AdminUser> {
  await changeAsAdmin(ctx, id, true, async (tx) => {
    const user = await findUser(tx, everyoneScope(), id)
    await applyChanges(ctx, tx, id, { isActive: !user?.isActive })
  })
  return await getUserView(ctx, id)
}

async function getUserView(ctx: AdminCtx, id: string): Promise<AdminUser> {
  const row = await findUser(ctx.db, everyoneScope(), id)
  if (!row) throw notFound(adminMessages.userGone)
  return userView(row)
}

/** Applies the differences and writes a separate audit entry for activation, for admin rights, and for other fields. */
async function applyChanges(ctx: AdminCtx, tx: Tx, id: string, changes: AccountChange): Promise<void> {
  const owner = ownerScope(id)
  const { fields, emailBefore } = await changeAccount(ctx, tx, owner, changes)
  if (fields.includes('isActive')) {
    // Makes every process open or close the public site at once.
    await notifyLive(tx, { owner, topic: 'website' })
    await (changes.isActive ? releaseTargets : holdTargets)(ctx, tx, { owner })
    if (!changes.isActive) await expireCheckouts(ctx, tx, { owner })
  }
  const entries: [AuditAction, string[]][] = []
  if (fields.includes('isActive')) entries.push([changes.isActive ? 'user_activated' : 'user_deactivated', []])
  if (fields.includes('isAdmin')) entries.push([changes.isAdmin ? 'admin_granted' : 'admin_revoked', []])
  const profileFields = fields.filter((field) => field === 'name' || field === 'email')
  if (profileFields.length > 0) entries.push(['user_updated', profileFields])
  for (const [action, changed] of entries) {
    const addresses =
      changed.includes('email') && changes.email !== undefined ? { from: emailBefore, to: changes.email } : undefined
    await writeAuditEntry(ctx, tx, { actorId: ctx.owner, action, subjectId: id, fields: changed, addresses })
  }
}

/**
 * Deletes an account without a grace period: ends sessions, cancels payments, revokes access at the networks, and
 * queues the removal of all data. Throws notFound, conflict, forbidden.
 */
export async function deleteUser(ctx: AdminCtx, { id }: IdParam): Promise<Message> {
  await changeAsAdmin(ctx, id, true, async (tx) => {
    const user = await findUser(tx, everyoneScope(), id)
    if (!user || user.purgingAt) throw notFound(adminMessages.userGone)
    await closeAccount(ctx, tx, ownerScope(id))
    await writeAuditEntry(ctx, tx, { actorId: ctx.owner, action: 'user_deleted', subjectId: id })
  })
  return { message: adminMessages.deleted }
}

/**
 * Makes the owner of a verified address an admin, for the command line and the demo data. Throws notFound for any other
 * address.
 */
export async function makeAdmin(system: Pick<System, 'config' | 'db' | 'now'>, email: string): Promise<void> {
  await retryOnDeadlock(system.db, async (tx) => {
    const subjectId = await grantAdmin(system, tx, email.trim().toLowerCase())
    await writeAuditEntry(system, tx, { actorId: null, action: 'admin_granted', subjectId })
  })
}
