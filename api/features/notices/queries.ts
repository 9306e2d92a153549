import type { NoticeKind } from '@flashsheet/contracts/notices/limits'
import type { Tx } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { noticeMails, notices } from '@flashsheet/db/schema/notices'
import { and, asc, desc, eq, getTableColumns, inArray, isNull, lt, lte } from 'drizzle-orm'
import { firstIdSince } from '../../core/ids.ts'
import type { Everyone, OwnerId } from '../../core/scope.ts'

const { userId: _userId, dedupeKey: _dedupeKey, ...columns } = getTableColumns(notices)

export type NoticeRow = Pick<typeof notices.$inferSelect, keyof typeof columns>
export type MailChoiceRow = { kind: NoticeKind; mail: boolean }

/** Inserts a notice unless its `dedupeKey` exists. Returns whether it was inserted. */
export async function insertNotice(tx: Tx, notice: typeof notices.$inferInsert): Promise<boolean> {
  const inserted = await tx
    .insert(notices)
    .values(notice)
    .onConflictDoNothing({ target: [notices.userId, notices.dedupeKey] })
  return inserted.count === 1
}

/** Newest first. */
export async function listNoticeRows(db: Tx, owner: OwnerId, limit: number): Promise<NoticeRow[]> {
  return await db
    .select(columns)
    .from(notices)
    .where(eq(notices.userId, owner))
    .orderBy(desc(notices.createdAt), desc(notices.id))
    .limit(limit)
}

export async function countUnread(db: Tx, owner: OwnerId): Promise<number> {
  return await db.$count(notices, and(eq(notices.userId, owner), isNull(notices.readAt)))
}

export async function markNoticesRead(
  tx: Tx,
  owner: OwnerId,
  which: { ids: readonly string[] } | { until: Date },
  now: Date,
): Promise<void> {
  const isSelected = 'ids' in which ? inArray(notices.id, [...which.ids]) : lte(notices.createdAt, which.until)
  await tx
    .update(notices)
    .set({ readAt: now })
    .where(and(eq(notices.userId, owner), isSelected, isNull(notices.readAt)))
}

/** The recipient, with their choice about mails of this kind. */
export async function findMailRecipient(db: Tx, owner: OwnerId, kind: NoticeKind) {
  const [row] = await db
    .select({ name: users.name, email: users.email, mail: noticeMails.mail })
    .from(users)
    .leftJoin(noticeMails, and(eq(noticeMails.userId, users.id), eq(noticeMails.kind, kind)))
    .where(eq(users.id, owner))
  return row
}

export async function listMailChoices(db: Tx, owner: OwnerId): Promise<MailChoiceRow[]> {
  return await db
    .select({ kind: noticeMails.kind, mail: noticeMails.mail })
    .from(noticeMails)
    .where(eq(noticeMails.userId, owner))
}

export async function saveMailChoice(tx: Tx, owner: OwnerId, choice: MailChoiceRow): Promise<void> {
  await tx
    .insert(noticeMails)
    .values({ userId: owner, ...choice })
    .onConflictDoUpdate({ target: [noticeMails.userId, noticeMails.kind], set: { mail: choice.mail } })
}

/** Deletes the notices with this link. */
export async function deleteNotices(tx: Tx, owner: OwnerId, link: string): Promise<void> {
  await tx.delete(notices).where(and(eq(notices.userId, owner), eq(notices.link, link)))
}

/** Deletes up to `limit` notices from before an instant, oldest first, and returns how many. */
export async function deleteOldNotices(db: Tx, _scope: Everyone, before: Date, limit: number): Promise<number> {
  const oldest = await db
    .select({ id: notices.id })
    .from(notices)
    .where(and(lt(notices.id, firstIdSince(before)), lt(notices.createdAt, before)))
    .orderBy(asc(notices.id))
    .limit(limit)
  const ids = oldest.map(({ id }) => id)
  // In two steps: a generic plan of one statement with any limit would read the whole table.
  if (ids.length > 0) await db.delete(notices).where(inArray(notices.id, ids))
  return ids.length
}
