import type { Tx } from '@flashsheet/db/client'
import { webhookSecrets } from '@flashsheet/db/schema/webhooks'
import { and, asc, eq, gt, not, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

/** No index is needed: an artist has ten endpoints with four secrets each at most. */
const hasOtherSeal = (prefix: string) => not(sql`starts_with(${webhookSecrets.secret}, ${prefix})`)

/** Secrets after the id `after` that are not encrypted with the current key, locked until the transaction ends. */
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

/** Replaces the ciphertext of a secret. The caller has locked the row. */
export async function saveSecret(tx: Tx, _scope: Everyone, { id, secret }: { id: string; secret: string }) {
  await tx.update(webhookSecrets).set({ secret }).where(eq(webhookSecrets.id, id))
}
