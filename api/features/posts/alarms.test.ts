import { postTargets } from '@flashsheet/db/schema/posts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { untilSettled, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { openSystem } from '../../testing/system.ts'
import { insertTargets, targetOf } from '../../testing/publishing.ts'
import { startWorker } from '../../worker.ts'
import { startSystem } from '../../wiring.ts'
import { setAlarms } from './service/alarms.ts'
import { publishTarget } from './service/publish.ts'

const minute = 60_000
const hour = 60 * minute
let app: TestApp
let networks: TestApp
let other: { system: System; close: () => Promise<void> }
let artist: Artist
let account: Awaited<ReturnType<typeof connect>>
beforeAll(async () => {
  networks = await startTestApp()
  // Without a worker: each test sets alarms itself.
  app = await startTestApp({ role: 'web', env: { SANDBOX_PORT: new URL(networks.sandboxUrl).port } })
  other = await openSystem(app)
  artist = await createArtist(app)
  account = await connect(app, artist, 'facebook')
})
afterAll(async () => {
  await other.close()
  await app.stop()
  await networks.stop()
})
beforeEach(async () => {
  app.clock.set(new Date().toISOString())
  await setAlarms(other.system)
})

const inMs = (ms: number) => new Date(app.clock.now().getTime() + ms)

type Planned = { postId: string; id: string; at: Date }

async function plan(ms: number): Promise<Planned> {
  const at = inMs(ms)
  const mediaIds = await uploadPictures(artist)
  const { _id: postId } = await artist.trpc.posts.schedule.mutate({
    mediaIds,
    variants: variantsOf(account, { message: `Flash at ${at.toISOString()}` }),
    scheduledAt: at.toISOString(),
  })
  return { ...(await targetOf(app, postId)), at }
}

/** The waiting alarms of a target: in how many seconds each runs. */
async function alarmsOf(id: string): Promise<number[]> {
  const rows = await app.client.db.execute<{ seconds: number }>(sql`
    select extract(epoch from start_after - clock_timestamp())::float8 as seconds from pgboss.job
    where name = 'posts.publish' and data ->> 'targetId' = ${id} and state < 'active' order by 1`)
  return rows.map((row) => row.seconds)
}

test('sets one alarm for a post planned for tomorrow once its time is near, however often it runs', async () => {
  const { id } = await plan(24 * hour)
  await setAlarms(other.system)
  expect(await alarmsOf(id)).toEqual([])
  app.clock.advance(24 * hour - 25 * minute)
  await Promise.all([setAlarms(other.system), setAlarms(other.system), setAlarms(other.system)])
  await setAlarms(other.system)
  const alarms = await alarmsOf(id)
  expect(alarms).toHaveLength(1)
  expect(Math.abs((alarms[0] ?? 0) - 25 * 60)).toBeLessThan(60)
})

test('a post due within the hour gets its alarm at once, and no second one', async () => {
  const { id } = await plan(59 * minute)
  expect(await alarmsOf(id)).toHaveLength(1)
  app.clock.advance(50 * minute)
  await setAlarms(other.system)
  expect(await alarmsOf(id)).toHaveLength(1)
})

test('sets the alarm of a post planned 61 minutes ahead although no run happened for 40 minutes', async () => {
  const { id } = await plan(61 * minute)
  expect(await alarmsOf(id)).toEqual([])
  app.clock.advance(40 * minute)
  await setAlarms(other.system)
  const alarms = await alarmsOf(id)
  expect(alarms).toHaveLength(1)
  expect(Math.abs((alarms[0] ?? 0) - 21 * 60)).toBeLessThan(60)
})

test('the alarm of a post that came due during an outage runs at once', async () => {
  const { id } = await plan(3 * hour)
  app.clock.advance(9 * hour)
  await setAlarms(other.system)
  const [seconds] = await alarmsOf(id)
  expect(seconds).toBeLessThanOrEqual(0)
})

