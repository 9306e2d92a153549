import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { postTargets } from '@flashsheet/db/schema/posts'
import { quotaBuckets, quotaUses } from '@flashsheet/db/schema/quotas'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import { everyoneScope } from '../../core/scope.ts'
import { lockBucket, upsertUse, type WaitingTarget } from './queries/quotas.ts'
import { allowanceAt, quotaOf } from './rules/quota.ts'
import { releaseWaiting, allowanceUsage } from './service/quota.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { publishingFixture } from '../../testing/publishing.ts'
import { eventually } from '../../testing/sandbox.ts'

const noon = '2026-11-21T20:00:00.000Z'
/** The following midnight of YouTube's quota, with a minute's margin. */
const midnight = Date.parse('2026-11-22T08:01:00.000Z')
const day = 86_400_000
const fixture = publishingFixture({ role: 'web', startAt: noon })
beforeEach(async () => {
  fixture.app.clock.set(noon)
  for (const table of ['quota_uses', 'quota_buckets', 'posts', 'users'])
    await fixture.app.client.sql.unsafe(`delete from ${table}`)
})

/** Inserts videos, each of another artist, that wait until tomorrow for YouTube's allowance, in the order they were planned. */
async function line(length: number): Promise<void> {
  await fixture.app.client.sql.begin(async (one) => {
    await one`insert into users (id, name, email, time_zone, created_at, updated_at) select gen_random_uuid(), 'Artist', 'artist-' || n || '@line.example', 'UTC', now(), now() from generate_series(1, ${length}) n`
    await one`insert into posts (id, user_id, status, scheduled_at, time_zone, request_id, request_hash, created_at, updated_at)
      select gen_random_uuid(), id, 'scheduled', ${noon}::timestamptz - interval '1 day' + substring(email from '\\d+')::int * interval '1 second', 'UTC', 'line', '', now(), now() from users`
    await one`insert into post_targets (id, post_id, user_id, platform, page_id, page_name, title, message, options, quota_bucket, phase, due_at, checkpoint, created_at, updated_at)
      select gen_random_uuid(), id, user_id, 'youtube', 'channel', 'Channel', 'Film', '', '{}', 'youtube', 'scheduled', ${noon}::timestamptz + interval '12 hours', '{}', now(), now() from posts`
    await one`insert into quota_buckets (id) values ('youtube')`
    await one`insert into quota_uses (id, bucket_id, user_id, target_id, state, since, place)
      select gen_random_uuid(), 'youtube', p.user_id, t.id, 'waiting', p.scheduled_at, row_number() over (order by p.scheduled_at) from posts p join post_targets t on t.post_id = p.id`
  })
  await fixture.app.client.sql`analyze quota_uses, post_targets`
}

async function drawn(count: number): Promise<void> {
  await fixture.app.client.db.insert(quotaUses).values(
    Array.from({ length: count }, () => ({
      id: newId(),
      bucketId: 'youtube',
      state: 'done' as const,
      since: fixture.app.clock.now(),
      drawnAt: fixture.app.clock.now(),
    })),
  )
}

/** The nth waiting target, counted from 1. */
async function at(place: number): Promise<WaitingTarget & { userId: string }> {
  const [row] = await fixture.app.client.db.select().from(quotaUses).where(eq(quotaUses.position, place))
  return { targetId: row?.targetId ?? '', since: row?.since ?? new Date(0), userId: row?.userId ?? '' }
}

/** When this waiting target, or a new one, gets its use, and how many rows were read. */
async function turnOf(place?: WaitingTarget): Promise<{ freesAt: Date | null; read: number }> {
  return await retryOnDeadlock(fixture.system.db, async (tx) => {
    const read = async () => {
      const [row] = await tx.execute<{
        n: string
      }>(sql`select sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid)) as n
        from pg_class c left join pg_index i on i.indexrelid = c.oid where coalesce(i.indrelid, c.oid) in ('quota_uses'::regclass, 'post_targets'::regclass)`)
      return Number(row?.n)
    }
    const row = await lockBucket(tx, everyoneScope(), 'youtube')
    const before = await read()
    const usage = await allowanceUsage(tx, 'youtube', quotaOf('youtube'), row, fixture.app.clock.now(), place)
    return { freesAt: allowanceAt(usage, fixture.app.clock.now()).freesAt, read: (await read()) - before }
  })
}

test('behind thousands of targets the day is estimated without reading all of them', async () => {
  await line(4000)
  await drawn(100)
  expect((await turnOf(await at(1))).freesAt).toEqual(new Date(midnight))
  expect((await turnOf(await at(100))).freesAt).toEqual(new Date(midnight))
  expect((await turnOf(await at(101))).freesAt).toEqual(new Date(midnight + day))
  const middle = await turnOf(await at(2501))
  expect(middle.freesAt).toEqual(new Date(midnight + 25 * day))
  const last = await turnOf()
  expect(last.freesAt).toEqual(new Date(midnight + 40 * day))
  for (const { read } of [middle, last]) {
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(2000)
  }
})

