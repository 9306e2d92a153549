import type { Platform } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { deletionRequests, socialAccounts } from '@flashsheet/db/schema/social'
import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

/**
 * The accounts of one person at a network, of any artist. Callbacks name a person by `appUserId`, which may differ from
 * the id that posts use.
 */
export async function listAccountsOfPerson(db: Tx, _scope: Everyone, platform: Platform, personId: string) {
  return await db
    .select({
      id: socialAccounts.id,
      userId: socialAccounts.userId,
      providerUserId: socialAccounts.providerUserId,
      refreshedAt: socialAccounts.refreshedAt,
    })
    .from(socialAccounts)
    .where(
      and(
        eq(socialAccounts.platform, platform),
        or(
          eq(socialAccounts.appUserId, personId),
          and(isNull(socialAccounts.appUserId), eq(socialAccounts.providerUserId, personId)),
        ),
      ),
    )
    .orderBy(asc(socialAccounts.id))
}

export type DeletionRow = typeof deletionRequests.$inferSelect

/** False: the request is stored already. Waits for a concurrent duplicate. */
export async function insertDeletion(tx: Tx, _scope: Everyone, request: DeletionRow): Promise<boolean> {
  const inserted = await tx
    .insert(deletionRequests)
    .values(request)
    .onConflictDoNothing({ target: deletionRequests.key })
  return inserted.count === 1
}

export async function findDeletionByKey(tx: Tx, _scope: Everyone, key: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ code: deletionRequests.code })
    .from(deletionRequests)
    .where(eq(deletionRequests.key, key))
  return row?.code
}

/** The request with this confirmation code, which is its credential. */
export async function findDeletion(db: Tx, _scope: Everyone, code: string): Promise<DeletionRow | undefined> {
  const [row] = await db.select().from(deletionRequests).where(eq(deletionRequests.code, code))
  return row
}

/** How many of these accounts still exist. */
export async function countAccountsLeft(db: Tx, _scope: Everyone, ids: readonly string[]): Promise<number> {
  return await db.$count(socialAccounts, inArray(socialAccounts.id, [...ids]))
}
