import { mediaTypes } from '@flashsheet/contracts/media/limits'
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant } from './columns.ts'
import { enumChecks } from './enum-checks.ts'

/** Facts read from a video's bytes, for the rules of the networks. */
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
    userId: ownerId(),
    kind: text({ enum: ['image', 'video'] }).notNull(),
    mimeType: text('mime_type', { enum: mediaTypes }).notNull(),
    fileName: text('file_name').notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** After rotation. */
    width: integer().notNull(),
    height: integer().notNull(),
    durationMs: integer('duration_ms'),
    /** Nothing reads or writes it; a later release drops it (docs/operating.md). */
    sha256: text().notNull().default(''),
    /** The original file: private and never changed. */
    originalKey: text('original_key').notNull(),
    /** The rotated and stripped JPEG or PNG to display and publish; null for videos. */
    displayKey: text('display_key'),
    thumbnailKey: text('thumbnail_key').notNull(),
    videoFacts: jsonb('video_facts').$type<VideoFacts>(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('media_items_newest').on(t.userId, t.createdAt),
    index('media_items_for_staff').on(t.createdAt.desc(), t.id.desc()),
    index('media_items_of_kind').on(t.kind, t.createdAt.desc(), t.id.desc()),
    // The target of composite foreign keys, so that other tables can only reference an item together with its artist.
    unique('media_items_of_artist').on(t.userId, t.id),
    check('media_items_bytes', sql`${t.bytes} > 0`),
    check('media_items_duration', sql`(${t.kind} = 'video') = (${t.durationMs} is not null)`),
    ...enumChecks(t),
  ],
)

/** Stored files for which a sweep found no row. A file that two sweeps a day apart have found is deleted. */
export const orphanedFiles = pgTable('unnamed_files', {
  key: text().primaryKey(),
  firstSeenAt: instant('first_seen_at').notNull(),
  lastSeenAt: instant('last_seen_at').notNull(),
})

/** Uploads under way and their outcome. They make ingest idempotent, and a sweep deletes abandoned ones. */
export const uploads = pgTable(
  'uploads',
  {
    /** The tus upload id; its media item gets the same id. */
    id: text().primaryKey(),
    /** `form`: one file of a multipart request, whose files are accepted all or none. */
    source: text({ enum: ['tus', 'form'] })
      .notNull()
      .default('tus'),
    userId: ownerId(),
    fileName: text('file_name').notNull(),
    mimeType: text('mime_type').notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    posterKey: text('poster_key'),
    /** Set once ingested; returned to HEAD as the header Media-Id. */
    mediaId: uuid('media_id').references(() => mediaItems.id, { onDelete: 'set null' }),
    refusal: text(),
    createdAt: instant('created_at').notNull(),
    /** When bytes last arrived, accurate to a few minutes; null: none yet. */
    arrivedAt: instant('arrived_at'),
    finishedAt: instant('finished_at'),
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
    ...enumChecks(t),
  ],
)

/** Requests of programs to fetch a picture or video from a URL, and their outcome. */
export const mediaFetches = pgTable(
  'media_fetches',
  {
    /** The media item gets the same id. */
    id: uuid().primaryKey(),
    userId: ownerId(),
    /** The caller's idempotency key, or the row's own id. */
    requestId: text('request_id').notNull(),
    url: text().notNull(),
    state: text({ enum: ['fetching', 'done', 'failed'] }).notNull(),
    /** Why it failed, for the artist. */
    message: text(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    unique('media_fetches_request').on(t.userId, t.requestId),
    index('media_fetches_created_at').on(t.createdAt),
    ...enumChecks(t),
  ],
)

/** Successful form uploads with an idempotency key, and what each created. */
export const formRequests = pgTable(
  'form_requests',
  {
    userId: ownerId(),
    /** The caller's idempotency key. */
    requestId: text('request_id').notNull(),
    requestHash: text('request_hash').notNull(),
    /** Ids of media items in the order sent, or of the site's picture; some may be deleted by now. */
    made: text().array().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.requestId] }),
    index('form_requests_created_at').on(t.createdAt),
    ...enumChecks(t),
  ],
)
