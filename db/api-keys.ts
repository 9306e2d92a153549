import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { frequentRead } from './reads.ts'
import { users } from './schema/auth.ts'
import { apiKeys } from './schema/keys.ts'
import { currentSubscriptionOf, sessionUserColumns, sessionUserOf, type SessionUser } from './sessions.ts'

export type StoredKey = { id: string; scopes: string[]; expiresAt: Date | null; lastUsedAt: Date | null }

const current = currentSubscriptionOf(users.id)

const readKey = frequentRead(
  {
    keyId: apiKeys.id,
    scopes: apiKeys.scopes,
    expiresAt: apiKeys.expiresAt,
    lastUsedAt: apiKeys.lastUsedAt,
    ...sessionUserColumns,
    plan: current.plan,
    status: current.status,
  },
  ['hash'],
  (select, { hash }) =>
    select
      .from(apiKeys)
      .innerJoin(users, eq(users.id, apiKeys.userId))
      .leftJoinLateral(current, sql`true`)
      .where(eq(apiKeys.hash, hash)),
)

/** A key by its hash, its user and that user's current subscription, in one read. */
export async function findKey(db: Tx, hash: string): Promise<{ key: StoredKey; user: SessionUser } | undefined> {
  const [row] = await readKey(db, { hash })
  if (!row) return undefined
  const { keyId, scopes, expiresAt, lastUsedAt } = row
  return { key: { id: keyId, scopes, expiresAt, lastUsedAt }, user: sessionUserOf(row) }
}

/** Notes that a key was used, unless that was noted since `before`. */
export async function touchKey(db: Tx, id: string, now: Date, before: Date): Promise<void> {
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, before))))
}
