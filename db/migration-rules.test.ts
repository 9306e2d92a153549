import * as fs from 'node:fs'
import { expect, test } from 'vitest'
import { problemsOfMigration, rulesSince } from './migration-rules.ts'
import { readMigrations } from './migrate.ts'

const problemsOf = (text: string) => problemsOfMigration('0099_new.sql', text)

test.each([
  ['an index whose build blocks writers', 'CREATE INDEX "posts_late" ON "posts" USING btree ("created_at");'],
  [
    'an index built concurrently inside a transaction',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS "posts_late" ON "posts" ("created_at");',
  ],
  [
    'an index build that fails when it is repeated',
    '-- outside a transaction\nCREATE INDEX CONCURRENTLY "posts_late" ON "posts" ("created_at");',
  ],
  ['a changed type of a column', 'ALTER TABLE "users" ALTER COLUMN "name" SET DATA TYPE varchar(100);'],
  ['a column that becomes NOT NULL', 'ALTER TABLE "users" ALTER COLUMN "name" SET NOT NULL;'],
  ['a new column that is NOT NULL without a default', 'ALTER TABLE "users" ADD COLUMN "nick" text NOT NULL;'],
  [
    'a default that differs from row to row',
    'ALTER TABLE "users" ADD COLUMN "key" uuid DEFAULT gen_random_uuid() NOT NULL;',
  ],
  ['a generated column', 'ALTER TABLE "users" ADD COLUMN "low" text GENERATED ALWAYS AS (lower(name)) STORED;'],
  ['a check of all rows', 'ALTER TABLE "posts" ADD CONSTRAINT "posts_status" CHECK (status <> \'\');'],
  [
    'a foreign key checked for all rows',
    'ALTER TABLE "posts" ADD CONSTRAINT "posts_user" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade;',
  ],
  ['a unique constraint that builds its index', 'ALTER TABLE public.users ADD CONSTRAINT users_nick UNIQUE (nick);'],
  ['a new name', 'ALTER TABLE "users" RENAME COLUMN "name" TO "called";'],
  ['a dropped column without a comment that nothing uses it', 'ALTER TABLE "users" DROP COLUMN "name";'],
  ['a dropped table without a comment that nothing uses it', 'DROP TABLE "users";'],
  ['all rows written', 'UPDATE users SET name = trim(name);'],
  ['all rows removed', 'DELETE FROM mails;'],
  ['a table locked by hand', 'LOCK TABLE users;'],
])('rejects %s', (_what, text) => {
  expect(problemsOf(text)).toEqual([expect.stringMatching(/^0099_new\.sql: ".+" .+\.$/)])
})

test.each([
  [
    'a table with its indexes and constraints',
    'CREATE TABLE "new_things" ("id" uuid PRIMARY KEY NOT NULL);--> statement-breakpoint\nALTER TABLE "new_things" ADD CONSTRAINT "n" UNIQUE ("id");--> statement-breakpoint\nCREATE INDEX "n_id" ON "new_things" ("id");',
  ],
  [
    'an index built concurrently',
    '-- outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "posts_late" ON "posts" ("created_at");',
  ],
  ['a new column', 'ALTER TABLE "users" ADD COLUMN "nick" text;'],
  ['a new column with a constant', 'ALTER TABLE "users" ADD COLUMN "nick" text DEFAULT \'\' NOT NULL;'],
  [
    'a constraint that is validated later',
    'ALTER TABLE "posts" ADD CONSTRAINT "posts_status" CHECK (status <> \'\') NOT VALID;',
  ],
  ['a constraint dropped', 'ALTER TABLE "posts" DROP CONSTRAINT "posts_status";'],
  [
    'a column dropped that nothing reads',
    '-- contracts: nothing reads it since the release of 1 December\nALTER TABLE "users" DROP COLUMN "name";',
  ],
  ['a small table', 'CREATE INDEX "tallies" ON "user_tallies" ("day");'],
  [
    'statements in the body of a function',
    'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM mails; RETURN NULL; END $$;',
  ],
])('accepts %s', (_what, text) => {
  expect(problemsOf(text)).toEqual([])
})

test('no new migration blocks a live database', () => {
  const fresh = readMigrations().filter(({ when }) => when >= rulesSince)
  expect(
    fresh.flatMap(({ tag }) =>
      problemsOfMigration(`${tag}.sql`, fs.readFileSync(new URL(`migrations/${tag}.sql`, import.meta.url), 'utf8')),
    ),
  ).toEqual([])
})
