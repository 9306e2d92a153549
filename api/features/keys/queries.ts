import { apiKeys } from '@flashsheet/db/schema/keys'
import { users } from '@flashsheet/db/schema/auth'
import type { Tx } from '@flashsheet/db/client'
import { and, desc, eq } from 'drizzle-orm'
import type { OwnerId } from '../../core/scope.ts'

export type KeyRow = Omit<typeof apiKeys.$inferSelect, 'hash' | 'userId'>

const columns = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  scopes: apiKeys.scopes,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  expiresAt: apiKeys.expiresAt,
}

export async function listKeyRows(db: Tx, owner: OwnerId): Promise<KeyRow[]> {
  return await db
    .select(columns)
    .from(apiKeys)
    .where(eq(apiKeys.userId, owner))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
}

/** Counts the artist's keys. Locks the artist, so that no other transaction adds one until this one ends. */
export async function lockAndCountKeys(tx: Tx, owner: OwnerId): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, owner)).for('update')
  return await tx.$count(apiKeys, eq(apiKeys.userId, owner))
}

export async function insertKey(tx: Tx, owner: OwnerId, key: KeyRow & { hash: string }): Promise<void> {
  await tx.insert(apiKeys).values({ ...key, userId: owner })
}

/** Returns whether the artist had such a key. */
export async function deleteKey(db: Tx, owner: OwnerId, id: string): Promise<boolean> {
  const deleted = await db.delete(apiKeys).where(and(eq(apiKeys.id, id), eq(apiKeys.userId, owner)))
  return deleted.count === 1
}
