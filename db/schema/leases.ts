import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Whose turn it is to ask outside about one thing, and until when: nobody waits outside with a connection in hand. */
export const leases = pgTable('leases', {
  /** What it is about: `stripe:cus_…`, `account:<id>`. */
  key: text().primaryKey(),
  /** Who holds it. */
  token: uuid().notNull(),
  /** Prolonged by whoever holds it; over when that process died. */
  heldUntil: timestamp('held_until', { withTimezone: true }).notNull(),
})
