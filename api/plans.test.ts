import { deleteOldMails, listUnsentMails } from '@flashsheet/db/outbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type DbClient } from '../db/client.ts'
import { firstIdSince } from './core/ids.ts'
import { thumbnailsOfPosts } from './features/media/queries/items.ts'
import { deleteOldNotices } from './features/notices/queries.ts'
import { listAbandoned, listOverdueTargets } from './features/posts/queries/leases.ts'
import { deleteOldAttempts, clearPostedTargets } from './features/posts/queries/retention.ts'
import { everyoneScope, ownerScope } from './core/scope.ts'
import { countOverdueTargets, countOutcomes } from './features/admin/queries/system.ts'
import { lastId, listDueAfter } from './features/posts/queries/alarms.ts'
import { countWaitingBefore, countReserved } from './features/posts/queries/quotas.ts'
import { listNotStartedPosts, clearFinalTargets } from './features/posts/queries/targets.ts'
import { cloneDatabase } from './testing/database.ts'
import { insertManyRows } from './testing/many-rows.ts'
import { planOf, statementsOf } from './testing/plans.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url, 2)
  await insertManyRows(client, { artists: 20, items: 2000, posts: 4000, mails: 4000 })
  // 499 targets that wait for a daily allowance, beside thousands of past uses.
  await client.sql`insert into quota_buckets (id) values ('youtube')`
  await client.sql`insert into quota_uses (id, bucket_id, user_id, target_id, state, since, drawn_at)
    select gen_random_uuid(), 'youtube', user_id, id, case when n < 500 then 'waiting' else 'done' end, created_at, case when n >= 500 then created_at end from (select *, row_number() over () as n from post_targets limit 5000) t`
  await client.sql`analyze quota_uses`
})
afterAll(async () => {
  await client?.close()
  await database?.drop()
})

const day = 86_400_000
const ago = (ms: number) => new Date(Date.now() - ms)
const nobody = ownerScope('018f0000-0000-7000-8000-000000000001')

/** Statements over all artists, and the table whose rows each must find by an index. `pnpm bench data` has a larger set. */
const cases: [what: string, table: string, work: () => Promise<unknown>][] = [
  [
    'thumbnails of removed items that posts still show',
    'post_media',
    async () =>
      await thumbnailsOfPosts(client.db, everyoneScope(), [
        'media/old-7/thumbnail-0.webp',
        'media/none/thumbnail-1.webp',
      ]),
  ],
  [
    'overdue targets',
    'post_targets',
    async () => await listOverdueTargets(client.db, everyoneScope(), ago(10_000), ago(day), 500),
  ],
  ['abandoned targets', 'post_targets', async () => await listAbandoned(client.db, everyoneScope(), new Date(), 500)],
  [
    'targets that are due soon',
    'post_targets',
    async () => await listDueAfter(client.db, everyoneScope(), { dueAt: ago(60_000), id: lastId }, new Date(), 1000),
  ],
  [
    'the number of late targets',
    'post_targets',
    async () => await countOverdueTargets(client.db, everyoneScope(), ago(60_000)),
  ],
  [
    'posts of an artist that are not started',
    'post_targets',
    async () => await listNotStartedPosts(client.db, nobody, { accountId: nobody }, new Date(), 20),
  ],
  [
    'final targets of an account',
    'post_targets',
    async () => await clearFinalTargets(client.db, nobody, { accountId: nobody }, new Date(), new Date(), 500),
  ],
  [
    'targets waiting for an allowance',
    'quota_uses',
    async () => await countWaitingBefore(client.db, everyoneScope(), 'youtube', 101),
  ],
  [
    'reserved uses of an allowance',
    'quota_uses',
    async () => await countReserved(client.db, everyoneScope(), 'youtube'),
  ],
  [
    'unsent mails',
    'mails',
    async () => await listUnsentMails(client.db, { from: ago(3 * day), to: ago(day / 24) }, 5000),
  ],
  ['old mails', 'mails', async () => await deleteOldMails(client.db, ago(30 * day))],
  [
    'old attempts',
    'publish_attempts',
    async () => await deleteOldAttempts(client.db, everyoneScope(), ago(5000 * day), firstIdSince(new Date(0)), 1000),
  ],
  [
    'targets that were posted long ago',
    'post_targets',
    async () => await clearPostedTargets(client.db, everyoneScope(), ago(5000 * day), 1000),
  ],
  ['old notices', 'notices', async () => await deleteOldNotices(client.db, everyoneScope(), ago(5000 * day), 1000)],
]

test.each(cases)('finds by an index: %s', async (_what, table, work) => {
  const statements = await statementsOf(client, work)
  expect(statements).toHaveLength(1)
  for (const statement of statements) {
    const plan = await planOf(client, statement)
    expect(plan.scanned).not.toContain(table)
    expect(plan.indexes.length).toBeGreaterThan(0)
  }
})

test('counts recent outcomes by an index on their time', async () => {
  const [statement] = await statementsOf(
    client,
    async () => await countOutcomes(client.db, everyoneScope(), ago(day / 24)),
  )
  if (!statement) throw new Error('no statement was run')
  expect(await planOf(client, statement, 'these values')).toEqual({
    scanned: [],
    indexes: expect.arrayContaining(['post_targets_posted_on', 'post_targets_failed_at', 'post_targets_open']),
  })
})

test('detects a sequential scan', async () => {
  const plan = await planOf(client, { query: 'select id from post_targets where message = $1', values: ['x'] })
  expect(plan.scanned).toEqual(['post_targets'])
})
