import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { connect, sqlState, type DbClient } from '../../db/client.ts'
import { askingOutside, onConnectionHeld } from './outside.ts'

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

/** Two transactions that wait for each other. `asking`: each first asks another service. */
async function waitForEachOther(asking: () => void | Promise<void>) {
  const { db } = client
  await db.execute(sql`drop table if exists pairs`)
  await db.execute(sql`create table pairs (id int primary key, n int not null default 0)`)
  await db.execute(sql`insert into pairs (id) values (1), (2)`)
  let arrived = 0
  let goOn = () => {}
  const both = new Promise<void>((resolve) => (goOn = resolve))
  const begun: number[] = []
  const add = async (first: number, second: number) =>
    await db.transaction(async (tx) => {
      begun.push(first)
      await asking()
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

test('of two transactions that wait for each other both are done, each once', async () => {
  const { begun, failures, counts } = await waitForEachOther(() => {})
  expect([failures, counts]).toEqual([[], [2, 2]])
  // One of the two was undone by Postgres and begun again.
  expect(begun.length).toBeGreaterThan(2)
})

test('a transaction that asked another service is not begun again', async () => {
  const held: Error[] = []
  onConnectionHeld((error) => void held.push(error))
  const { begun, failures, counts } = await waitForEachOther(() => askingOutside('Stripe'))
  expect(begun).toHaveLength(2)
  expect(held).toHaveLength(2)
  expect(failures.map(({ reason }) => sqlState(reason))).toEqual(['40P01'])
  expect(counts).toEqual([1, 1])
})

test('nor is one around the one that asked', async () => {
  onConnectionHeld(() => {})
  const { begun, failures } = await waitForEachOther(
    async () => await client.db.transaction(async () => await Promise.resolve(askingOutside('Stripe'))),
  )
  expect(begun).toHaveLength(2)
  expect(failures).toHaveLength(1)
})

test('any other failure is not tried again', async () => {
  let begun = 0
  const failing = client.db.transaction(async (tx) => {
    begun += 1
    await tx.execute(sql`select 1 / 0`)
  })
  await expect(failing).rejects.toThrow()
  expect(begun).toBe(1)
})
