import type { Tx } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { postDrafts } from '@flashsheet/db/schema/drafts'
import { and, arrayOverlaps, count, desc, eq, sql } from 'drizzle-orm'
import type { Anchor } from '../../core/cursor.ts'
import type { OwnerId } from '../../core/scope.ts'

export type DraftRow = typeof postDrafts.$inferSelect

const own = (owner: OwnerId, id: string) => and(eq(postDrafts.userId, owner), eq(postDrafts.id, id))

/** The artist's drafts, the newest first. */
export async function listDraftRows(
  db: Tx,
  owner: OwnerId,
  { limit, after }: { limit: number; after: Anchor | undefined },
): Promise<DraftRow[]> {
  return await db
    .select()
    .from(postDrafts)
    .where(
      and(
        eq(postDrafts.userId, owner),
        after &&
          sql`(${postDrafts.createdAt}, ${postDrafts.id}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(postDrafts.createdAt), desc(postDrafts.id))
    .limit(limit)
}

export async function findDraft(db: Tx, owner: OwnerId, id: string): Promise<DraftRow | undefined> {
  const [row] = await db.select().from(postDrafts).where(own(owner, id))
  return row
}

/** The draft that was created with a request id. */
export async function findDraftByRequest(db: Tx, owner: OwnerId, requestId: string): Promise<DraftRow | undefined> {
  const [row] = await db
    .select()
    .from(postDrafts)
    .where(and(eq(postDrafts.userId, owner), eq(postDrafts.requestId, requestId)))
  return row
}

/** How many drafts the artist has. Locks the artist's row, so that no other transaction that counts first creates one. */
export async function lockAndCountDrafts(tx: Tx, owner: OwnerId): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, owner)).for('no key update')
  const [row] = await tx.select({ drafts: count() }).from(postDrafts).where(eq(postDrafts.userId, owner))
  return row?.drafts ?? 0
}

export async function insertDraft(tx: Tx, owner: OwnerId, draft: Omit<DraftRow, 'userId'>): Promise<void> {
  await tx.insert(postDrafts).values({ ...draft, userId: owner })
}

export type DraftPatch = Partial<Pick<DraftRow, 'title' | 'mediaIds' | 'variants' | 'scheduledAt'>>

/** Changes the draft if it has this version; undefined when it has another or does not exist. */
export async function changeDraft(
  tx: Tx,
  owner: OwnerId,
  { id, version }: { id: string; version: number },
  patch: DraftPatch,
  now: Date,
): Promise<DraftRow | undefined> {
  const [row] = await tx
    .update(postDrafts)
    .set({ ...patch, version: version + 1, updatedAt: now })
    .where(and(own(owner, id), eq(postDrafts.version, version)))
    .returning()
  return row
}

/** Deletes the draft, if it has `version` where one is given. Returns whether it did. */
export async function deleteDraft(tx: Tx, owner: OwnerId, id: string, version?: number): Promise<boolean> {
  const deleted = await tx
    .delete(postDrafts)
    .where(and(own(owner, id), version === undefined ? undefined : eq(postDrafts.version, version)))
  return deleted.count === 1
}

/** The artist's drafts that use one of these media, locked. */
export async function lockDraftsWith(tx: Tx, owner: OwnerId, mediaIds: readonly string[]): Promise<DraftRow[]> {
  return await tx
    .select()
    .from(postDrafts)
    .where(and(eq(postDrafts.userId, owner), arrayOverlaps(postDrafts.mediaIds, [...mediaIds])))
    .orderBy(postDrafts.id)
    .for('update')
}
