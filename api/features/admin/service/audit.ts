import type { AuditAction } from '@flashsheet/contracts/admin/limits'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { maskedEmail } from '../../../core/masked.ts'
import { everyoneScope, type OwnerId } from '../../../core/scope.ts'
import { insertAuditEntry } from '../queries/audit.ts'

/**
 * Writes an audit entry in the transaction of the change. Without an `actorId` the change was made by the command line or
 * the setting ADMIN_EMAIL. Addresses are stored masked.
 */
export async function writeAuditEntry(
  system: Pick<System, 'now'>,
  tx: Tx,
  entry: {
    actorId: string | null
    action: AuditAction
    subjectId: string
    fields?: readonly string[]
    addresses?: { from: string; to: string } | undefined
  },
): Promise<void> {
  const { actorId, action, subjectId, fields = [], addresses } = entry
  const masked = addresses && { emailFrom: maskedEmail(addresses.from), emailTo: maskedEmail(addresses.to) }
  await insertAuditEntry(tx, everyoneScope(), {
    id: newId(),
    at: system.now(),
    actorId,
    action,
    subjectId,
    fields: [...fields],
    ...masked,
  })
}

/** For the hook `adminBySetting`. */
export async function auditAdminBySetting(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  await writeAuditEntry(system, tx, { actorId: null, action: 'admin_by_setting', subjectId: fact.owner })
}
