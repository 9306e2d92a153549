import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { connect, sqlState, type Db, type DbClient, type Tx } from '../../db/client.ts'
import { retryOnDeadlock } from '../../db/retry-on-deadlock.ts'
import { assertNoConnectionHeld, onConnectionHeld } from './outside.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url)
})
// Other files of this process are to hear of it as before.
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

/** Two transactions that wait for each other. */
async function waitForEachOther(begin: Begin) {
  const { db } = client
  await db.execute(sql`drop table if exists pairs`)
  await db.execute(sql`create table pairs (id int primary key, n int not null default 0)`)
  await db.execute(sql`insert into pairs (id) values (1), (2)`)
  let arrived = 0
  let goOn = () => {}
  const both = new Promise<void>((resolve) => (goOn = resolve))
  const begun: number[] = []
  const add = async (first: number, second: number) =>
    await begin(db, async (tx) => {
      begun.push(first)
      await tx.execute(sql`update pairs set n = n + 1 where id = ${first}`)
      arrived += 1
      if (arrived === 2) goOn()
      await both
      await tx.execute(sql`update pairs set n = n + 1 where id = ${second}`)
    })
  const ends = await Promise.allSettled([add(1, 2), add(2, 1)])
  const rows = await db.execute<{ n: number }>(sql`select n from pairs order by id`)
  return { begun, failures: ends.filter((end) => end.status === 'rejected'), counts: rows.map(({ n }) => n) }
}

test('of two transactions that wait for each other and may be begun again both are done, each once', async () => {
  const { begun, failures, counts } = await waitForEachOther(retryOnDeadlock)
  expect([failures, counts]).toEqual([[], [2, 2]])
  // One of the two was undone by Postgres and begun again.
  expect(begun.length).toBeGreaterThan(2)
})

test('a transaction whose caller does not say that it is safe is not begun again', async () => {
  const { begun, failures, counts } = await waitForEachOther(plain)
  expect(begun).toHaveLength(2)
  expect(failures.map(({ reason }) => sqlState(reason))).toEqual(['40P01'])
  expect(counts).toEqual([1, 1])
})

test('another service is never asked in a transaction that may be begun again, whatever is done about other breaches', async () => {
  const held: Error[] = []
  onConnectionHeld((error) => void held.push(error))
  const asking = async () => await Promise.resolve(assertNoConnectionHeld('Stripe'))
  const nested = async (tx: Tx) => await tx.transaction(asking)
  for (const inside of [asking, nested, async () => await client.db.transaction(asking)])
    await expect(retryOnDeadlock(client.db, inside)).rejects.toThrow(
      'Stripe was called while a database connection was held',
    )
  expect(held).toEqual([])
  // A plain transaction is reported, and one that is over is none.
  await client.db.transaction(asking)
  expect(held).toHaveLength(1)
  await retryOnDeadlock(client.db, async () => await Promise.resolve())
  await asking()
  expect(held).toHaveLength(1)
})

test('any other failure is not tried again', async () => {
  let begun = 0
  const failing = retryOnDeadlock(client.db, async (tx) => {
    begun += 1
    await tx.execute(sql`select 1 / 0`)
  })
  await expect(failing).rejects.toThrow()
  expect(begun).toBe(1)
})
