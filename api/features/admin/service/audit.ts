import type { AuditAction } from '@flashsheet/contracts/admin'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { insertAuditEntry } from '../queries/audit.ts'

/** Writes down an act of staff in the transaction that does it. `actorId` null: the command line. */
export async function writeDown(
  system: Pick<System, 'now'>,
  tx: Tx,
  act: { actorId: string | null; action: AuditAction; subjectId: string; fields?: readonly string[] },
): Promise<void> {
  const { actorId, action, subjectId, fields = [] } = act
  await insertAuditEntry(tx, everyoneScope(), { id: newId(), at: system.now(), actorId, action, subjectId, fields: [...fields] })
}
