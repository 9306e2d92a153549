import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { connect, sqlState, type Db, type DbClient, type Tx } from '../../db/client.ts'
import { mayRunAgain, retryOnDeadlock } from '../../db/retry-on-deadlock.ts'
import { assertNoConnectionHeld, onConnectionHeld } from './connection-held-guard.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url)
})
// Restores the default for other test files of this process.
afterEach(() =>
  onConnectionHeld((held) => {
    throw held
  }),
)
afterAll(async () => {
  await client?.close()
  await database?.drop()
})

type Begin = <T>(db: Db, inside: (tx: Tx) => Promise<T>) => Promise<T>
const plain: Begin = async (db, inside) => await db.transaction(inside)

/** Runs two transactions that wait for each other. */
async function runDeadlock(begin: Begin) {
  const { db } = client
  await db.execute(sql`drop table if exists pairs`)
  await db.execute(sql`create table pairs (id int primary key, n int not null default 0)`)
  await db.execute(sql`insert into pairs (id) values (1), (2)`)
  let arrived = 0
  const both = Promise.withResolvers<void>()
  const started: number[] = []
  const add = async (first: number, second: number) =>
    await begin(db, async (tx) => {
      started.push(first)
      await tx.execute(sql`update pairs set n = n + 1 where id = ${first}`)
      arrived += 1
      if (arrived === 2) both.resolve()
      await both.promise
      await tx.execute(sql`update pairs set n = n + 1 where id = ${second}`)
    })
  const ends = await Promise.allSettled([add(1, 2), add(2, 1)])
  const rows = await db.execute<{ n: number }>(sql`select n from pairs order by id`)
  return { started, failures: ends.filter((end) => end.status === 'rejected'), counts: rows.map(({ n }) => n) }
}

test('commits both of two deadlocked transactions that may be retried, each once', async () => {
  const { started, failures, counts } = await runDeadlock(retryOnDeadlock)
  expect([failures, counts]).toEqual([[], [2, 2]])
  // Postgres rolled one of them back, which was then retried.
  expect(started.length).toBeGreaterThan(2)
})

test('does not retry a deadlocked transaction that is not marked as safe', async () => {
  const { started, failures, counts } = await runDeadlock(plain)
  expect(started).toHaveLength(2)
  expect(failures.map(({ reason }) => sqlState(reason))).toEqual(['40P01'])
  expect(counts).toEqual([1, 1])
})

test('always refuses calls to outside services in a transaction that may be retried', async () => {
  const held: Error[] = []
  onConnectionHeld((error) => void held.push(error))
  const asking = async () => await Promise.resolve(assertNoConnectionHeld('Stripe'))
  const nested = async (tx: Tx) => await tx.transaction(asking)
  for (const inside of [asking, nested, async () => await client.db.transaction(asking)])
    await expect(retryOnDeadlock(client.db, inside)).rejects.toThrow(
      'Stripe was called while a database connection was held',
    )
  expect(held).toEqual([])
  // In a plain transaction a call is reported, and after a transaction it is allowed.
  await client.db.transaction(asking)
  expect(held).toHaveLength(1)
  await retryOnDeadlock(client.db, async () => await Promise.resolve())
  await asking()
  expect(held).toHaveLength(1)
})

test('does not retry any other failure', async () => {
  let started = 0
  const failing = retryOnDeadlock(client.db, async (tx) => {
    started += 1
    await tx.execute(sql`select 1 / 0`)
  })
  await expect(failing).rejects.toThrow()
  expect(started).toBe(1)
})

test('gives up after four deadlocks of one transaction', async () => {
  let started = 0
  const failing = retryOnDeadlock(client.db, async (tx) => {
    started += 1
    await tx.execute(sql`do $$ begin raise sqlstate '40P01'; end $$`)
  })
  await expect(failing).rejects.toThrow()
  expect(started).toBe(4)
})

test('allows calls to outside services to what a transaction has left running, once it has ended', async () => {
  const ended = Promise.withResolvers<void>()
  let later: Promise<void> | undefined
  await retryOnDeadlock(client.db, async () => {
    later = ended.promise.then(() => expect(mayRunAgain()).toBe(false))
    expect(mayRunAgain()).toBe(true)
    await Promise.resolve()
  })
  ended.resolve()
  await later
})
