import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from './testing/database.ts'
import { connect, type DbClient } from '../db/client.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url, 1)
})
afterAll(async () => {
  await client?.close()
  await database?.drop()
})

/** Foreign keys that need no index, with the reason. */
const withoutIndex: Record<string, string> = {}

/** Foreign keys without an index that begins with their columns and contains all rows with a value. */
async function unindexed(): Promise<string[]> {
  const rows = await client.db.execute(sql`
    select c.conrelid::regclass || '.' || (select string_agg(a.attname, ',' order by k.at) from unnest(c.conkey) with ordinality k (num, at) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.num) as key
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace
    where c.contype = 'f' and n.nspname = 'public' and not exists (
      select from pg_index i where i.indrelid = c.conrelid and i.indisvalid and (
        -- Begins with the key's columns, in whatever order.
        ((string_to_array(i.indkey::text, ' ')::int2[])[1:cardinality(c.conkey)] @> c.conkey
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (select format('(%I IS NOT NULL)', a.attname) from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any (c.conkey))))
        -- Or finds a single row by some of them.
        or (i.indisunique and i.indpred is null and c.conkey @> string_to_array(i.indkey::text, ' ')::int2[])
      ))
    order by 1`)
  return rows.map((row) => String(row['key']))
}

test('each foreign key has an index that begins with it, or is listed as needing none', async () => {
  expect(await unindexed(), 'a deletion in the referenced table reads all of these tables').toEqual(
    Object.keys(withoutIndex).toSorted(),
  )
})

test('detects a foreign key without an index', async () => {
  await client.sql`create table holds_a_post (id int primary key, post_id uuid references posts (id), unique (id, post_id))`
  expect(await unindexed()).toContain('holds_a_post.post_id')
  await client.sql`create index on holds_a_post (post_id) where post_id is not null`
  expect(await unindexed()).not.toContain('holds_a_post.post_id')
})
