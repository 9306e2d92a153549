import { mediaTypes } from '@flashsheet/contracts/media/limits'
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { wordChecks } from './words.ts'

/** What the server read from a video's bytes, for the networks' own rules. */
export type VideoFacts = {
  codec: string
  audioCodec: string | null
  fps: number
  rotation: number
  moovFirst: boolean
  editList: boolean
}

export const mediaItems = pgTable(
  'media_items',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['image', 'video'] }).notNull(),
    mimeType: text('mime_type', { enum: mediaTypes }).notNull(),
    fileName: text('file_name').notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** As seen, rotation applied. */
    width: integer().notNull(),
    height: integer().notNull(),
    durationMs: integer('duration_ms'),
    sha256: text().notNull(),
    /** The private original; never public, never changed. */
    originalKey: text('original_key').notNull(),
    /** Rotated and stripped JPEG or PNG to show and to send; null for videos. */
    displayKey: text('display_key'),
    thumbnailKey: text('thumbnail_key').notNull(),
    videoFacts: jsonb('video_facts').$type<VideoFacts>(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    index('media_items_newest').on(t.userId, t.createdAt),
    index('media_items_for_staff').on(t.createdAt.desc(), t.id.desc()),
    index('media_items_of_kind').on(t.kind, t.createdAt.desc(), t.id.desc()),
    // What other tables point at, so that they can only name an item together with its artist.
    unique('media_items_of_artist').on(t.userId, t.id),
    check('media_items_bytes', sql`${t.bytes} > 0`),
    check('media_items_duration', sql`(${t.kind} = 'video') = (${t.durationMs} is not null)`),
    ...wordChecks(t),
  ],
)

/**
 * Files of the storage that no row named when a sweep looked, for its next look: what nobody named at two of them, a day apart, goes.
 */
export const unnamedFiles = pgTable('unnamed_files', {
  key: text().primaryKey(),
  firstSeenAt: timestamp('first_seen_at', { withTimezone: true }).notNull(),
  lastSeenAt: timestamp('last_seen_at', { withTimezone: true }).notNull(),
})

/** Uploads under way and their outcome; what makes ingest idempotent and the sweep possible. */
export const uploads = pgTable(
  'uploads',
  {
    /** The upload's id at the tus door; the media item it becomes takes the same. */
    id: text().primaryKey(),
    /** `form`: one file of a multipart request, which is taken with its siblings or not at all. */
    source: text({ enum: ['tus', 'form'] })
      .notNull()
      .default('tus'),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    fileName: text('file_name').notNull(),
    mimeType: text('mime_type').notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    posterKey: text('poster_key'),
    /** Set once ingested; a later HEAD answers it as Media-Id. */
    mediaId: uuid('media_id').references(() => mediaItems.id, { onDelete: 'set null' }),
    refusal: text(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** When bytes of it last arrived, to a few minutes; null: none since it began. */
    arrivedAt: timestamp('arrived_at', { withTimezone: true }),
    finishedAt: timestamp('finished_at', { withTimezone: true }),
  },
  (t) => [
    index('uploads_open')
      .on(t.createdAt)
      .where(sql`${t.finishedAt} is null`),
    index('uploads_user').on(t.userId),
    index('uploads_item')
      .on(t.mediaId)
      .where(sql`${t.mediaId} is not null`),
    index('uploads_refused')
      .on(t.createdAt.desc(), t.id.desc())
      .where(sql`${t.refusal} is not null`),
    ...wordChecks(t),
  ],
)
