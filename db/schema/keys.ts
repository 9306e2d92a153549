import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant } from './columns.ts'

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
    createdAt: instant('created_at').notNull(),
    /** Accurate to a minute. */
    lastUsedAt: instant('last_used_at'),
    expiresAt: instant('expires_at'),
  },
  (t) => [uniqueIndex('api_keys_hash').on(t.hash), index('api_keys_user').on(t.userId, t.createdAt)],
)
