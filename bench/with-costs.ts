import type { DbClient } from '@flashsheet/db/client'
import { performance } from 'node:perf_hooks'
import { everyoneScope, ownerScope } from '../api/core/scope.ts'
import { lockPost } from '../api/features/posts/queries/posts.ts'
import { lockBucket } from '../api/features/posts/queries/quotas.ts'
import { listTargets, stripFinal } from '../api/features/posts/queries/targets.ts'
import { quotaOf } from '../api/features/posts/rules/quota.ts'
import { allowanceUsage } from '../api/features/posts/service/quota.ts'
import { upsertOrders } from '../api/features/subscription/queries.ts'
import { openQueueProbe } from '../api/testing/queue-fetch.ts'
import { median } from './with-product.ts'

/** The median of so many runs, in milliseconds. */
export async function medianOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let run = 0; run < times; run += 1) {
    const from = performance.now()
    await work()
    taken.push(performance.now() - from)
  }
  return median(taken)
}

const ms = (value: number) => `${value.toFixed(2)} ms`

/** The costs of statements that a missing index does not explain, in their former and present form. */
export async function printCosts(client: DbClient): Promise<void> {
  for (const cost of [pollDueJobs, queueForAllowance, upsertUnchanged, disconnectWithOldPosts])
    console.log(await cost(client))
}

/** A worker polls for due jobs twice a second. Before: a job for each planned post. Now: only for those due soon. */
async function pollDueJobs({ url, sql }: DbClient): Promise<string> {
  const planned = 150_000
  // Of the posts of a month, so many become due within half an hour.
  const near = Math.round(planned / (30 * 48))
  const queue = await openQueueProbe(url)
  await queue.defer(near, 600)
  await sql`vacuum analyze pgboss.job`
  const now = await medianOf(51, queue.fetch)
  await queue.defer(planned - near, 4000)
  await sql`vacuum analyze pgboss.job`
  const before = await medianOf(51, queue.fetch)
  await queue.close()
  return `a poll for due jobs beside ${planned.toLocaleString('en')} planned posts: ${ms(before)} before, ${ms(now)} now (${near} have an alarm)`
}

/** A target waits for YouTube's allowance. Before: counts the whole queue while it locks its row. Now: reads its place. */
async function queueForAllowance({ db, sql }: DbClient): Promise<string> {
  const length = 20_000
  await sql`insert into quota_buckets (id) values ('youtube')`
  await sql`with open as (update post_targets set phase = 'scheduled', posted_at = null where id in (select id from post_targets where phase = 'posted' limit ${length}) returning id, user_id, created_at)
    insert into quota_uses (id, bucket_id, user_id, target_id, state, since, place)
    select gen_random_uuid(), 'youtube', user_id, id, 'waiting', created_at, row_number() over (order by id) from open`
  await sql`vacuum analyze quota_uses, post_targets`
  const counted = async () =>
    await sql`select count(*) from quota_uses u join post_targets t on t.id = u.target_id where u.bucket_id = 'youtube' and u.state = 'waiting' and t.phase not in ('posted', 'failed') and not t.held`
  const before = await medianOf(15, counted)
  const row = await lockBucket(db, everyoneScope(), 'youtube')
  const now = await medianOf(15, async () => await allowanceUsage(db, 'youtube', quotaOf('youtube'), row, new Date()))
  return `the day of the last of ${length.toLocaleString('en')} in YouTube's line: ${ms(before)} before, ${ms(now)} now`
}

/** The nightly reconciliation with Stripe. */
async function upsertUnchanged({ db, sql }: DbClient): Promise<string> {
  const count = 20_000
  const orders = Array.from({ length: count }, (_, n) => ({
    stripeObjectId: `in_${n}`,
    plan: 'social-line-work' as const,
    action: 'renewed' as const,
    status: 'active' as const,
    amount: 1900,
    refunded: 0,
    currency: 'usd' as const,
    createdAt: new Date('2026-01-01'),
  }))
  const batches = Array.from({ length: count / 200 }, (_, n) => orders.slice(n * 200, n * 200 + 200))
  const whose = { userId: null, stripeCustomerId: 'cus_bench' }
  const wal = async (work: () => Promise<unknown>) => {
    const place = async () => (await sql<{ at: string }[]>`select pg_current_wal_insert_lsn() as at`)[0]?.at ?? ''
    const from = await place()
    await work()
    const [row] = await sql<
      { bytes: string }[]
    >`select pg_wal_lsn_diff(${await place()}::pg_lsn, ${from}::pg_lsn) as bytes`
    return Number(row?.bytes) / count
  }
  for (const batch of batches) await upsertOrders(db, everyoneScope(), whose, batch)
  await sql`checkpoint`
  const before = await wal(async () => await sql`update subscription_orders set refunded = refunded`)
  await sql`vacuum analyze subscription_orders`
  await sql`checkpoint`
  const now = await wal(async () => {
    for (const batch of batches) await upsertOrders(db, everyoneScope(), whose, batch)
  })
  return `WAL of an unchanged order at night: ${before.toFixed(0)} bytes before, ${now.toFixed(0)} now (the row is locked for the moment)`
}

/** Disconnects an account with years of posts. */
async function disconnectWithOldPosts({ db, sql }: DbClient): Promise<string> {
  const count = 5000
  const [artist] = await sql<{ id: string }[]>`select id from users limit 1`
  const owner = ownerScope(artist?.id ?? '')
  const [account] = await sql<{ id: string }[]>`
    insert into social_accounts (id, user_id, platform, provider_user_id, provider_name, access_token, scopes, refreshed_at, connected_at)
    values (gen_random_uuid(), ${owner}, 'instagram', '1', 'Ink', '', '', now(), now()) returning id`
  const place = { accountId: account?.id ?? '' }
  await sql`update posts set user_id = ${owner} where id in (select post_id from post_targets where phase = 'posted' limit ${count})`
  await sql`update post_targets set user_id = ${owner}, account_id = ${place.accountId} where phase = 'posted' and page_id = 'page-0' and post_id in (select id from posts where user_id = ${owner})`
  await sql`vacuum analyze posts, post_targets`
  const rows = await sql<
    { id: string }[]
  >`select post_id as id from post_targets where account_id = ${place.accountId} order by 1`
  const rollback = new Error('rollback')
  const inRolledBackTransaction = async (
    work: (tx: Parameters<Parameters<typeof db.transaction>[0]>[0]) => Promise<unknown>,
  ) => {
    await db
      .transaction(async (tx) => {
        await work(tx)
        throw rollback
      })
      .catch((error: unknown) => {
        if (error !== rollback) throw error
      })
  }
  const before = await medianOf(
    1,
    async () =>
      await inRolledBackTransaction(async (tx) => {
        for (const { id } of rows) {
          await lockPost(tx, owner, id)
          await tx.execute(
            `update post_targets set title = '', message = '', permalink = null, updated_at = now() where post_id = '${id}' and account_id = '${place.accountId}'`,
          )
          await listTargets(tx, owner, [id])
        }
      }),
  )
  const request = await medianOf(
    5,
    async () =>
      await inRolledBackTransaction(async (tx) => await stripFinal(tx, owner, place, new Date(), new Date(), 200)),
  )
  const batch = await medianOf(
    5,
    async () =>
      await inRolledBackTransaction(async (tx) => await stripFinal(tx, owner, place, new Date(), new Date(), 500)),
  )
  return `one transaction of disconnecting an account with ${rows.length.toLocaleString('en')} former posts: ${ms(before)} before; now ${ms(request)} in the request, ${ms(batch)} for each batch of the job`
}
