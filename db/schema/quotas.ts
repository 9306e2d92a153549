import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { instant } from './columns.ts'
import { postTargets } from './posts.ts'
import { enumChecks } from './enum-checks.ts'

/**
 * Daily allowances of the networks, by name (`posts/rules/quota.ts`): of one page, which several artists may share, or of
 * the whole installation. A lock on the row serialises reservations.
 */
export const quotaBuckets = pgTable('quota_buckets', {
  id: text().primaryKey(),
  /** The network refused for lack of quota: no attempt before this. */
  fullUntil: instant('full_until'),
  /** The limit that the network last reported, where it can be read (Instagram). */
  reportedLimit: integer('said_limit'),
  reportedUsed: integer('said_used'),
  reportedAt: instant('said_at'),
})

/** Uses of an allowance, and targets waiting for one. Rows outlive their target: the network still counts a deleted post. */
export const quotaUses = pgTable(
  'quota_uses',
  {
    id: uuid().primaryKey(),
    bucketId: text('bucket_id')
      .notNull()
      .references(() => quotaBuckets.id, { onDelete: 'cascade' }),
    /** The artist, while the account exists: an installation's allowance is shared fairly by artist. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    targetId: uuid('target_id').references(() => postTargets.id, { onDelete: 'set null' }),
    /** `waiting`: queued. `taken`: reserved by a target under way. `done`: the target is final, or was restarted. */
    state: text({ enum: ['waiting', 'taken', 'done'] }).notNull(),
    /** The queue is ordered by this time. */
    since: instant('since').notNull(),
    /** While waiting: how many joined before it since the queue was last empty; approximates the queue's length. */
    position: bigint('place', { mode: 'number' }),
    /** When the network counted it; null: not yet. */
    drawnAt: instant('drawn_at'),
  },
  (t) => [
    uniqueIndex('quota_uses_open')
      .on(t.targetId)
      .where(sql`${t.state} <> 'done'`),
    index('quota_uses_target').on(t.targetId),
    index('quota_uses_user').on(t.userId),
    index('quota_uses_drawn').on(t.bucketId, t.drawnAt),
    index('quota_uses_line')
      .on(t.bucketId, t.since, t.targetId)
      .where(sql`${t.state} = 'waiting'`),
    index('quota_uses_places')
      .on(t.bucketId, t.position)
      .where(sql`${t.state} = 'waiting' and ${t.position} is not null`),
    index('quota_uses_flying')
      .on(t.bucketId)
      .where(sql`${t.state} = 'taken' and ${t.drawnAt} is null`),
    check('quota_uses_waiting', sql`${t.state} <> 'waiting' or ${t.drawnAt} is null`),
    check('quota_uses_done', sql`${t.state} <> 'done' or ${t.drawnAt} is not null`),
    ...enumChecks(t),
  ],
)
