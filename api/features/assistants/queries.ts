import type { Tx } from '@flashsheet/db/client'
import { assistantClients, assistantCodes, assistantGrants, assistantTokens } from '@flashsheet/db/schema/assistants'
import { users } from '@flashsheet/db/schema/auth'
import { and, desc, eq, exists, getTableColumns, lt, not, sql } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../core/scope.ts'

const { userId: _userId, clientId: _clientId, ...grantColumns } = getTableColumns(assistantGrants)

type ClientRow = typeof assistantClients.$inferSelect
export type GrantRow = Pick<typeof assistantGrants.$inferSelect, keyof typeof grantColumns>

export async function insertClient(db: Tx, row: ClientRow): Promise<void> {
  await db.insert(assistantClients).values(row)
}

export async function findRegisteredClient(db: Tx, _scope: Everyone, id: string): Promise<ClientRow | undefined> {
  const [row] = await db.select().from(assistantClients).where(eq(assistantClients.id, id))
  return row
}

export async function listGrants(db: Tx, owner: OwnerId): Promise<GrantRow[]> {
  return await db
    .select(grantColumns)
    .from(assistantGrants)
    .where(eq(assistantGrants.userId, owner))
    .orderBy(desc(assistantGrants.createdAt), desc(assistantGrants.id))
}

/** Counts connected assistants. Locks the artist, so that no other transaction connects one until this one ends. */
export async function lockAndCountGrants(tx: Tx, owner: OwnerId): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, owner)).for('update')
  return await tx.$count(assistantGrants, eq(assistantGrants.userId, owner))
}

export async function insertGrant(tx: Tx, owner: OwnerId, row: Omit<typeof assistantGrants.$inferInsert, 'userId'>) {
  await tx.insert(assistantGrants).values({ ...row, userId: owner })
}

export async function findMailRecipient(db: Tx, owner: OwnerId) {
  const [row] = await db.select({ name: users.name, email: users.email }).from(users).where(eq(users.id, owner))
  return row
}

/** Deletes an assistant with its codes and tokens. Returns whether the artist had it. */
export async function deleteGrant(tx: Tx, owner: OwnerId, id: string): Promise<boolean> {
  const deleted = await tx
    .delete(assistantGrants)
    .where(and(eq(assistantGrants.id, id), eq(assistantGrants.userId, owner)))
  return deleted.count === 1
}

export async function insertCode(tx: Tx, owner: OwnerId, row: Omit<typeof assistantCodes.$inferInsert, 'userId'>) {
  await tx.insert(assistantCodes).values({ ...row, userId: owner })
}

/** A code by its hash, locked until the transaction ends, so that another request with the same code waits. */
export async function lockCode(tx: Tx, hash: string): Promise<typeof assistantCodes.$inferSelect | undefined> {
  const [row] = await tx.select().from(assistantCodes).where(eq(assistantCodes.hash, hash)).for('update')
  return row
}

export async function updateCode(tx: Tx, owner: OwnerId, hash: string, patch: { usedAt?: Date; grantId?: string }) {
  await tx
    .update(assistantCodes)
    .set(patch)
    .where(and(eq(assistantCodes.hash, hash), eq(assistantCodes.userId, owner)))
}

/** A token by its hash with its grant, both locked until the transaction ends. */
export async function lockToken(tx: Tx, hash: string) {
  const [row] = await tx
    .select({
      kind: assistantTokens.kind,
      expiresAt: assistantTokens.expiresAt,
      replacedAt: assistantTokens.replacedAt,
      grantId: assistantGrants.id,
      userId: assistantGrants.userId,
      clientId: assistantGrants.clientId,
      scopes: assistantGrants.scopes,
    })
    .from(assistantTokens)
    .innerJoin(assistantGrants, eq(assistantGrants.id, assistantTokens.grantId))
    .where(eq(assistantTokens.hash, hash))
    .for('update')
  return row
}

export async function insertTokens(tx: Tx, rows: (typeof assistantTokens.$inferInsert)[]): Promise<void> {
  await tx.insert(assistantTokens).values(rows)
}

export async function markReplaced(tx: Tx, hash: string, at: Date): Promise<void> {
  await tx.update(assistantTokens).set({ replacedAt: at }).where(eq(assistantTokens.hash, hash))
}

/** Deletes expired tokens and codes, assistants without a token, and programs that were never connected. */
export async function deleteExpired(db: Tx, _scope: Everyone, now: Date, unusedBefore: Date): Promise<void> {
  await db.delete(assistantTokens).where(lt(assistantTokens.expiresAt, now))
  await db.delete(assistantCodes).where(lt(assistantCodes.expiresAt, unusedBefore))
  const tokens = db.select().from(assistantTokens).where(eq(assistantTokens.grantId, assistantGrants.id))
  await db.delete(assistantGrants).where(and(lt(assistantGrants.createdAt, unusedBefore), not(exists(tokens))))
  const grants = db
    .select()
    .from(assistantGrants)
    .where(eq(assistantGrants.clientId, sql`${assistantClients.id}::text`))
  await db.delete(assistantClients).where(and(lt(assistantClients.createdAt, unusedBefore), not(exists(grants))))
}
