import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/**
 * Turns for calls that a network limits per login (`tiktok init <open_id>`), one at a time across all processes. Times are
 * the database's own. Only rows of the last hour are needed.
 */
export const loginTurns = pgTable('login_turns', {
  id: text().primaryKey(),
  /** The holder until `heldUntil`; null: none. */
  token: uuid(),
  heldUntil: instant('held_until').notNull(),
  /** When the calls of the last minute started, oldest first. */
  callStarts: instant('begun').array().notNull(),
})
