import { eq, inArray, sql } from 'drizzle-orm'
import { bigint, boolean, date, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect, type DbClient, type Tx } from './client.ts'
import { preparedRead, preparedStatement, idList, isAmong } from './prepared-statements.ts'

const things = pgTable('things', {
  id: uuid().primaryKey(),
  owner: text().notNull(),
  at: timestamp({ withTimezone: true }),
  day: date(),
  sure: boolean(),
  count: integer(),
  bytes: bigint({ mode: 'number' }),
  facts: jsonb().$type<{ a: number[] }>(),
})
const columns = {
  id: things.id,
  at: things.at,
  day: things.day,
  sure: things.sure,
  count: things.count,
  bytes: things.bytes,
  facts: things.facts,
  twice: sql<number>`${things.bytes} * 2`.mapWith(Number),
}

let client: DbClient
const ids = [randomUUID(), randomUUID(), randomUUID()] as const
beforeAll(async () => {
  // One connection, because a temporary table belongs to it.
  client = connect(inject('adminUrl'), 1)
  await client.db.execute(
    sql`create temporary table things (id uuid primary key, owner text not null, at timestamptz, day date, sure boolean, count int, bytes bigint, facts jsonb)`,
  )
  await client.db.insert(things).values([
    {
      id: ids[0],
      owner: 'ada',
      at: new Date('2026-11-22T03:04:05.678Z'),
      day: '2026-11-22',
      sure: true,
      count: 3,
      bytes: 5_000_000_000,
      facts: { a: [1, 2] },
    },
    { id: ids[1], owner: 'ada' },
    { id: ids[2], owner: 'ben', sure: false, count: 0 },
  ])
})
afterAll(async () => await client?.close())

const ofOwner = preparedRead(columns, ['owner', 'limit'], (select, { owner, limit }) =>
  select.from(things).where(eq(things.owner, owner)).orderBy(things.count).limit(limit),
)
const among = preparedRead({ id: things.id, owner: things.owner }, ['ids'], (select, values) =>
  select.from(things).where(isAmong(things.id, values.ids)).orderBy(things.id),
)

test('a missing value is an error', async () => {
  await expect(ofOwner(client.db, { owner: 'ada' } as unknown as { owner: string; limit: number })).rejects.toThrow(
    'limit',
  )
})

test("rows equal the query builder's: every type, null, and expressions", async () => {
  const plain = await client.db
    .select(columns)
    .from(things)
    .where(eq(things.owner, 'ada'))
    .orderBy(things.count)
    .limit(5)
  expect(plain[0]).toMatchObject({
    at: new Date('2026-11-22T03:04:05.678Z'),
    twice: 10_000_000_000,
    facts: { a: [1, 2] },
  })
  for (const _again of [1, 2]) expect(await ofOwner(client.db, { owner: 'ada', limit: 5 })).toEqual(plain)
})

test('each call has its own values, in a transaction too', async () => {
  expect(await ofOwner(client.db, { owner: 'ben', limit: 5 })).toMatchObject([{ id: ids[2], sure: false }])
  expect(await ofOwner(client.db, { owner: 'ada', limit: 1 })).toMatchObject([{ id: ids[0] }])
  await client.db
    .transaction(async (tx: Tx) => {
      await tx.insert(things).values({ id: randomUUID(), owner: 'carl' })
      expect(await ofOwner(tx, { owner: 'carl', limit: 5 })).toHaveLength(1)
      throw new Error('undone')
    })
    .catch((error: unknown) => expect(String(error)).toContain('undone'))
  expect(await ofOwner(client.db, { owner: 'carl', limit: 5 })).toEqual([])
})

test('a list of ids is one parameter, whatever its length', async () => {
  const plain = async (some: string[]) =>
    await client.db
      .select({ id: things.id, owner: things.owner })
      .from(things)
      .where(inArray(things.id, some))
      .orderBy(things.id)
  for (const some of [[ids[0]], [...ids], [ids[2], randomUUID(), ...Array.from({ length: 1000 }, () => randomUUID())]])
    expect(await among(client.db, { ids: idList(some) })).toEqual(await plain(some))
  expect(await among(client.db, { ids: idList([]) })).toEqual([])
})

test('a write returns the changed rows; times, records and null are encoded like by the query builder', async () => {
  const change = preparedStatement<{
    id: string
    at: Date | null
    facts: { a: number[] } | null
    count: number | null
  }>({ id: things.id, at: things.at, facts: things.facts, count: things.count }, (db, value) => {
    const changed = db
      .update(things)
      .set({ at: value('at', things.at), facts: value('facts', things.facts), count: value('count', things.count) })
      .where(eq(things.id, value('id')))
      .returning({ id: things.id, at: things.at, facts: things.facts, count: things.count })
    return sql`with changed as ${changed} select * from changed`
  })
  const at = new Date('2026-11-22T08:09:10.111Z')
  expect(await change(client.db, { id: ids[2], at, facts: { a: [3] }, count: 7 })).toEqual([
    { id: ids[2], at, facts: { a: [3] }, count: 7 },
  ])
  expect(
    await client.db.select({ at: things.at, facts: things.facts }).from(things).where(eq(things.id, ids[2])),
  ).toEqual([{ at, facts: { a: [3] } }])
  await client.db.transaction(async (tx: Tx) =>
    expect(await change(tx, { id: ids[2], at: null, facts: null, count: 0 })).toEqual([
      { id: ids[2], at: null, facts: null, count: 0 },
    ]),
  )
  expect(await change(client.db, { id: randomUUID(), at, facts: null, count: 1 })).toEqual([])
  await expect(change(client.db, { id: ids[2] })).rejects.toThrow('at')
})