test('the next in the queue is counted exactly: targets that stopped waiting, are held or have failed do not delay others', async () => {
  await line(300)
  await drawn(99)
  const tenth = await at(10)
  expect((await turnOf(tenth)).freesAt).not.toBeNull()
  for (let place = 1; place < 10; place += 1) {
    const { targetId } = await at(place)
    if (place % 3 === 0)
      await fixture.app.client.db.update(postTargets).set({ held: true }).where(eq(postTargets.id, targetId))
    else if (place % 3 === 1)
      await fixture.app.client.db.update(postTargets).set({ phase: 'failed' }).where(eq(postTargets.id, targetId))
    else await fixture.app.client.db.delete(quotaUses).where(eq(quotaUses.targetId, targetId))
  }
  expect((await turnOf(tenth)).freesAt).toBeNull()
  expect((await turnOf(await at(11))).freesAt).not.toBeNull()
})

test('a target keeps its position when queued again, a new one or one of another queue is last, and positions restart when none waits', async () => {
  await line(3)
  const second = await at(2)
  const putInLine = async (
    one: WaitingTarget & { userId: string },
    state: 'waiting' | 'taken' = 'waiting',
    bucketId = 'youtube',
  ) =>
    await upsertUse(fixture.system.db, everyoneScope(), {
      id: newId(),
      bucketId,
      userId: one.userId,
      targetId: one.targetId,
      since: one.since,
      state,
      drawnAt: state === 'taken' ? fixture.app.clock.now() : null,
    })
  const places = async () =>
    (await fixture.app.client.db.select({ place: quotaUses.position }).from(quotaUses).orderBy(quotaUses.since)).map(
      (row) => row.place,
    )
  await putInLine(second)
  expect(await places()).toEqual([1, 2, 3])
  await putInLine(second, 'taken')
  expect(await places()).toEqual([1, null, 3])
  await putInLine(second)
  expect(await places()).toEqual([1, 4, 3])
  await fixture.app.client.db.insert(quotaBuckets).values({ id: 'youtube-share a' })
  await putInLine(second, 'waiting', 'youtube-share a')
  expect(await places()).toEqual([1, 1, 3])
  await putInLine(second)
  expect(await places()).toEqual([1, 4, 3])
  await fixture.app.client.db.delete(quotaUses)
  await putInLine(second)
  expect(await places()).toEqual([1])
})

test('uses freed by others go to the first in the queue, even if they were to wait longer', async () => {
  await line(8)
  await drawn(98)
  const [first, second, third] = [await at(1), await at(2), await at(3)]
  await fixture.app.client.db.update(postTargets).set({ held: true }).where(eq(postTargets.id, second.targetId))
  const dueNow = async () =>
    (
      await fixture.app.client.db
        .select({ id: postTargets.id })
        .from(postTargets)
        .where(sql`${postTargets.dueAt} <= ${fixture.app.clock.now().toISOString()}::timestamptz`)
    )
      .map((row) => row.id)
      .toSorted()
  expect(await dueNow()).toEqual([])
  expect(await releaseWaiting(fixture.system)).toBe(2)
  expect(await dueNow()).toEqual([first.targetId, third.targetId].toSorted())
  const alarms = await fixture.app.client.db.execute(
    sql`select 1 from pgboss.job where name = 'posts.publish' and state < 'active' and data ->> 'targetId' in (${first.targetId}, ${third.targetId})`,
  )
  expect(alarms).toHaveLength(2)
  expect(await releaseWaiting(fixture.system)).toBe(0)
  await drawn(2)
  await fixture.app.client.db.update(postTargets).set({ dueAt: new Date(midnight) })
  expect(await releaseWaiting(fixture.system)).toBe(0)
})

test('a target that is moved to another time at the same moment is not made due', async () => {
  await line(1)
  const { targetId } = await at(1)
  const { db } = fixture.app.client
  const later = new Date(midnight + 3 * day)
  let releasing: Promise<number> | undefined
  await db.transaction(async (tx) => {
    await tx.update(postTargets).set({ dueAt: later }).where(eq(postTargets.id, targetId))
    await tx.delete(quotaUses).where(eq(quotaUses.targetId, targetId))
    releasing = releaseWaiting(fixture.system)
    await eventually('it to wait for the target', async () => (await lockWaits(fixture.app.client)) > 0)
  })
  expect(await releasing).toBe(0)
  const [target] = await db.select().from(postTargets).where(eq(postTargets.id, targetId))
  expect(target?.dueAt).toEqual(later)
})
