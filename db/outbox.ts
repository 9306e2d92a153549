import { and, asc, eq, gte, isNull, lt, lte, or } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { mails } from './schema/outbox.ts'

export type StoredMail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  calendar: string | null
  createdAt: Date
}

/** Stores a mail to be sent by the job that carries its id; `userId` is the artist it goes with. */
export async function insertMail(tx: Tx, mail: StoredMail & { userId: string | null }): Promise<void> {
  await tx.insert(mails).values(mail)
}

/** What is known of a mail while it is handed over. */
export type Claim = { state: 'mine'; mail: StoredMail } | { state: 'taken' } | { state: 'none' }

/**
 * Takes an unsent mail for the caller alone until `until`. `taken`: somebody else is handing it over; `none`: it was sent, or
 * there is none.
 */
export async function claimMail(db: Tx, id: string, now: Date, until: Date): Promise<Claim> {
  const [mail] = await db
    .update(mails)
    .set({ tryingUntil: until })
    .where(and(eq(mails.id, id), isNull(mails.sentAt), or(isNull(mails.tryingUntil), lte(mails.tryingUntil, now))))
    .returning({
      id: mails.id,
      to: mails.to,
      subject: mails.subject,
      text: mails.text,
      html: mails.html,
      calendar: mails.calendar,
      createdAt: mails.createdAt,
    })
  if (mail) return { state: 'mine', mail }
  const [other] = await db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.id, id), isNull(mails.sentAt)))
  return { state: other ? 'taken' : 'none' }
}

/** The mail server refused it for now: whoever comes next may try. */
export async function releaseMail(db: Tx, id: string): Promise<void> {
  await db.update(mails).set({ tryingUntil: null }).where(eq(mails.id, id))
}

/** Its links and words are nobody's to read from here any more: that it was sent, when and to whom, stays for questions. */
export async function markMailSent(db: Tx, id: string, now: Date): Promise<void> {
  await db
    .update(mails)
    .set({ sentAt: now, tryingUntil: null, text: '', html: '', calendar: null })
    .where(eq(mails.id, id))
}

/** Mails of a span of time that were not sent yet, the oldest first. */
export async function listUnsentMails(db: Tx, span: { from: Date; to: Date }, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.sentAt), gte(mails.createdAt, span.from), lt(mails.createdAt, span.to)))
    .orderBy(asc(mails.createdAt))
    .limit(limit)
  return rows.map((row) => row.id)
}

/** Mails go by their age, sent or not. */
export async function deleteOldMails(db: Tx, before: Date): Promise<void> {
  await db.delete(mails).where(lt(mails.createdAt, before))
}
