import { leftBehind, networkErrorClasses, postStatuses, targetPhases } from '@flashsheet/contracts/posts/limits'
import type { VariantOptions } from '@flashsheet/contracts/posts/schema'
import { platforms } from '@flashsheet/contracts/networks'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { mediaItems } from './media.ts'
import { socialAccounts } from './social.ts'
import { wordChecks } from './words.ts'

export const posts = pgTable(
  'posts',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text({ enum: postStatuses }).notNull(),
    scheduledAt: timestamp('scheduled_at', { withTimezone: true }).notNull(),
    /** The zone the time was meant in. */
    timeZone: text('time_zone').notNull(),
    errorMessage: text('error_message'),
    /** One create per owner and id, however often it is asked. */
    requestId: text('request_id').notNull(),
    /** SHA-256 of what was asked; the same id with another body is a conflict. */
    requestHash: text('request_hash').notNull(),
    /** Its pictures are to go into the website's gallery once the first page has it; false again when they have. */
    toGallery: boolean('to_gallery').notNull().default(false),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    unique('posts_request_once').on(t.userId, t.requestId),
    index('posts_by_time').on(t.userId, t.scheduledAt),
    // As staff see them: failed ones first.
    index('posts_for_staff').on(
      sql`(case ${t.status} when 'failed' then 0 when 'scheduled' then 1 else 2 end)`,
      t.scheduledAt.desc(),
      t.id.desc(),
    ),
    index('posts_newest').on(t.userId, t.createdAt),
    ...wordChecks(t),
  ],
)

export const postMedia = pgTable(
  'post_media',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    /** Null once the artist deleted the item; the post keeps its thumbnail. */
    mediaId: uuid('media_id').references(() => mediaItems.id, { onDelete: 'set null' }),
    kind: text({ enum: ['image', 'video'] }).notNull(),
    fileName: text('file_name').notNull(),
    thumbnailKey: text('thumbnail_key').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.postId, t.position] }),
    index('post_media_item').on(t.mediaId),
    // Whether a post still shows the thumbnail of an item that is gone.
    index('post_media_thumbnail')
      .on(t.thumbnailKey)
      .where(sql`${t.mediaId} is null`),
    ...wordChecks(t),
  ],
)

/**
 * Processes that claim targets (`db/worker-liveness.ts`). Each keeps an advisory lock on its id for as long as its session lives, so that
 * others learn of its end from Postgres. No foreign key leads here: a row that is gone leaves its leases to their time.
 */
export const publishWorkers = pgTable('publish_workers', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
  /** When somebody first found its lock free: from then on it is gone for good. */
  goneAt: timestamp('gone_at', { withTimezone: true }),
})

/**
 * One row: how far publishing has come (`db/publish-progress.ts`). Its copy in the storage tells a database that was restored from a
 * backup, or is a replica that lags behind.
 */
export const publishProgress = pgTable(
  'publish_progress',
  {
    only: boolean().primaryKey().default(true),
    /** Made once for each database; a restored one still has it. */
    lineage: uuid().notNull().defaultRandom(),
    counter: bigint({ mode: 'number' }).notNull().default(0),
    countedAt: timestamp('counted_at', { withTimezone: true }),
    /** Since when nothing is published, because the database was found behind its copy. */
    stoppedAt: timestamp('stopped_at', { withTimezone: true }),
  },
  (t) => [check('publish_progress_one_row', sql`${t.only}`)],
)

/** One row: how far ahead targets have been given their alarms (`posts/service/alarms.ts`). */
export const publishAlarms = pgTable(
  'publish_alarms',
  {
    only: boolean().primaryKey().default(true),
    /** What is due up to here has its alarm: all that is due earlier, and of what is due then all up to this id. */
    setUntil: timestamp('set_until', { withTimezone: true }).notNull(),
    setUntilId: uuid('set_until_id').notNull(),
  },
  (t) => [check('publish_alarms_one_row', sql`${t.only}`)],
)

/**
 * What a target's adapter has reached at its network: written after each remote step and before the next,
 * so that a killed worker never repeats one.
 */
export type Checkpoint = Record<string, unknown>

