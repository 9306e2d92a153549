import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Leases on calls to an outside service about one resource. A row lock would need a connection during the call. */
export const leases = pgTable('leases', {
  /** The resource: `stripe:cus_…`, `account:<id>`, `fetch:<id>`. */
  key: text().primaryKey(),
  /** The holder. */
  token: uuid().notNull(),
  /** Extended by the holder, so that a lease of a dead process expires. */
  heldUntil: instant('held_until').notNull(),
})
