import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/**
 * Whose turn it is at calls that a network wants one after the other and counts by login (`tiktok init <open_id>`), in all processes.
 * Times are the database's own. A row of the last hour is all that is ever needed.
 */
export const loginTurns = pgTable('login_turns', {
  id: text().primaryKey(),
  /** Who has the turn until `heldUntil`; null: nobody. */
  token: uuid(),
  heldUntil: timestamp('held_until', { withTimezone: true }).notNull(),
  /** When the turns of the last minute began, the oldest first. */
  begun: timestamp({ withTimezone: true }).array().notNull(),
})