export const postTargets = pgTable(
  'post_targets',
  {
    id: uuid().primaryKey(),
    postId: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    platform: text({ enum: platforms }).notNull(),
    /** Null once the account was disconnected. */
    accountId: uuid('account_id').references(() => socialAccounts.id, { onDelete: 'set null' }),
    pageId: text('page_id').notNull(),
    pageName: text('page_name').notNull(),
    title: text().notNull(),
    message: text().notNull(),
    options: jsonb().$type<VariantOptions>().notNull(),
    /** The daily allowance it draws on (`posts/rules/quota.ts`); null: none. */
    quotaBucket: text('quota_bucket'),
    phase: text({ enum: targetPhases }).notNull(),
    /** Waits for the subscription to come back. */
    held: boolean().notNull().default(false),
    /** Waits for the artist to connect its account again. */
    awaitsAccount: boolean('awaits_account').notNull().default(false),
    /** When the next step is due; moves with retries. */
    dueAt: timestamp('due_at', { withTimezone: true }).notNull(),
    /** Until when the claiming worker is believed alive. */
    leaseUntil: timestamp('lease_until', { withTimezone: true }),
    leaseToken: uuid('lease_token'),
    /** The claiming worker in `publish_workers`, while that one is sure of its own session; null: the time alone counts. */
    leaseHolder: integer('lease_holder'),
    /** Failed tries since the last progress; drives the back-off. */
    tries: integer().notNull().default(0),
    /** Polls answered "still working" in this phase; they grow apart. */
    polls: integer().notNull().default(0),
    /** When the irreversible call was first and last begun; committed before it leaves. */
    firstPublishAt: timestamp('first_publish_at', { withTimezone: true }),
    lastPublishAt: timestamp('last_publish_at', { withTimezone: true }),
    /** When the last irreversible call ended, or its worker was found gone; null while it is under way. Patience counts from here. */
    lastPublishEndedAt: timestamp('last_publish_ended_at', { withTimezone: true }),
    /** Irreversible calls without a clear answer; committed before each leaves. */
    unanswered: integer().notNull().default(0),
    /** The first of the looks in a row that found no trace of the last irreversible call. */
    silentSince: timestamp('silent_since', { withTimezone: true }),
    /** It failed without anybody knowing what came of the irreversible call: another try looks first. */
    unclear: boolean().notNull().default(false),
    /** It failed, and left this at its network: another try would stand beside it. */
    leftBehind: text('left_behind', { enum: leftBehind }),
    /** Where its page can be looked at, once somebody has to. */
    pageUrl: text('page_url'),
    /** Once `confirm` says absent, prepare must begin anew: the ids in the checkpoint are worthless. */
    idsLapsed: boolean('ids_lapsed').notNull().default(false),
    /** Time spent waiting for quotas, which does not count towards "missed". */
    waitedMs: integer('waited_ms').notNull().default(0),
    checkpoint: jsonb().$type<Checkpoint>().notNull(),
    /** 0–100 while bytes travel. */
    progress: integer(),
    errorMessage: text('error_message'),
    remoteId: text('remote_id'),
    permalink: text(),
    postedAt: timestamp('posted_at', { withTimezone: true }),
    /** Kept by a trigger: when it came to be `failed`; null in every other phase. */
    failedAt: timestamp('failed_at', { withTimezone: true }),
    /** Kept by a trigger: how TikTok's events name the post, as its checkpoint has it. */
    tiktokPublishId: text('tiktok_publish_id'),
    /** When to ask again what became of a posted target; null: never again. */
    lookAgainAt: timestamp('look_again_at', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    unique('post_targets_once').on(t.postId, t.accountId, t.pageId),
    index('post_targets_user').on(t.userId),
    index('post_targets_account').on(t.accountId),
    // None of these names the phase, which changes with every step: Postgres then writes a step without touching any index.
    index('post_targets_open')
      .on(t.dueAt)
      .where(sql`${t.postedAt} is null and ${t.failedAt} is null`),
    // What is not final of one artist, beside years of what is.
    index('post_targets_open_user')
      .on(t.userId)
      .where(sql`${t.postedAt} is null and ${t.failedAt} is null`),
    index('post_targets_failed_at')
      .on(t.failedAt, t.platform)
      .where(sql`${t.failedAt} is not null`),
    index('post_targets_posted_on')
      .on(t.postedAt, t.platform)
      .where(sql`${t.postedAt} is not null`),
    // Who else went to a page lately, for telling one post from another.
    index('post_targets_at_page')
      .on(t.pageId, t.lastPublishAt)
      .where(sql`${t.lastPublishAt} is not null`),
    index('post_targets_tiktok_id')
      .on(t.tiktokPublishId)
      .where(sql`${t.tiktokPublishId} is not null`),
    index('post_targets_look_again')
      .on(t.lookAgainAt)
      .where(sql`${t.lookAgainAt} is not null`),
    index('post_targets_open_quota')
      .on(t.quotaBucket, t.dueAt)
      .where(sql`${t.quotaBucket} is not null and ${t.postedAt} is null and ${t.failedAt} is null`),
    check('post_targets_posted', sql`(${t.phase} = 'posted') = (${t.postedAt} is not null)`),
    ...wordChecks(t),
  ],
)

export const publishAttempts = pgTable(
  'publish_attempts',
  {
    id: uuid().primaryKey(),
    targetId: uuid('target_id')
      .notNull()
      .references(() => postTargets.id, { onDelete: 'cascade' }),
    startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
    finishedAt: timestamp('finished_at', { withTimezone: true }),
    /** The phase it began in and the one it left behind. */
    fromPhase: text('from_phase', { enum: targetPhases }).notNull(),
    toPhase: text('to_phase', { enum: targetPhases }),
    errorClass: text('error_class', { enum: networkErrorClasses }),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
  },
  (t) => [index('publish_attempts_target').on(t.targetId, t.startedAt), ...wordChecks(t)],
)

/**
 * Places an artist disconnected, until all that was made for them before has been let go (`posts/service/disconnected-pages.ts`): nothing of it is
 * claimed from then on.
 */
export const disconnectedPlaces = pgTable(
  'disconnected_places',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => socialAccounts.id, { onDelete: 'cascade' }),
    /** Empty: all pages of the account. */
    pageId: text('page_id').notNull(),
    disconnectedAt: timestamp('disconnected_at', { withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.pageId] })],
)
