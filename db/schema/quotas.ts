import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { postTargets } from './posts.ts'
import { wordChecks } from './words.ts'

/**
 * Daily allowances of the networks, by name (`posts/rules/quota.ts`): of a page, whoever posts to it, or of the whole
 * installation. Its row is the lock under which one is taken.
 */
export const quotaBuckets = pgTable('quota_buckets', {
  id: text().primaryKey(),
  /** The network itself said no: nothing is tried before. */
  fullUntil: timestamp('full_until', { withTimezone: true }),
  /** What the network answered last, where it can be asked (Instagram). */
  saidLimit: integer('said_limit'),
  saidUsed: integer('said_used'),
  saidAt: timestamp('said_at', { withTimezone: true }),
})

/**
 * What was taken of an allowance, and who waits for some. It outlives its target, since the network does not forget:
 * an artist's deleted post has used up its place all the same.
 */
export const quotaUses = pgTable(
  'quota_uses',
  {
    id: uuid().primaryKey(),
    bucketId: text('bucket_id')
      .notNull()
      .references(() => quotaBuckets.id, { onDelete: 'cascade' }),
    /** Who took it, while they are with us: everybody's allowance is shared out by artist. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    targetId: uuid('target_id').references(() => postTargets.id, { onDelete: 'set null' }),
    /** `waiting`: in line. `taken`: reserved by a target that is under way. `done`: that target is final, or began anew. */
    state: text({ enum: ['waiting', 'taken', 'done'] }).notNull(),
    /** Whose time came first is first in line. */
    since: timestamp({ withTimezone: true }).notNull(),
    /** Of who waits: how many came into the line before and since it was last empty; tells about how long it is. */
    place: bigint({ mode: 'number' }),
    /** When the network counted it; null: it has not yet. */
    drawnAt: timestamp('drawn_at', { withTimezone: true }),
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
      .on(t.bucketId, t.place)
      .where(sql`${t.state} = 'waiting' and ${t.place} is not null`),
    index('quota_uses_flying')
      .on(t.bucketId)
      .where(sql`${t.state} = 'taken' and ${t.drawnAt} is null`),
    check('quota_uses_waiting', sql`${t.state} <> 'waiting' or ${t.drawnAt} is null`),
    check('quota_uses_done', sql`${t.state} <> 'done' or ${t.drawnAt} is not null`),
    ...wordChecks(t),
  ],
)
