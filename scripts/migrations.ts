import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { generateDrizzleJson } from 'drizzle-kit/api'
import { readMigrations } from '../db/migrate.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sqlFile = (tag: string) => `${root}db/migrations/${tag}.sql`
const breakpoint = '--> statement-breakpoint\n'

/**
 * Rewrites a generated migration that changes CHECK constraints (closed sets of values), so that writers are not blocked
 * while all rows are read: the constraints are added NOT VALID, and `validation` is a later migration that validates them.
 */
export function withoutValidation(sql: string): { sql: string; validation?: string } {
  const checks = new Map<string, { name: string; condition: string }[]>()
  const isDropped = new Set<string>()
  const statements = sql.split('--> statement-breakpoint').map((statement) => statement.trim())
  for (const statement of statements) {
    const [, table, name, condition] =
      /^ALTER TABLE ("\w+") ADD CONSTRAINT ("\w+") (CHECK \(.*\));$/s.exec(statement) ?? []
    if (!table || !name || !condition) continue
    checks.set(table, [...(checks.get(table) ?? []), { name, condition }])
    isDropped.add(`ALTER TABLE ${table} DROP CONSTRAINT ${name};`).add(statement)
  }
  if (checks.size === 0) return { sql }
  const others = statements.filter((statement) => !isDropped.has(statement))
  const alter = (action: (check: { name: string; condition: string }) => string) =>
    [...checks].map(([table, list]) => `ALTER TABLE ${table} ${list.map(action).join(', ')};\n`)
  const added = alter(
    ({ name, condition }) => `DROP CONSTRAINT IF EXISTS ${name}, ADD CONSTRAINT ${name} ${condition} NOT VALID`,
  )
  return {
    sql:
      (others.length === 0 ? '-- outside a transaction\n-- A table at a time. The next file reads its rows.\n' : '') +
      [...others.map((statement) => `${statement}\n`), ...added].join(breakpoint),
    validation:
      '-- outside a transaction\n-- Reads each table once while others read and write it.\n' +
      alter(({ name }) => `VALIDATE CONSTRAINT ${name}`).join(breakpoint),
  }
}

/** Whether the newest migration leads to the tables of db/schema. */
async function isUpToDate(): Promise<boolean> {
  const schema: Record<string, unknown> = {}
  for (const file of fs.readdirSync(`${root}db/schema`)) Object.assign(schema, await import(`../db/schema/${file}`))
  const number = readMigrations().at(-1)?.tag.slice(0, 4)
  const newest = JSON.parse(fs.readFileSync(`${root}db/migrations/meta/${number}_snapshot.json`, 'utf8')) as object
  return isDeepStrictEqual(tablesOf(newest), tablesOf(generateDrizzleJson(schema)))
}

const tablesOf = (snapshot: object): unknown =>
  JSON.parse(JSON.stringify({ ...snapshot, id: undefined, prevId: undefined }))

/** Runs drizzle-kit, and returns the names of the new migrations. */
function generate(args: string[]): string[] {
  const before = new Set(readMigrations().map(({ tag }) => tag))
  const { status } = spawnSync(`${root}node_modules/.bin/drizzle-kit`, ['generate', ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
  return readMigrations().flatMap(({ tag }) => (before.has(tag) ? [] : tag))
}

if (process.argv.includes('--check')) {
  if (!(await isUpToDate())) {
    console.error('db/schema was changed without a migration. Run `pnpm db:generate --name <what>` and commit it.')
    process.exit(1)
  }
} else if (import.meta.main) {
  for (const tag of generate(process.argv.slice(2))) {
    const { sql, validation } = withoutValidation(fs.readFileSync(sqlFile(tag), 'utf8'))
    if (validation === undefined) continue
    fs.writeFileSync(sqlFile(tag), sql)
    const [later = ''] = generate(['--custom', '--name', `${tag.slice(5)}_validated`])
    fs.writeFileSync(sqlFile(later), validation)
  }
}
