import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type postgres from 'postgres'
import { findMigrationProblem } from './migration-preconditions.ts'
import { sqlState } from './client.ts'
import { noTimeouts, openConnections } from './connection.ts'

const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))
/** Any constant: all processes that migrate one database must use the same. */
const migrationLock = 7_318_201
/** A migration that waits for a table lock blocks all statements queued behind it, so it waits less than a request may. */
const lockMs = 1000
/** The delay between two attempts, in which other statements run. */
const firstPauseMs = 500
const maxPauseMs = 10_000
/** After this long without a lock the migration fails, so that staff intervene. */
const giveUpMs = 30 * 60_000
/** A file with this header runs statement by statement: CREATE INDEX CONCURRENTLY cannot be in a transaction. */
const outsideTransactionHeader = /^-- outside a transaction\b/

export type Migration = { tag: string; when: number; hash: string; statements: string[]; inTransaction: boolean }

/** The migrations of a folder in order, in drizzle-kit's format. */
export function readMigrations(folder: string = migrationsFolder): Migration[] {
  const journal = JSON.parse(fs.readFileSync(path.join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string; when: number }[]
  }
  return journal.entries.map(({ tag, when }) => {
    const text = fs.readFileSync(path.join(folder, `${tag}.sql`), 'utf8')
    const statements = text
      .split('--> statement-breakpoint')
      .filter((statement) => statement.replaceAll(/--[^\n]*/g, '').trim() !== '')
    return {
      tag,
      when,
      hash: createHash('sha256').update(text).digest('hex'),
      statements,
      inTransaction: !outsideTransactionHeader.test(text),
    }
  })
}

export type MigrateOptions = {
  folder?: string
  /** Called with a sentence each time a migration has to wait for a table lock. */
  onWait?: (text: string) => void
}

/**
 * Migrates a database to the newest version; safe while others use it and when several processes start at once. Each file
 * is one transaction, except files with `outsideTransactionHeader`. A file that does not get a table lock within a second
 * is rolled back and retried. Applied migrations are recorded in Drizzle's table. Throws when a migration fails or gets no
 * lock for half an hour, and, before anything is changed, when existing rows prevent a migration.
 */
export async function migrateUp(url: string, { folder, onWait = () => {} }: MigrateOptions = {}): Promise<void> {
  const migrations = readMigrations(folder)
  const sql = openConnections(url, { name: 'migrate', max: 1, timeouts: noTimeouts, isLongLived: true })
  try {
    const done = await readDone(sql)
    const pending = migrations.filter(({ when }) => !done.has(when))
    const problem = await findMigrationProblem(
      sql,
      pending.map(({ tag }) => tag),
    )
    if (problem !== undefined) throw new Error(problem)
    // The lock is taken only for pending migrations, so a process on an up-to-date database never waits.
    for (const migration of pending) await withMigrationLock(sql, async () => await apply(sql, migration, onWait))
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** The applied migrations, by their creation time. */
async function readDone(sql: postgres.Sql): Promise<Set<number>> {
  const [table] = await sql`select 1 from pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations'`
  if (!table) return new Set()
  const rows = await sql<{ created_at: string }[]>`select created_at from drizzle.__drizzle_migrations`
  return new Set(rows.map((row) => Number(row.created_at)))
}

/** One process migrates at a time. The others poll: a blocked statement would block CREATE INDEX CONCURRENTLY too. */
async function withMigrationLock(sql: postgres.Sql, work: () => Promise<void>): Promise<void> {
  for (;;) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${migrationLock}) as taken`
    if (row?.taken) break
    await sleep(200 + Math.random() * 100)
  }
  try {
    await work()
  } finally {
    await sql`select pg_advisory_unlock(${migrationLock})`
  }
}

async function apply(sql: postgres.Sql, migration: Migration, onWait: (text: string) => void): Promise<void> {
  await sql`create schema if not exists drizzle`
  await sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`
  // Another process may have applied it while this one waited for the lock.
  if ((await readDone(sql)).has(migration.when)) return
  const record = async (tx: postgres.ISql) =>
    void (await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${migration.hash}, ${migration.when})`)
  if (!migration.inTransaction) {
    for (const statement of migration.statements)
      await retryForLocks(async () => await runOutsideTransaction(sql, statement), migration.tag, onWait)
    return await record(sql)
  }
  const runInTransaction = async () =>
    await sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${`${lockMs}ms`}, true)`
      for (const statement of migration.statements) await tx.unsafe(statement)
      await record(tx)
    })
  await retryForLocks(runInTransaction, migration.tag, onWait)
}

/** Retries while a table is in use: 55P03 is a lock timeout, 40P01 a deadlock. */
async function retryForLocks(work: () => Promise<unknown>, tag: string, onWait: (text: string) => void): Promise<void> {
  const startedAt = performance.now()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      await work()
      return
    } catch (error) {
      const isInUse = ['55P03', '40P01'].includes(sqlState(error) ?? '')
      if (!isInUse || performance.now() - startedAt > giveUpMs) throw error
      onWait(`Migration ${tag} waits for a table that another transaction has locked`)
      await sleep(pauseMs * (0.5 + Math.random() / 2))
    }
  }
}

/** The statement may have run before: an interrupted CREATE INDEX CONCURRENTLY has left an invalid index. */
async function runOutsideTransaction(sql: postgres.Sql, statement: string): Promise<void> {
  const [, index] =
    /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+"?(\w+)"?/i.exec(statement) ?? []
  if (index !== undefined) {
    const invalid =
      await sql`select 1 from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname = ${index} and not i.indisvalid`
    if (invalid.length > 0) await sql.unsafe(`drop index concurrently if exists "${index}"`)
  }
  // A concurrent index build blocks nobody, but waits for every running transaction.
  const isConcurrent = /\bconcurrently\b/i.test(statement)
  await sql`select set_config('lock_timeout', ${isConcurrent ? '0' : `${lockMs}ms`}, false)`
  await sql.unsafe(statement)
}
