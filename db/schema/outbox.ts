import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { instant } from './columns.ts'

/** Mails to send; the payload of the sending job is only the id. */
export const mails = pgTable(
  'mails',
  {
    id: uuid().primaryKey(),
    /** The artist it is sent to, or on whose behalf it is sent to a client; deleted with them. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    /** A calendar entry (RFC 5545), if the mail has one. */
    calendar: text(),
    /** The Reply-To address; null: the sender. */
    replyTo: text('reply_to'),
    /** What it is about, such as a booking: mails to one address about it are sent in the order of their storing. */
    about: text(),
    createdAt: instant('created_at').notNull(),
    /** Its content is emptied then. */
    sentAt: instant('sent_at'),
    /** Claimed until then by the process that sends it; after a failure the time of the failure. */
    tryingUntil: instant('trying_until'),
  },
  (t) => [
    index('mails_unsent')
      .on(t.createdAt)
      .where(sql`${t.sentAt} is null`),
    index('mails_unsent_about')
      .on(t.to, t.about)
      .where(sql`${t.sentAt} is null and ${t.about} is not null`),
    index('mails_by_age').on(t.createdAt),
    index('mails_user').on(t.userId),
  ],
)

/** Counters of rate limits: one row per key, with its window and count. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text().primaryKey(),
    windowStartedAt: instant('window_started_at').notNull(),
    count: integer().notNull(),
  },
  (t) => [check('rate_limits_count', sql`${t.count} > 0`)],
)
