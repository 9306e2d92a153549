import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/**
 * Serialises calls that a network limits per login (`tiktok init <open_id>`), across all processes. Times are the
 * database's own. Only rows of the last hour are needed.
 */
export const loginTurns = pgTable('login_turns', {
  id: text().primaryKey(),
  /** The holder until `heldUntil`; null: none. */
  token: uuid(),
  heldUntil: timestamp('held_until', { withTimezone: true }).notNull(),
  /** Start times of the last minute, oldest first. */
  begun: timestamp({ withTimezone: true }).array().notNull(),
})
