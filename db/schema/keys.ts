import { index, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'

/** API keys of artists, stored only as hashes. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    name: text().notNull(),
    /** The beginning of the key, by which its owner recognises it. */
    prefix: text().notNull(),
    /** SHA-256 of the key. */
    hash: text().notNull(),
    scopes: text().array().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** Accurate to a minute. */
    lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
    expiresAt: timestamp('expires_at', { withTimezone: true }),
  },
  (t) => [uniqueIndex('api_keys_hash').on(t.hash), index('api_keys_user').on(t.userId, t.createdAt)],
)
