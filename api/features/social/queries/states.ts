import type { Platform } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { oauthStates } from '@flashsheet/db/schema/social'
import { and, eq, lt } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'

export async function insertState(db: Tx, owner: OwnerId, state: Omit<typeof oauthStates.$inferInsert, 'userId'>) {
  await db.insert(oauthStates).values({ ...state, userId: owner })
}

/** Deletes and returns the state of this session and network. Undefined: it is used already, or another session's. */
export async function consumeState(
  db: Tx,
  owner: OwnerId,
  { hash, sessionId, platform }: { hash: string; sessionId: string; platform: Platform },
): Promise<typeof oauthStates.$inferSelect | undefined> {
  const isFlow = and(eq(oauthStates.sessionId, sessionId), eq(oauthStates.platform, platform))
  const [row] = await db
    .delete(oauthStates)
    .where(and(eq(oauthStates.hash, hash), eq(oauthStates.userId, owner), isFlow))
    .returning()
  return row
}

export async function deleteStates(db: Tx, _scope: Everyone, expiredBefore: Date): Promise<void> {
  await db.delete(oauthStates).where(lt(oauthStates.expiresAt, expiredBefore))
}
