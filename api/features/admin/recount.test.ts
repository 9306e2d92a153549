import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type DbClient } from '../../../db/client.ts'
import { everyoneScope } from '../../core/scope.ts'
import { cloneDatabase } from '../../testing/database.ts'
import { compactTallies, recountTallies } from './queries/tallies.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url, 2)
  await client.sql.unsafe(`
    insert into users (id, name, email, time_zone, created_at, updated_at, is_active)
      select gen_random_uuid(), 'Artist ' || n, 'artist-' || n || '@many.example', 'UTC', timestamptz '2026-01-01' + n * interval '1 day', now(), n % 7 <> 0 from generate_series(1, 300) n;
    insert into subscriptions (id, stripe_subscription_id, stripe_customer_id, plan, status, mrr, created_at, updated_at)
      select gen_random_uuid(), 'sub_' || n, 'cus_' || n, (array['social-line-work', 'complete-shading'])[1 + n % 2], 'active', 1900, timestamptz '2026-01-01' + n * interval '1 day', now() from generate_series(1, 300) n;
    insert into subscription_orders (id, stripe_object_id, plan, action, status, amount, refunded, created_at)
      select gen_random_uuid(), 'in_' || n, 'complete-shading', 'renewed', 'active', 4900, n % 3, timestamptz '2026-01-01' + n * interval '1 day' from generate_series(1, 300) n;
    insert into mrr_movements (id, stripe_subscription_id, kind, from_plan, to_plan, delta, at)
      select gen_random_uuid(), 'sub_' || n, 'new', null, 'complete-shading', 4900, timestamptz '2026-01-01' + n * interval '1 day' from generate_series(1, 300) n;
    insert into media_items (id, user_id, kind, mime_type, file_name, bytes, width, height, original_key, thumbnail_key, created_at)
      select gen_random_uuid(), id, 'image', 'image/jpeg', 'a.jpg', 7, 1, 1, '', '', now() from users`)
})
afterAll(async () => {
  await client?.close()
  await database?.drop()
})

const cutoff = '2026-09-01'
const recount = async () => await recountTallies(client.db, everyoneScope(), cutoff)
/** All figures that staff see, grouped by everything but the day. */
const figures = async () =>
  await Promise.all(
    [
      'select plan, action, status, sum(orders)::int, sum(amount)::int, sum(refunded)::int from order_tallies group by 1, 2, 3 order by 1, 2, 3',
      'select plan, status, leaving, sum(subscriptions)::int, sum(mrr)::int from subscription_tallies group by 1, 2, 3 order by 1, 2, 3',
      'select kind, from_plan, to_plan, sum(movements)::int, sum(delta)::int from movement_tallies group by 1, 2, 3 order by 1, 2, 3',
      'select is_active, sum(users)::int from user_tallies group by 1 order by 1',
      'select kind, sum(items)::int, sum(bytes)::int from media_tallies group by 1 order by 1',
    ].map(async (query) => await client.sql.unsafe(query).values()),
  )

test('correct tallies stay unchanged, before and after a compaction', async () => {
  expect(await recount()).toBe(0)
  await compactTallies(client.db, everyoneScope(), cutoff)
  expect(await recount()).toBe(0)
})

test('after a restore of data alone, which counts each row twice, a recount counts each row once', async () => {
  const expected = await figures()
  const tables = [
    ['media_items', 'media_tallies'],
    ['mrr_movements', 'movement_tallies'],
    ['subscription_orders', 'order_tallies'],
    ['subscriptions', 'subscription_tallies'],
  ] as const
  for (const [table, tallies] of tables) {
    await client.sql.unsafe(
      `create table kept_${table} as table ${table}; create table kept_${tallies} as table ${tallies}; truncate ${table}${table === 'media_items' ? ' cascade' : ''}`,
    )
    await client.sql.unsafe(`insert into ${tallies} table kept_${tallies}; insert into ${table} table kept_${table}`)
  }
  await client.sql`insert into user_tallies select * from user_tallies`
  expect((await figures())[4]).toEqual([['image', 600, 4200]])
  expect(await recount()).toBeGreaterThan(0)
  expect(await figures()).toEqual(expected)
  expect(await recount()).toBe(0)
})

test('lost tallies are recounted, and concurrent writes are counted once', async () => {
  const expected = await figures()
  await client.sql`delete from order_tallies`
  await client.sql.begin(async (tx) => {
    // This row and its tally are not committed yet when the recount runs.
    await tx`insert into subscription_orders (id, stripe_object_id, plan, action, status, amount, created_at) values (gen_random_uuid(), 'in_late', 'complete-shading', 'renewed', 'active', 4900, now())`
    await recount()
  })
  const [orders] = await figures()
  const [before] = expected
  expect(orders).toEqual([['complete-shading', 'renewed', 'active', 301, 301 * 4900, before?.[0]?.[5]]])
  expect(await recount()).toBe(0)
})
