import type { Crop } from '@flashsheet/contracts/media/schema'
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
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant, parentId } from './columns.ts'
import { mediaItems } from './media.ts'
import { socialAccounts } from './social.ts'
import { enumChecks } from './enum-checks.ts'

export const posts = pgTable(
  'posts',
  {
    id: uuid().primaryKey(),
    userId: ownerId(),
    status: text({ enum: postStatuses }).notNull(),
    scheduledAt: instant('scheduled_at').notNull(),
    /** The artist's zone when the time was chosen. */
    timeZone: text('time_zone').notNull(),
    errorMessage: text('error_message'),
    /** The idempotency key: one post per owner and id. */
    requestId: text('request_id').notNull(),
    /** SHA-256 of the request; the same id with another body is a conflict. */
    requestHash: text('request_hash').notNull(),
    /** Its pictures are added to the website's gallery once the first page is posted, which resets this to false. */
    toGallery: boolean('to_gallery').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    unique('posts_request_once').on(t.userId, t.requestId),
    index('posts_by_time').on(t.userId, t.scheduledAt),
    // The order of the staff list: failed ones first.
    index('posts_for_staff').on(
      sql`(case ${t.status} when 'failed' then 0 when 'scheduled' then 1 else 2 end)`,
      t.scheduledAt.desc(),
      t.id.desc(),
    ),
    index('posts_newest').on(t.userId, t.createdAt),
    ...enumChecks(t),
  ],
)

/** Request ids whose posts were deleted, so that a late repeat of a request does not create its post again. */
export const deletedPosts = pgTable(
  'deleted_posts',
  {
    userId: ownerId(),
    requestId: text('request_id').notNull(),
    deletedAt: instant('deleted_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.requestId] }),
    index('deleted_posts_deleted_at').on(t.deletedAt),
    ...enumChecks(t),
  ],
)

export const postMedia = pgTable(
  'post_media',
  {
    postId: parentId('post_id', () => posts.id),
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
    // Finds whether a post still shows the thumbnail of a deleted item.
    index('post_media_thumbnail')
      .on(t.thumbnailKey)
      .where(sql`${t.mediaId} is null`),
    ...enumChecks(t),
  ],
)

/**
 * Processes that claim targets (`db/worker-liveness.ts`). Each holds an advisory lock on its id while its session lives, so
 * a free lock means that it died. No foreign key references a row: leases of a deleted one expire by time.
 */
export const publishWorkers = pgTable('publish_workers', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  startedAt: instant('started_at').notNull(),
  /** When another process found its lock free; from then on it counts as dead. */
  goneAt: instant('gone_at'),
})

/**
 * One row: the progress of publishing (`db/publish-progress.ts`). If its copy in the storage is ahead, this database was
 * restored from a backup or is a lagging replica.
 */
export const publishProgress = pgTable(
  'publish_progress',
  {
    only: boolean().primaryKey().default(true),
    /** Generated once per database; a restored one still has it. */
    lineage: uuid().notNull().defaultRandom(),
    counter: bigint({ mode: 'number' }).notNull().default(0),
    countedAt: instant('counted_at'),
    /** When publishing stopped because the database was found behind its copy. */
    stoppedAt: instant('stopped_at'),
  },
  (t) => [check('publish_progress_one_row', sql`${t.only}`)],
)

/** One row: the due time up to which targets have their jobs (`posts/service/alarms.ts`). */
export const publishAlarms = pgTable(
  'publish_alarms',
  {
    only: boolean().primaryKey().default(true),
    /** Targets due before this have their job, and of those due at exactly this instant the ones up to `setUntilId`. */
    setUntil: instant('set_until').notNull(),
    setUntilId: uuid('set_until_id').notNull(),
  },
  (t) => [check('publish_alarms_one_row', sql`${t.only}`)],
)

/**
 * The progress of a target's adapter at its network. It is committed after each remote step and before the next, so that
 * no step is repeated after a worker was killed.
 */
export type Checkpoint = Record<string, unknown>

