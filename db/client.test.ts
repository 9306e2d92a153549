import { inArray, sql } from 'drizzle-orm'
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect, type DbClient } from './client.ts'

const prints = pgTable('prints', { id: integer().primaryKey(), title: text().notNull() })

let client: DbClient
beforeAll(async () => {
  // One connection, because temporary tables and prepared statements belong to it.
  client = connect(inject('adminUrl'), 1)
  await client.db.execute(sql`create temporary table prints (id int primary key, title text not null)`)
})
afterAll(async () => await client?.close())

const prepared = async (beginning: string) =>
  (await client.sql`select statement from pg_prepared_statements where statement like ${`${beginning}%`}`).length

test('Drizzle’s statements are prepared once and reused by name, in a transaction too', async () => {
  for (const id of [1, 2]) await client.db.insert(prints).values({ id, title: 'Snake' })
  await client.db.transaction(async (tx) => {
    for (const id of [1, 2])
      await tx
        .update(prints)
        .set({ title: 'Rose' })
        .where(inArray(prints.id, [id]))
    await tx.transaction(
      async (inner) =>
        await inner
          .select()
          .from(prints)
          .where(inArray(prints.title, ['Rose'])),
    )
  })
  expect([
    await prepared('insert into "prints"'),
    await prepared('update "prints"'),
    await prepared('select "id", "title" from "prints"'),
  ]).toEqual([1, 1, 1])
})

test('a statement with a long list of values is not prepared, since each length would be another statement', async () => {
  const ids = Array.from({ length: 60 }, (_, n) => n)
  expect(await client.db.select({ title: prints.title }).from(prints).where(inArray(prints.id, ids))).toHaveLength(2)
  expect(await prepared('select "title" from "prints"')).toBe(0)
})

test('instants are read as they were written when the database shows dates in another style', async () => {
  const name = `date_style_${process.pid}`
  await client.sql`create database ${client.sql(name)}`
  await client.sql`alter database ${client.sql(name)} set datestyle = 'SQL, DMY'`
  const other = connect(new URL(`/${name}`, inject('adminUrl')).href, 1)
  try {
    const visits = pgTable('visits', { at: timestamp({ withTimezone: true }).notNull() })
    await other.db.execute(sql`create temporary table visits (at timestamptz not null)`)
    const at = new Date('2026-03-04T05:06:07.089Z')
    expect(await other.db.insert(visits).values({ at }).returning()).toEqual([{ at }])
  } finally {
    await other.close()
    await client.sql`drop database ${client.sql(name)} with (force)`
  }
})
