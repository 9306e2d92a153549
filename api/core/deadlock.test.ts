import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { connect, type DbClient } from '../../db/client.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url)
})
afterAll(async () => {
  await client?.close()
  await database?.drop()
})

test('of two transactions that wait for each other both are done, each once', async () => {
  const { db } = client
  await db.execute(sql`create table pairs (id int primary key, n int not null default 0)`)
  await db.execute(sql`insert into pairs (id) values (1), (2)`)
  let arrived = 0
  let goOn = () => {}
  const both = new Promise<void>((resolve) => (goOn = resolve))
  const begun: number[] = []
  const add = async (first: number, second: number) =>
    await db.transaction(async (tx) => {
      begun.push(first)
      await tx.execute(sql`update pairs set n = n + 1 where id = ${first}`)
      arrived += 1
      if (arrived === 2) goOn()
      await both
      await tx.execute(sql`update pairs set n = n + 1 where id = ${second}`)
    })
  await Promise.all([add(1, 2), add(2, 1)])
  const rows = await db.execute(sql`select n from pairs order by id`)
  expect([...rows]).toEqual([{ n: 2 }, { n: 2 }])
  // One of the two was undone by Postgres and begun again.
  expect(begun.length).toBeGreaterThan(2)
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
