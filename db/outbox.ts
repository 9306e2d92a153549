import { and, eq, isNull, lt } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { mails } from './schema/outbox.ts'

export type StoredMail = { id: string; to: string; subject: string; text: string; html: string; calendar: string | null; createdAt: Date }

/** Stores a mail to be sent by the job that carries its id; `userId` is the artist it goes with. */
export async function insertMail(tx: Tx, mail: StoredMail & { userId: string | null }): Promise<void> {
  await tx.insert(mails).values(mail)
}

/** The mail, unless it was sent already. */
export async function findUnsentMail(db: Tx, id: string): Promise<StoredMail | undefined> {
  const [mail] = await db
    .select({ id: mails.id, to: mails.to, subject: mails.subject, text: mails.text, html: mails.html, calendar: mails.calendar, createdAt: mails.createdAt })
    .from(mails)
    .where(and(eq(mails.id, id), isNull(mails.sentAt)))
  return mail
}

export async function markMailSent(db: Tx, id: string, now: Date): Promise<void> {
  await db.update(mails).set({ sentAt: now }).where(eq(mails.id, id))
}

/** Mails are kept only as long as somebody may ask what was sent. */
export async function deleteSentMails(db: Tx, before: Date): Promise<void> {
  await db.delete(mails).where(lt(mails.sentAt, before))
}
