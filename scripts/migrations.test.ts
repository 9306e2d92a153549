import { expect, test } from 'vitest'
import { problemsOfMigration } from '../db/migration-rules.ts'
import { withoutValidation } from './migrations.ts'

const breakpoint = '--> statement-breakpoint\n'
const check = (table: string, column: string) =>
  `ALTER TABLE "${table}" ADD CONSTRAINT "${table}_${column}_words" CHECK ("${column}" in ('a', 'b'));`
const drop = (table: string, column: string) => `ALTER TABLE "${table}" DROP CONSTRAINT "${table}_${column}_words";`

test('adds a new value of closed sets without reading the rows, and validates them in a later file', () => {
  const generated = [
    drop('posts', 'kind'),
    drop('posts', 'plan'),
    drop('orders', 'plan'),
    check('posts', 'kind'),
    check('posts', 'plan'),
    check('orders', 'plan'),
  ].join(breakpoint)
  expect(problemsOfMigration('generated', generated)).not.toEqual([])
  const { sql, validation } = withoutValidation(generated)
  expect(sql).toBe(`-- outside a transaction
-- A table at a time. The next file reads its rows.
ALTER TABLE "posts" DROP CONSTRAINT IF EXISTS "posts_kind_words", ADD CONSTRAINT "posts_kind_words" CHECK ("kind" in ('a', 'b')) NOT VALID, DROP CONSTRAINT IF EXISTS "posts_plan_words", ADD CONSTRAINT "posts_plan_words" CHECK ("plan" in ('a', 'b')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT IF EXISTS "orders_plan_words", ADD CONSTRAINT "orders_plan_words" CHECK ("plan" in ('a', 'b')) NOT VALID;
`)
  expect(validation).toBe(`-- outside a transaction
-- Reads each table once while others read and write it.
ALTER TABLE "posts" VALIDATE CONSTRAINT "posts_kind_words", VALIDATE CONSTRAINT "posts_plan_words";
--> statement-breakpoint
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_plan_words";
`)
  expect([...problemsOfMigration('first', sql), ...problemsOfMigration('second', validation!)]).toEqual([])
})

test('adds a column and its closed set in one transaction', () => {
  const column = 'ALTER TABLE "posts" ADD COLUMN "kind" text;'
  const { sql } = withoutValidation(`${column}${breakpoint}${check('posts', 'kind')}`)
  expect(sql.startsWith(`${column}\n${breakpoint}ALTER TABLE "posts" DROP CONSTRAINT IF EXISTS`)).toBe(true)
  expect(problemsOfMigration('mixed', sql)).toEqual([])
})

test('leaves a migration without closed sets as it was generated', () => {
  const generated = `CREATE TABLE "a" ("id" uuid);${breakpoint}${drop('posts', 'kind')}`
  expect(withoutValidation(generated)).toEqual({ sql: generated })
})
