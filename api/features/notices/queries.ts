import type { Tx } from '@flashsheet/db/client'
import { notices } from '@flashsheet/db/schema/notices'
import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { OwnerId } from '../../core/scope.ts'

const columns = {
  id: notices.id,
  kind: notices.kind,
  title: notices.title,
  text: notices.text,
  link: notices.link,
  action: notices.action,
  createdAt: notices.createdAt,
  readAt: notices.readAt,
}

export type NoticeRow = Pick<typeof notices.$inferSelect, keyof typeof columns>

/** Inserts unless the artist was told of this before; answers whether it did. */
export async function insertNotice(tx: Tx, notice: typeof notices.$inferInsert): Promise<boolean> {
  const rows = await tx
    .insert(notices)
    .values(notice)
    .onConflictDoNothing({ target: [notices.userId, notices.dedupeKey] })
    .returning({ id: notices.id })
  return rows.length === 1
}

/** The newest first. */
export async function listNoticeRows(db: Tx, owner: OwnerId, limit: number): Promise<NoticeRow[]> {
  return await db.select(columns).from(notices).where(eq(notices.userId, owner)).orderBy(desc(notices.createdAt)).limit(limit)
}

export async function markNoticesRead(tx: Tx, owner: OwnerId, ids: readonly string[], now: Date): Promise<void> {
  await tx
    .update(notices)
    .set({ readAt: now })
    .where(and(eq(notices.userId, owner), inArray(notices.id, [...ids]), isNull(notices.readAt)))
}
