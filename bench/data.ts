import { connect, type DbClient } from '@flashsheet/db/client'
import { noTimeouts } from '@flashsheet/db/connection'
import { deleteOldMails, listUnsentMails } from '@flashsheet/db/outbox'
import { everyoneScope, ownerScope } from '../api/core/scope.ts'
import { thumbnailsOfPosts } from '../api/features/media/queries/items.ts'
import { countOutcomes } from '../api/features/admin/queries/system.ts'
import { listOverdueTargets } from '../api/features/posts/queries/leases.ts'
import { listNotStartedPosts } from '../api/features/posts/queries/targets.ts'
import { insertManyRows } from '../api/testing/many-rows.ts'
import { planOf, statementsOf } from '../api/testing/plans.ts'
import { median, withPostgres } from './with-product.ts'

const rows = Number(process.env['BENCH_ROWS'] ?? 1_000_000)
const times = 15
const day = 86_400_000
const ago = (ms: number) => new Date(Date.now() - ms)

/** The statement to measure, and the indexes it is measured without. */
type Case = { what: string; without: readonly string[]; work: (client: DbClient) => Promise<unknown> }

/** The median duration of `runs` runs, in milliseconds. */
async function medianOf(runs: number, work: () => Promise<unknown>): Promise<number> {
  const durationsMs: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now()
    await work()
    durationsMs.push(performance.now() - startedAt)
  }
  return median(durationsMs)
}

/** Deletes fifty items of one artist and rolls back. */
async function deleteItems({ sql }: DbClient): Promise<void> {
  const rollback = new Error('rollback')
  await sql
    .begin(async (tx) => {
      await tx.unsafe('delete from media_items where id in (select id from media_items order by id limit 50)')
      throw rollback
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error
    })
}

const cases: Case[] = [
  {
    what: 'thumbnails of a removed picture',
    without: ['post_media_thumbnail'],
    work: async ({ db }) =>
      await thumbnailsOfPosts(db, everyoneScope(), ['media/old-7/thumbnail-0.webp', 'media/none/thumbnail-1.webp']),
  },
  { what: 'deleting 50 items', without: ['uploads_item'], work: deleteItems },
  {
    what: 'overdue targets',
    without: ['post_targets_open'],
    work: async ({ db }) => await listOverdueTargets(db, everyoneScope(), ago(10_000), ago(day), 500),
  },
  {
    what: 'counts of posted and failed targets of three days',
    without: ['post_targets_posted_on', 'post_targets_failed_at'],
    work: async ({ db }) => await countOutcomes(db, everyoneScope(), ago(3 * day)),
  },
  {
    what: 'not started posts of one artist',
    without: ['post_targets_open_user', 'post_targets_user'],
    work: async ({ db }) =>
      await listNotStartedPosts(
        db,
        ownerScope('018f0000-0000-7000-8000-000000000001'),
        { accountId: '018f0000-0000-7000-8000-000000000002' },
        new Date(),
        20,
      ),
  },
  {
    what: 'unsent mails of three days',
    without: ['mails_unsent', 'mails_by_age'],
    work: async ({ db }) => await listUnsentMails(db, { from: ago(3 * day), to: ago(day / 24) }, 5000),
  },
  {
    what: 'deleting mails older than any',
    without: ['mails_by_age'],
    work: async ({ db }) => await deleteOldMails(db, ago(5000 * day)),
  },
]

/** Drops indexes and returns their definitions. */
async function dropIndexes({ sql }: DbClient, names: readonly string[]): Promise<string[]> {
  const indexes = await sql<
    { indexdef: string }[]
  >`select indexdef from pg_indexes where indexname in ${sql(names as string[])}`
  for (const name of names) await sql.unsafe(`drop index ${name}`)
  return indexes.map((one) => one.indexdef)
}

/** Bytes per row on disk, in the table and in its indexes. */
async function printSizes({ sql }: DbClient): Promise<void> {
  await sql.unsafe('vacuum analyze')
  const tables = await sql<{ name: string; rows: number; heap: string; indexes: string }[]>`
    select relname as name, reltuples::int as rows, pg_table_size(oid) as heap, pg_indexes_size(oid) as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= 1000 order by relname`
  console.log('\nbytes a row, in the table · in its indexes')
  for (const { name, rows: count, heap, indexes } of tables)
    console.log(
      `${name}: ${Math.round(Number(heap) / count)} · ${Math.round(Number(indexes) / count)} (${count.toLocaleString('en')} rows)`,
    )
}

/** The cost of statements over all users with a million rows, with their indexes and without. */
export async function run(): Promise<void> {
  await withPostgres(
    async (url) => {
      const client = connect(url, 2, noTimeouts)
      await insertManyRows(client, {
        artists: Math.max(10, Math.round(rows / 1000)),
        items: Math.round(rows / 5),
        posts: Math.round(rows / 2),
        mails: Math.round(rows / 5),
      })
      console.log(
        `${rows.toLocaleString('en')} targets and pictures of posts, a fifth as many items, uploads and mails; median of ${times}\n`,
      )
      for (const one of cases) {
        const statement = (await statementsOf(client, async () => await one.work(client))).find(({ query }) =>
          /^(?:select|update|delete)/i.test(query),
        )
        const plan = statement && (await planOf(client, statement))
        const indexed = await medianOf(times, async () => await one.work(client))
        const definitions = await dropIndexes(client, one.without)
        const unindexed = await medianOf(times, async () => await one.work(client))
        for (const definition of definitions) await client.sql.unsafe(definition)
        console.log(
          `${one.what}: ${unindexed.toFixed(2)} ms without the index, ${indexed.toFixed(2)} ms with it${plan ? ` (${plan.indexes.join(', ') || `reads all of ${plan.scanned.join(', ')}`})` : ''}`,
        )
      }
      await printSizes(client)
      await client.close()
    },
    { durable: false },
  )
}
