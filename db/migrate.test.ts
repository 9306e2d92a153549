import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import type postgres from 'postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import { sqlState } from './client.ts'
import { requestTimeouts, noTimeouts, openConnections, type ConnectionTimeouts } from './connection.ts'
import { migrateUp } from './migrate.ts'

/** An empty database for one test. */
async function emptyDatabase(options = ''): Promise<{
  url: string
  open: (timeouts?: ConnectionTimeouts, max?: number) => postgres.Sql
}> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = openConnections(inject('adminUrl'), { name: 'test', max: 1, timeouts: noTimeouts })
  await admin.unsafe(`create database ${name} ${options}`)
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  onTestFinished(async () => {
    await admin`drop database ${admin(name)} with (force)`
    await admin.end()
  })
  const open = (timeouts = noTimeouts, max = 1) => {
    const sql = openConnections(url.toString(), { name: 'test', max, timeouts })
    onTestFinished(async () => await sql.end({ timeout: 1 }))
    return sql
  }
  return { url: url.toString(), open }
}

/** A folder of migrations in drizzle-kit's format. */
function folderOf(...migrations: string[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  fs.mkdirSync(path.join(folder, 'meta'))
  const entries = migrations.map((text, idx) => {
    const tag = `${String(idx).padStart(4, '0')}_step`
    fs.writeFileSync(path.join(folder, `${tag}.sql`), text)
    return { idx, version: '7', when: 1_700_000_000_000 + idx, tag, breakpoints: true }
  })
  fs.writeFileSync(
    path.join(folder, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  )
  return folder
}

const people =
  "CREATE TABLE people (id int PRIMARY KEY, name text NOT NULL);--> statement-breakpoint\nINSERT INTO people VALUES (1, 'Ada'), (2, 'Ada');"
const nick = 'ALTER TABLE people ADD COLUMN nick text;'
const doneIn = async (sql: postgres.Sql) =>
  (await sql<{ created_at: string }[]>`select created_at from drizzle.__drizzle_migrations order by id`).map(
    (row) => Number(row.created_at) - 1_700_000_000_000,
  )

test('refuses a new database that is not UTF-8, and says how to create it', async () => {
  const { url } = await emptyDatabase("encoding 'SQL_ASCII' locale 'C' locale_provider libc template template0")
  await expect(migrateUp(url)).rejects.toThrow(/SQL_ASCII.*create database .* encoding 'UTF8' template template0;/)
})

test('refuses a role that may not create tables and extensions, and says how to change that', async () => {
  const { url, open } = await emptyDatabase()
  const role = `role_${randomBytes(6).toString('hex')}`
  const sql = open()
  await sql.unsafe(`create role ${role} login password 'ink'`)
  const asRole = new URL(url)
  asRole.username = role
  asRole.password = 'ink'
  try {
    const database = asRole.pathname.slice(1)
    for (const right of [`create on database ${database}`, 'create on schema public']) {
      await sql.unsafe(`grant ${right} to ${role}`)
      await expect(migrateUp(asRole.href)).rejects.toThrow(`owner to "${role}";`)
      await sql.unsafe(`revoke ${right} from ${role}`)
    }
    await sql.unsafe(`alter database ${database} owner to ${role}`)
    await migrateUp(asRole.href)
  } finally {
    await sql.unsafe(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`)
  }
})

test('rolls back a failed migration without recording it; earlier ones stay applied', async () => {
  const { url, open } = await emptyDatabase()
  await expect(
    migrateUp(url, { folder: folderOf(people, `${nick}--> statement-breakpoint\nSELECT 1 / 0;`) }),
  ).rejects.toThrow('division by zero')
  const sql = open()
  expect(await doneIn(sql)).toEqual([0])
  expect((await sql`select * from people`).columns.map(({ name }) => name)).toEqual(['id', 'name'])
})

test('a database that Drizzle migrated continues from there, and Drizzle finds nothing left to do', async () => {
  const { url, open } = await emptyDatabase()
  const sql = open()
  await migrate(drizzle(sql), { migrationsFolder: folderOf(people) })
  const folder = folderOf(people, nick)
  await migrateUp(url, { folder })
  await migrate(drizzle(sql), { migrationsFolder: folder })
  expect(await doneIn(sql)).toEqual([0, 1])
})

test('processes that start concurrently run each migration once', async () => {
  const { url, open } = await emptyDatabase()
  const folder = folderOf(
    people,
    nick,
    '-- outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS people_name ON people (name);',
  )
  await Promise.all(Array.from({ length: 4 }, async () => await migrateUp(url, { folder })))
  expect(await doneIn(open())).toEqual([0, 1, 2])
})

test.each([
  ['a migration', nick],
  ['a step outside a transaction', '-- outside a transaction\nALTER TABLE people ADD COLUMN IF NOT EXISTS nick text;'],
])(
  'while %s waits for a table with a long read, others continue; it succeeds when the read ends',
  async (_what, step) => {
    const { url, open } = await emptyDatabase()
    await migrateUp(url, { folder: folderOf(people) })
    const reader = open()
    const others = open(requestTimeouts, 2)
    let endReading = () => {}
    const isReading = Promise.withResolvers<void>()
    const reading = reader.begin(async (tx) => {
      await tx`select * from people`
      isReading.resolve()
      await new Promise<void>((resolve) => (endReading = resolve))
    })
    await isReading.promise

    let waitCount = 0
    const hasWaitedTwice = Promise.withResolvers<void>()
    const migrated = migrateUp(url, {
      folder: folderOf(people, step),
      onWait: () => (waitCount += 1) === 2 && hasWaitedTwice.resolve(),
    })
    // Reads run from before the first attempt until its second timeout; the driver's timeout would come after four seconds.
    let answered = 0
    const reads = (async () => {
      while (waitCount < 2) {
        await others`select name from people where id = 1`
        answered += 1
      }
    })()
    await Promise.all([hasWaitedTwice.promise, reads])
    expect(answered).toBeGreaterThan(0)
    expect(await doneIn(others)).toEqual([0])

    endReading()
    await Promise.all([reading, migrated])
    expect(await doneIn(others)).toEqual([0, 1])
    await others`select nick from people`
  },
)

/** The migrations of the product before this one. */
function productBefore(tag: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  fs.cpSync(path.join(import.meta.dirname, 'migrations'), folder, { recursive: true })
  const file = path.join(folder, 'meta/_journal.json')
  const journal = JSON.parse(fs.readFileSync(file, 'utf8')) as { entries: { tag: string }[] }
  const until = journal.entries.findIndex((entry) => entry.tag === tag)
  fs.writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, until) }))
  return folder
}

test('refuses to migrate a database with orders in another currency, before anything is changed, until they are moved away', async () => {
  const { url, open } = await emptyDatabase()
  await migrateUp(url, { folder: productBefore('0039_words') })
  const sql = open()
  await sql`insert into users (id, name, email, time_zone, created_at, updated_at) values (gen_random_uuid(), 'Ada', 'ada@coins.example', 'UTC', now(), now())`
  for (const currency of ['eur', 'usd'])
    await sql`insert into subscription_orders (id, user_id, stripe_object_id, plan, action, status, currency, amount, created_at)
      select gen_random_uuid(), id, ${`in_${currency}`}, 'social-line-work', 'created', 'active', ${currency}, 100, now() from users`
  const before = await sql`select * from drizzle.__drizzle_migrations`
  await expect(migrateUp(url)).rejects.toThrow(
    /^This release keeps orders in US dollars only, and the database has others: 1 in "eur"\. Nothing has been changed\. .*docs\/operating\.md/,
  )
  expect(await sql`select * from drizzle.__drizzle_migrations`).toEqual(before)
  await sql`create table orders_put_aside as select * from subscription_orders where currency <> 'usd'`
  await sql`delete from subscription_orders where currency <> 'usd'`
  await migrateUp(url)
  expect((await sql`select currency from subscription_orders`).map((row) => row['currency'])).toEqual(['usd'])
})

test('an index whose build was interrupted is built again', async () => {
  const { url, open } = await emptyDatabase()
  const folder = folderOf(
    people,
    '-- outside a transaction\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS people_name ON people (name);',
  )
  await migrateUp(url, { folder }).catch((error: unknown) => expect(sqlState(error)).toBe('23505'))
  const sql = open()
  const isValid = async () =>
    (await sql`select indisvalid from pg_index where indexrelid = 'people_name'::regclass`)[0]?.[
      'indisvalid'
    ] as boolean
  expect(await isValid()).toBe(false)
  await sql`update people set name = 'Bea' where id = 2`
  await migrateUp(url, { folder })
  expect(await isValid()).toBe(true)
  expect(await doneIn(sql)).toEqual([0, 1])
})

test('trigger functions find their tables with any search_path, as in a restore', async () => {
  const { url, open } = await emptyDatabase()
  await migrateUp(url)
  const sql = open()
  const loose = await sql`
    select proname from pg_proc p join pg_language l on l.oid = p.prolang
    where pronamespace = 'public'::regnamespace and lanname in ('plpgsql', 'sql')
      and not exists (select 1 from unnest(proconfig) setting where setting like 'search_path=%')`
  expect(loose).toEqual([])
  await sql`set search_path = ''`
  const id = '0190a000-0000-7000-8000-000000000001'
  await sql`insert into public.users (id, name, email, password_hash, time_zone, created_at, updated_at) values (${id}, 'Ada', 'ada@studio.example', 'x', 'Europe/Berlin', now(), now())`
  await sql`insert into public.media_items (id, user_id, kind, file_name, mime_type, bytes, width, height, original_key, thumbnail_key, created_at)
    values (${id}, ${id}, 'image', 'a.jpg', 'image/jpeg', 7, 1, 1, 'a', 'a', now())`
  await sql`update public.users set is_active = false`
  expect(await sql`select is_active, sum(users)::int as users from public.user_tallies group by 1 order by 1`).toEqual([
    { is_active: false, users: 1 },
    { is_active: true, users: 0 },
  ])
  expect(await sql`select kind, bytes::int from public.media_tallies`).toEqual([{ kind: 'image', bytes: 7 }])
  await sql`delete from public.users`
  expect(await sql`select sum(users)::int as users from public.user_tallies`).toEqual([{ users: 0 }])
})
