import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'

/** Mails to be sent; the job that sends one carries its id only. */
export const mails = pgTable(
  'mails',
  {
    id: uuid().primaryKey(),
    /** The artist it goes to, or on whose behalf it goes to a client: it goes with them. Null: nobody's. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    /** An entry for the reader's calendar (RFC 5545), if the mail carries one. */
    calendar: text(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** Its words are emptied then. */
    sentAt: timestamp('sent_at', { withTimezone: true }),
    /** A process is handing it over until then; nobody else does meanwhile. */
    tryingUntil: timestamp('trying_until', { withTimezone: true }),
  },
  (t) => [
    index('mails_unsent')
      .on(t.createdAt)
      .where(sql`${t.sentAt} is null`),
    index('mails_by_age').on(t.createdAt),
    index('mails_user').on(t.userId),
  ],
)

/** Counters of the rate limits: one row a key, its window and what was counted in it. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text().primaryKey(),
    windowStartedAt: timestamp('window_started_at', { withTimezone: true }).notNull(),
    count: integer().notNull(),
  },
  (t) => [check('rate_limits_count', sql`${t.count} > 0`)],
)