test('a moved post gets an alarm for its new time, earlier or later; the old alarm publishes nothing', async () => {
  const moved = await plan(30 * minute)
  expect(await alarmsOf(moved.id)).toHaveLength(1)
  await artist.trpc.posts.update.mutate({ postId: moved.postId, scheduledAt: inMs(5 * hour).toISOString() })
  expect(await alarmsOf(moved.id)).toHaveLength(1)
  app.clock.advance(31 * minute)
  // The old alarm runs.
  await publishTarget(other.system, moved.id, new AbortController().signal)
  expect((await artist.trpc.posts.get.query({ postId: moved.postId })).status).toBe('scheduled')
  app.clock.advance(4 * hour)
  await setAlarms(other.system)
  expect(await alarmsOf(moved.id)).toHaveLength(2)
  await artist.trpc.posts.update.mutate({ postId: moved.postId, scheduledAt: inMs(10 * minute).toISOString() })
  expect(await alarmsOf(moved.id)).toHaveLength(3)
})

test('a deleted post gets no alarm', async () => {
  const { postId, id } = await plan(2 * hour)
  await artist.trpc.posts.remove.mutate({ postId })
  app.clock.advance(2 * hour)
  await setAlarms(other.system)
  expect(await alarmsOf(id)).toEqual([])
})

test('sets the alarm of a retry that is hours away, in every phase', async () => {
  const { id } = await plan(hour / 2)
  await app.client.db
    .update(postTargets)
    .set({ phase: 'preparing', dueAt: inMs(5 * hour) })
    .where(eq(postTargets.id, id))
  await app.client.sql`delete from pgboss.job where data ->> 'targetId' = ${id}`
  app.clock.advance(5 * hour - 10 * minute)
  await setAlarms(other.system)
  expect(await alarmsOf(id)).toHaveLength(1)
})

test('a process that dies while setting alarms sets none; the next one sets all of them, once', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.push((await plan(6 * hour)).id)
  app.clock.advance(6 * hour - 10 * minute)
  const { jobs } = other.system
  const failingSystem: System = {
    ...other.system,
    jobs: {
      ...jobs,
      async sendAll(tx, queue, all) {
        await jobs.sendAll(tx, queue, all)
        await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
      },
    },
  }
  await expect(setAlarms(failingSystem)).rejects.toThrow()
  expect(await Promise.all(ids.map(alarmsOf))).toEqual([[], [], []])
  await Promise.all([setAlarms(other.system), setAlarms(other.system)])
  await setAlarms(other.system)
  for (const id of ids) expect(await alarmsOf(id)).toHaveLength(1)
})

test('sets the alarms of more posts than it enqueues at once', async () => {
  const dueAt = inMs(6 * hour)
  const inserted = await insertTargets(app.client, artist.id, dueAt, {}, 1100)
  app.clock.advance(6 * hour - 10 * minute)
  await setAlarms(other.system)
  const alarms = await app.client.db.execute(sql`
    select from post_targets join pgboss.job on name = 'posts.publish' and data ->> 'targetId' = post_targets.id::text
    where due_at = ${dueAt.toISOString()}::timestamptz`)
  expect(alarms).toHaveLength(inserted.length)
})

test('skips no post planned after the clock was set back', async () => {
  app.clock.advance(48 * hour)
  await setAlarms(other.system)
  app.clock.advance(-48 * hour)
  const { id } = await plan(3 * hour)
  app.clock.advance(3 * hour - 20 * minute)
  await setAlarms(other.system)
  expect(await alarmsOf(id)).toHaveLength(1)
})

test('a post is published at its time by another process than the one that planned it', async () => {
  const { postId, id, at } = await plan(20 * hour)
  app.clock.set(new Date(at.getTime() - 2000).toISOString())
  await setAlarms(other.system)
  expect(await alarmsOf(id)).toHaveLength(1)
  const worker = await startSystem(app.running.config, {
    databaseUrl: app.running.databaseUrl,
    log: other.system.log,
    isWorker: true,
    now: app.clock.now,
  })
  try {
    await startWorker(worker.work)
    expect((await untilSettled(artist, postId)).status).toBe('posted')
  } finally {
    await worker.stop(1000)
  }
  const [row] = await app.client.db.execute<{ early: boolean; swept: string }>(sql`
    select (select min(started_at) < ${at.toISOString()}::timestamptz from publish_attempts where target_id = ${id}) as early,
      (select count(*) from pgboss.job where data ->> 'targetId' = ${id} and singleton_key like '%swept') as swept`)
  expect(row).toEqual({ early: false, swept: '0' })
})
