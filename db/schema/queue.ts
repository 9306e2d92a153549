import type { Queue } from '@flashsheet/contracts/queue/schema'
import { boolean, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant, parentId } from './columns.ts'
import { postTargets } from './posts.ts'
import { socialAccounts } from './social.ts'

/** An artist's weekly times for queued posts. */
export const queues = pgTable('queues', {
  userId: ownerId().primaryKey(),
  /** Null: the artist's time zone. */
  timeZone: text('time_zone'),
  paused: boolean().notNull().default(false),
  slots: jsonb().$type<Queue['slots']>().notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** The queue slots of queued targets. */
export const queuePlaces = pgTable(
  'queue_places',
  {
    targetId: uuid('target_id')
      .primaryKey()
      .references(() => postTargets.id, { onDelete: 'cascade' }),
    userId: ownerId(),
    accountId: parentId('account_id', () => socialAccounts.id),
    pageId: text('page_id').notNull(),
    slotAt: instant('slot_at').notNull(),
  },
  (t) => [
    unique('queue_places_once').on(t.accountId, t.pageId, t.slotAt),
    index('queue_places_user').on(t.userId, t.slotAt),
  ],
)
