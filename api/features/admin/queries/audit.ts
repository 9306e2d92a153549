import type { Tx } from '@flashsheet/db/client'
import { auditEntries } from '@flashsheet/db/schema/admin'
import type { Everyone } from '../../../core/scope.ts'

export async function insertAuditEntry(tx: Tx, _scope: Everyone, entry: typeof auditEntries.$inferInsert): Promise<void> {
  await tx.insert(auditEntries).values(entry)
}