export const postTargets = pgTable(
  'post_targets',
  {
    id: uuid().primaryKey(),
    postId: parentId('post_id', () => posts.id),
    userId: ownerId(),
    platform: text({ enum: platforms }).notNull(),
    /** Null once the account was disconnected. */
    accountId: uuid('account_id').references(() => socialAccounts.id, { onDelete: 'set null' }),
    pageId: text('page_id').notNull(),
    pageName: text('page_name').notNull(),
    title: text().notNull(),
    message: text().notNull(),
    options: jsonb().$type<VariantOptions>().notNull(),
    /** The crop of each media item, by position; null: none is cropped. */
    crops: jsonb().$type<(Crop | null)[]>(),
    /** The daily allowance it uses (`posts/rules/quota.ts`); null: none. */
    quotaBucket: text('quota_bucket'),
    phase: text({ enum: targetPhases }).notNull(),
    /** Waits until the subscription is active again. */
    held: boolean().notNull().default(false),
    /** Waits until the artist reconnects its account. */
    awaitsAccount: boolean('awaits_account').notNull().default(false),
    /** When the next step is due; moves with retries. */
    dueAt: instant('due_at').notNull(),
    /** Until when the claiming worker counts as alive. */
    leaseUntil: instant('lease_until'),
    leaseToken: uuid('lease_token'),
    /** The claiming worker in `publish_workers`, if it had a living session; null: only the lease time counts. */
    leaseHolder: integer('lease_holder'),
    /** Failed attempts since the last progress; drives the backoff. */
    tries: integer().notNull().default(0),
    /** Polls answered "still working" in this phase; the interval grows with them. */
    polls: integer().notNull().default(0),
    /** When the irreversible call was first and last started; committed before it is sent. */
    firstPublishAt: instant('first_publish_at'),
    lastPublishAt: instant('last_publish_at'),
    /** When the last irreversible call ended, or its worker was found dead: the grace period begins. Null: under way. */
    lastPublishEndedAt: instant('last_publish_ended_at'),
    /** Irreversible calls without a clear answer; committed before each is sent. */
    unanswered: integer().notNull().default(0),
    /** The first of consecutive confirmations that found no trace of the last irreversible call. */
    inconclusiveSince: instant('silent_since'),
    /** It failed while the outcome of the irreversible call was unknown: a retry confirms first. */
    unclear: boolean().notNull().default(false),
    /** What the failed target left at its network; a retry would add a second one. */
    leftBehind: text('left_behind', { enum: leftBehind }),
    /** The address of its page, set once the artist has to check there. */
    pageUrl: text('page_url'),
    /** After `confirm` returned absent, `prepare` must start again: the ids in the checkpoint are invalid. */
    idsLapsed: boolean('ids_lapsed').notNull().default(false),
    /** Time spent waiting for quotas, which does not count towards "missed". */
    waitedMs: integer('waited_ms').notNull().default(0),
    checkpoint: jsonb().$type<Checkpoint>().notNull(),
    /** 0–100 while bytes are uploaded. */
    progress: integer(),
    errorMessage: text('error_message'),
    remoteId: text('remote_id'),
    permalink: text(),
    postedAt: instant('posted_at'),
    /** Set by a trigger: when it became `failed`; null in every other phase. */
    failedAt: instant('failed_at'),
    /** Set by a trigger: the post's id in TikTok's events, from its checkpoint. */
    tiktokPublishId: text('tiktok_publish_id'),
    /** When to reconcile a posted target with its network; null: never again. */
    reconcileAt: instant('look_again_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    unique('post_targets_once').on(t.postId, t.accountId, t.pageId),
    index('post_targets_user').on(t.userId),
    index('post_targets_account').on(t.accountId),
    // No index contains the phase, which changes with every step, so that a step updates no index (HOT).
    index('post_targets_open')
      .on(t.dueAt)
      .where(sql`${t.postedAt} is null and ${t.failedAt} is null`),
    // Open targets of one artist, beside years of final ones.
    index('post_targets_open_user')
      .on(t.userId)
      .where(sql`${t.postedAt} is null and ${t.failedAt} is null`),
    index('post_targets_failed_at')
      .on(t.failedAt, t.platform)
      .where(sql`${t.failedAt} is not null`),
    index('post_targets_posted_on')
      .on(t.postedAt, t.platform)
      .where(sql`${t.postedAt} is not null`),
    // Finds other recent posts at the same page, from which a post must be distinguished.
    index('post_targets_at_page')
      .on(t.pageId, t.lastPublishAt)
      .where(sql`${t.lastPublishAt} is not null`),
    index('post_targets_tiktok_id')
      .on(t.tiktokPublishId)
      .where(sql`${t.tiktokPublishId} is not null`),
    index('post_targets_look_again')
      .on(t.reconcileAt)
      .where(sql`${t.reconcileAt} is not null`),
    index('post_targets_open_quota')
      .on(t.quotaBucket, t.dueAt)
      .where(sql`${t.quotaBucket} is not null and ${t.postedAt} is null and ${t.failedAt} is null`),
    check('post_targets_posted', sql`(${t.phase} = 'posted') = (${t.postedAt} is not null)`),
    ...enumChecks(t),
  ],
)

export const publishAttempts = pgTable(
  'publish_attempts',
  {
    id: uuid().primaryKey(),
    targetId: parentId('target_id', () => postTargets.id),
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at'),
    /** The phase before and after the attempt. */
    fromPhase: text('from_phase', { enum: targetPhases }).notNull(),
    toPhase: text('to_phase', { enum: targetPhases }),
    errorClass: text('error_class', { enum: networkErrorClasses }),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
  },
  (t) => [index('publish_attempts_target').on(t.targetId, t.startedAt), ...enumChecks(t)],
)

/**
 * Pages and accounts that an artist disconnected and whose targets are not cancelled yet
 * (`posts/service/disconnected-pages.ts`). Their targets are not claimed.
 */
export const disconnections = pgTable(
  'disconnected_places',
  {
    accountId: parentId('account_id', () => socialAccounts.id),
    /** Empty: all pages of the account. */
    pageId: text('page_id').notNull(),
    disconnectedAt: instant('disconnected_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.pageId] })],
)
