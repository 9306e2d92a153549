import { noticeKinds } from '@flashsheet/contracts/notices'
import { index, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'

export const notices = pgTable(
  'notices',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: noticeKinds }).notNull(),
    /** One event tells the artist once, however often its job runs. */
    dedupeKey: text('dedupe_key').notNull(),
    title: text().notNull(),
    text: text().notNull(),
    link: text().notNull(),
    action: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    readAt: timestamp('read_at', { withTimezone: true }),
  },
  (t) => [unique('notices_once').on(t.userId, t.dedupeKey), index('notices_newest').on(t.userId, t.createdAt)],
)
