import type { Tx } from '@flashsheet/db/client'
import { webhookSecrets } from '@flashsheet/db/schema/webhooks'
import { and, asc, eq, gt, not, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

/** Neither table nor rows are large: ten endpoints an artist, four secrets each at most. */
const hasOtherSeal = (prefix: string) => not(sql`starts_with(${webhookSecrets.secret}, ${prefix})`)

/** Secrets after `after` that were not encrypted with the current key; others cannot change them until the transaction ends. */
export async function lockOtherSecrets(tx: Tx, _scope: Everyone, prefix: string, after: string, limit: number) {
  return await tx
    .select({ id: webhookSecrets.id, secret: webhookSecrets.secret })
    .from(webhookSecrets)
    .where(and(gt(webhookSecrets.id, after), hasOtherSeal(prefix)))
    .orderBy(asc(webhookSecrets.id))
    .limit(limit)
    .for('update', { skipLocked: true })
}

/** How many secrets are still encrypted with another key. */
export async function countOtherSecrets(db: Tx, _scope: Everyone, prefix: string): Promise<number> {
  return await db.$count(webhookSecrets, hasOtherSeal(prefix))
}

/** Stores the same secret with new encryption; the row is locked. */
export async function saveSecret(
  tx: Tx,
  _scope: Everyone,
  { id, secret }: { id: string; secret: string },
): Promise<void> {
  await tx.update(webhookSecrets).set({ secret }).where(eq(webhookSecrets.id, id))
}
