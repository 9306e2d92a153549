import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Leases on calls to an outside service about one thing: nobody waits outside with a database connection. */
export const leases = pgTable('leases', {
  /** The resource: `stripe:cus_…`, `account:<id>`. */
  key: text().primaryKey(),
  /** The holder. */
  token: uuid().notNull(),
  /** Extended by the holder; expires when its process dies. */
  heldUntil: timestamp('held_until', { withTimezone: true }).notNull(),
})
