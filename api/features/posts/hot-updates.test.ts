import { postTargets } from '@flashsheet/db/schema/posts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type DbClient, type Tx } from '../../../db/client.ts'
import { newId } from '../../core/ids.ts'
import { everyoneScope } from '../../core/scope.ts'
import { cloneDatabase } from '../../testing/database.ts'
import { insertTargets } from '../../testing/publishing.ts'
import { countOutcomes } from '../admin/queries/system.ts'
import { claimTarget, listOverdueTargets, mergeCheckpoint, writeLeased } from './queries/leases.ts'
import { setFailedAt } from './queries/targets.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
let userId: string
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url, 2)
  userId = newId()
  await client.sql`insert into users (id, name, email, time_zone, created_at, updated_at) values (${userId}, 'Ada', 'ada@hot.example', 'UTC', now(), now())`
})
afterAll(async () => {
  await client?.close()
  await database?.drop()
})

const scope = everyoneScope()

async function insertTarget(platform: 'instagram' | 'tiktok' = 'instagram'): Promise<string> {
  const [inserted] = await insertTargets(client, userId, new Date(Date.now() - 60_000), { platform })
  return inserted?.targetId ?? ''
}

/** How many targets the transaction has updated, and how many of these updates touched no index. */
async function updatesSoFar(tx: Tx): Promise<{ all: number; hot: number }> {
  const [row] = await tx.execute<{ all: string; hot: string }>(
    sql`select pg_stat_get_xact_tuples_updated('post_targets'::regclass) as all, pg_stat_get_xact_tuples_hot_updated('post_targets'::regclass) as hot`,
  )
  return { all: Number(row?.all), hot: Number(row?.hot) }
}

test("a target's steps update no index, except the irreversible call, a wait and the end", async () => {
  const id = await insertTarget()
  const now = new Date()
  const at = { updatedAt: now }
  const indexUpdates: string[] = []
  await client.db.transaction(async (tx) => {
    const step = async (name: string, write: () => Promise<unknown>) => {
      const before = await updatesSoFar(tx)
      expect(await write()).toBeTruthy()
      const after = await updatesSoFar(tx)
      expect(after.all - before.all, name).toBe(1)
      if (after.hot === before.hot) indexUpdates.push(name)
    }
    const token = newId()
    await step('claim', async () => await claimTarget(tx, scope, id, { token, holder: null, attemptId: newId() }, now))
    await step(
      'prepare',
      async () => await writeLeased(tx, scope, id, token, { phase: 'preparing', errorMessage: null, ...at }),
    )
    await step('save', async () => await mergeCheckpoint(tx, scope, id, token, { containerId: '1' }))
    await step('progress', async () => await writeLeased(tx, scope, id, token, { progress: 40, ...at }))
    await step('renew', async () => await writeLeased(tx, scope, id, token, {}))
    await step(
      'call',
      async () =>
        await writeLeased(tx, scope, id, token, {
          phase: 'publishing',
          firstPublishAt: now,
          lastPublishAt: now,
          ...at,
        }),
    )
    await step(
      'answered',
      async () =>
        await writeLeased(tx, scope, id, token, { phase: 'confirming', lastPublishEndedAt: now, remoteId: '1', ...at }),
    )
    await step(
      'wait',
      async () =>
        await writeLeased(tx, scope, id, token, { dueAt: new Date(now.getTime() - 1000), ...at }, { releases: true }),
    )
    await step(
      'claim again',
      async () => await claimTarget(tx, scope, id, { token, holder: null, attemptId: newId() }, now),
    )
    await step(
      'end',
      async () =>
        await writeLeased(
          tx,
          scope,
          id,
          token,
          { phase: 'posted', postedAt: now, reconcileAt: now, ...at },
          { releases: true },
        ),
    )
  })
  expect(indexUpdates).toEqual(['call', 'wait', 'end'])
})

const failedAtOf = async (id: string) =>
  (await client.db.select({ at: postTargets.failedAt }).from(postTargets).where(eq(postTargets.id, id)))[0]?.at
const failed = async () => (await countOutcomes(client.db, scope, new Date(0))).get('instagram')?.failed ?? 0
const overdueIds = async () =>
  (await listOverdueTargets(client.db, scope, new Date(), new Date(0), 100)).map((one) => one.id)

test('sets the time of a failure for every writer, keeps it when the text is removed, and clears it on a retry', async () => {
  const id = await insertTarget()
  const at = new Date('2026-11-20T10:00:00Z')
  await client.sql`update post_targets set phase = 'failed', updated_at = ${at.toISOString()} where id = ${id}`
  expect(await failedAtOf(id)).toEqual(at)
  await client.sql`update post_targets set message = '', updated_at = now() where id = ${id}`
  expect(await failedAtOf(id)).toEqual(at)
  await client.sql`update post_targets set phase = 'scheduled' where id = ${id}`
  expect(await failedAtOf(id)).toBeNull()
  await client.sql`delete from post_targets where id = ${id}`
})

test('targets that failed without `failed_at` are counted, are not swept, and get it in batches', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.push(await insertTarget())
  const waitingId = await insertTarget()
  await client.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update post_targets set phase = 'failed', updated_at = '2026-11-19T08:00:00Z' where id in ${tx(ids)}`
  })
  expect(await failedAtOf(ids[0] ?? '')).toBeNull()
  expect(await failed()).toBe(3)
  expect(await overdueIds()).toEqual([waitingId])
  expect(await setFailedAt(client.db, scope, new Date(), 2)).toBe(2)
  expect(await failed()).toBe(3)
  expect(await setFailedAt(client.db, scope, new Date(), 2)).toBe(1)
  expect(await setFailedAt(client.db, scope, new Date(), 2)).toBe(0)
  expect(await failed()).toBe(3)
  expect(await Promise.all(ids.map(failedAtOf))).toEqual(ids.map(() => new Date('2026-11-19T08:00:00Z')))
  expect(await overdueIds()).toEqual([waitingId])
})

test("TikTok's publish id follows the checkpoint", async () => {
  const id = await insertTarget('tiktok')
  const token = newId()
  await claimTarget(client.db, scope, id, { token, holder: null, attemptId: newId() }, new Date())
  const publishIdOf = async () =>
    (await client.db.select({ name: postTargets.tiktokPublishId }).from(postTargets).where(eq(postTargets.id, id)))[0]
      ?.name
  await mergeCheckpoint(client.db, scope, id, token, { publishId: 'v_pub_1' })
  expect(await publishIdOf()).toBe('v_pub_1')
  await writeLeased(client.db, scope, id, token, { checkpoint: {} })
  expect(await publishIdOf()).toBeNull()
})
