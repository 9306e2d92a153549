import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/**
 * Turns for calls that a network limits per login (`tiktok init <open_id>`), one at a time across all processes. Times are
 * the database's own. Only rows of the last hour are needed.
 */
export const loginTurns = pgTable('login_turns', {
  id: text().primaryKey(),
  /** The holder until `heldUntil`; null: none. */
  token: uuid(),
  heldUntil: timestamp('held_until', { withTimezone: true }).notNull(),
  /** When the calls of the last minute started, oldest first. */
  callStarts: timestamp('begun', { withTimezone: true }).array().notNull(),
})
