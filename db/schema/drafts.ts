import type { Draft } from '@flashsheet/contracts/drafts/schema'
import { index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant } from './columns.ts'

/** Posts that are being composed. */
export const postDrafts = pgTable(
  'post_drafts',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    /** Incremented with each change; a writer sends the version it has read (optimistic locking). */
    version: integer().notNull().default(1),
    title: text().notNull(),
    /** In the post's order. Deleting a media item removes it from here in the same transaction. */
    mediaIds: uuid('media_ids').array().notNull(),
    variants: jsonb().$type<Draft['variants']>().notNull(),
    scheduledAt: instant('scheduled_at'),
    /** The idempotency key: one draft per owner and id. */
    requestId: text('request_id').notNull(),
    /** SHA-256 of the request; the same id with another body is a conflict. */
    requestHash: text('request_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    unique('post_drafts_request').on(t.userId, t.requestId),
    index('post_drafts_newest').on(t.userId, t.createdAt),
  ],
)
