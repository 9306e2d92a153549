import { and, asc, eq, getTableColumns, gte, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Tx } from './client.ts'
import { mails } from './schema/outbox.ts'

const { userId: _userId, sentAt: _sentAt, tryingUntil: _tryingUntil, ...columns } = getTableColumns(mails)

export type StoredMail = Pick<typeof mails.$inferSelect, keyof typeof columns>

/** Stores a mail to be sent; it is deleted together with the artist `userId`. */
export async function insertMail(tx: Tx, mail: StoredMail & { userId: string | null }): Promise<void> {
  await tx.insert(mails).values(mail)
}

/** `taken`: another process is sending the mail. `none`: it is sent already, or unknown. */
export type Claim = { state: 'mine'; mail: StoredMail } | { state: 'taken' } | { state: 'none' }

/** Claims an unsent mail until `until`. */
export async function claimMail(db: Tx, id: string, now: Date, until: Date): Promise<Claim> {
  const [mail] = await db
    .update(mails)
    .set({ tryingUntil: until })
    .where(and(eq(mails.id, id), isNull(mails.sentAt), or(isNull(mails.tryingUntil), lte(mails.tryingUntil, now))))
    .returning(columns)
  if (mail) return { state: 'mine', mail }
  const [other] = await db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.id, id), isNull(mails.sentAt)))
  return { state: other ? 'taken' : 'none' }
}

/** The ids of unsent mails to the same address about the same thing that were stored between `from` and this one, the oldest first. */
export async function listEarlierMails(db: Tx, id: string, from: Date): Promise<string[]> {
  const later = alias(mails, 'later')
  const rows = await db
    .select({ id: mails.id })
    .from(later)
    .innerJoin(mails, and(eq(mails.to, later.to), eq(mails.about, later.about)))
    .where(
      and(
        eq(later.id, id),
        isNull(mails.sentAt),
        gte(mails.createdAt, from),
        sql`(${mails.createdAt}, ${mails.id}) < (${later.createdAt}, ${later.id})`,
      ),
    )
    .orderBy(asc(mails.createdAt), asc(mails.id))
  return rows.map((row) => row.id)
}

/** Moves the end of a claim: later while the mail is being sent, to now when that failed. */
export async function moveClaimEnd(db: Tx, id: string, until: Date): Promise<void> {
  await db.update(mails).set({ tryingUntil: until }).where(eq(mails.id, id))
}

/** Marks a mail as sent and empties its content; recipient, subject and times remain. */
export async function markMailSent(db: Tx, id: string, now: Date): Promise<void> {
  await db.update(mails).set({ sentAt: now, text: '', html: '', calendar: null, replyTo: null }).where(eq(mails.id, id))
}

/** The ids of unsent mails created within `span`: the least recently tried first, so that mails which always fail do not starve others. */
export async function listUnsentMails(db: Tx, span: { from: Date; to: Date }, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.sentAt), gte(mails.createdAt, span.from), lt(mails.createdAt, span.to)))
    .orderBy(sql`${mails.tryingUntil} nulls first`, asc(mails.createdAt))
    .limit(limit)
  return rows.map((row) => row.id)
}

/** Deletes mails by age, sent or not. */
export async function deleteOldMails(db: Tx, before: Date): Promise<void> {
  await db.delete(mails).where(lt(mails.createdAt, before))
}
