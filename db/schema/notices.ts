import { noticeKinds } from '@flashsheet/contracts/notices/limits'
import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant } from './columns.ts'
import { enumChecks } from './enum-checks.ts'

export const notices = pgTable(
  'notices',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    kind: text({ enum: noticeKinds }).notNull(),
    /** Identifies the event, so that it is notified once, however often its job runs. */
    dedupeKey: text('dedupe_key').notNull(),
    title: text().notNull(),
    text: text().notNull(),
    link: text().notNull(),
    action: text().notNull(),
    createdAt: instant('created_at').notNull(),
    readAt: instant('read_at'),
  },
  (t) => [
    unique('notices_once').on(t.userId, t.dedupeKey),
    index('notices_newest').on(t.userId, t.createdAt),
    index('notices_unread')
      .on(t.userId)
      .where(sql`${t.readAt} is null`),
    ...enumChecks(t),
  ],
)

/** An artist's choices about mails; a kind without a row has the value of `noticeMailDefaults`. */
export const noticeMails = pgTable(
  'notice_mails',
  {
    userId: ownerId(),
    kind: text({ enum: noticeKinds }).notNull(),
    mail: boolean().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.kind] }), ...enumChecks(t)],
)
