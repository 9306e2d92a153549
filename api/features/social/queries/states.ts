import type { Platform } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { oauthStates } from '@flashsheet/db/schema/social'
import { and, eq, lt } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'

export async function insertState(
  db: Tx,
  owner: OwnerId,
  state: { hash: string; sessionId: string; platform: Platform; codeVerifier: string | null; expiresAt: Date },
): Promise<void> {
  await db.insert(oauthStates).values({ ...state, userId: owner })
}

/**
 * Deletes and returns the state of this session and network. Undefined: it was used already, or is another session's.
 */
export async function consumeState(
  db: Tx,
  owner: OwnerId,
  flow: { hash: string; sessionId: string; platform: Platform },
): Promise<{ codeVerifier: string | null; expiresAt: Date } | undefined> {
  const [row] = await db
    .delete(oauthStates)
    .where(
      and(
        eq(oauthStates.hash, flow.hash),
        eq(oauthStates.userId, owner),
        eq(oauthStates.sessionId, flow.sessionId),
        eq(oauthStates.platform, flow.platform),
      ),
    )
    .returning({ codeVerifier: oauthStates.codeVerifier, expiresAt: oauthStates.expiresAt })
  return row
}

export async function deleteStates(db: Tx, _scope: Everyone, expiredBefore: Date): Promise<void> {
  await db.delete(oauthStates).where(lt(oauthStates.expiresAt, expiredBefore))
}
