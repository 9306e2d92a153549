import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { mediaItems } from './media.ts'

/** What the public gets of a gallery item: a WebP and a JPEG of each size, smallest first, and of a video the film itself. */
export type PublicForms = { sizes: { width: number; height: number }[]; film: boolean }

/** The media an artist shows on the website; an item stands in it once. */
export const galleryItems = pgTable(
  'gallery_items',
  {
    /** Also names the folder of the public files: an item taken out and put back in gets new ones. */
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    mediaId: uuid('media_id').notNull().unique('gallery_items_once'),
    /** The artist's order; gaps are fine. */
    position: integer().notNull(),
    altText: text('alt_text').notNull().default(''),
    /** 128 random bits: who knows the public address may see the picture, and nobody guesses it (design 5). */
    token: text().notNull().unique('gallery_items_token'),
    /** Null until they are made. */
    forms: jsonb().$type<PublicForms>(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    // Nobody's gallery can show another artist's item.
    foreignKey({ name: 'gallery_items_own_media', columns: [t.userId, t.mediaId], foreignColumns: [mediaItems.userId, mediaItems.id] }).onDelete('cascade'),
    index('gallery_items_order').on(t.userId, t.position),
    check('gallery_items_alt_text', sql`length(${t.altText}) <= 250`),
  ],
)
