import * as fs from 'node:fs'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable, type PgColumn } from 'drizzle-orm/pg-core'

const schemaFolder = new URL('../db/schema/', import.meta.url)

/** Groups of tables, one diagram each: title, files of `db/schema`, and summary. Every file with a table is in exactly one. */
const areas: readonly [title: string, files: readonly string[], summary: string][] = [
  ['Accounts', ['auth', 'keys'], 'Artists, their ways to log in, and the links that were mailed to them.'],
  ['Assistants', ['assistants'], 'Programs that artists have connected by consent, and their tokens.'],
  ['Notices', ['notices'], 'The notices that the bell lists, and which kinds are also mailed.'],
  ['Webhooks', ['webhooks'], 'Endpoints of artists’ programs, the events, and the deliveries with their attempts.'],
  [
    'Subscription',
    ['subscription'],
    'Each artist’s subscription at Stripe, the orders that staff see, and the movements of MRR.',
  ],
  ['Media', ['media'], 'The library, unfinished uploads, and stored files that no row references any more.'],
  ['Social accounts', ['social'], 'Logins at the networks, the pages they may publish to, and unfinished OAuth flows.'],
  ['Website', ['website'], 'The artist’s public site, its gallery and its pictures.'],
  [
    'Posts',
    ['posts', 'drafts', 'queue', 'quotas', 'turns'],
    'Posts, their targets (one for each page) and attempts; drafts; the queue of weekly slots; the workers, allowances and turns of publishing.',
  ],
  ['Bookings', ['appointments'], 'Appointments, the bookable hours, and the mails about appointments.'],
  ['Staff', ['admin'], 'The audit log, and the counts that triggers maintain.'],
  [
    'Between processes',
    ['leases', 'outbox', 'retention'],
    'Leases, unsent mails, counters of the rate limits, and the progress of jobs that empty old rows.',
  ],
]

/** The tables of one schema file, in its order. */
async function tablesIn(file: string): Promise<PgTable[]> {
  const found = Object.values(
    (await import(new URL(`${file}.ts`, schemaFolder).href)) as Record<string, unknown>,
  ).filter((value) => is(value, PgTable))
  const text = fs.readFileSync(new URL(`${file}.ts`, schemaFolder), 'utf8')
  return found.toSorted(
    (a, b) => text.indexOf(`'${getTableConfig(a).name}'`) - text.indexOf(`'${getTableConfig(b).name}'`),
  )
}

/** Mermaid allows only one word as a type. */
function typeOf(column: PgColumn): string {
  return column
    .getSQLType()
    .replace(/timestamp(?: \(\d\))? with time zone/, 'timestamptz')
    .replaceAll(' ', '_')
}

function entity(table: PgTable): string {
  const { name, columns, primaryKeys, uniqueConstraints, foreignKeys } = getTableConfig(table)
  const inPrimary = new Set(primaryKeys.flatMap((key) => key.columns.map((column) => column.name)))
  const inForeign = new Set(foreignKeys.flatMap((key) => key.reference().columns.map((column) => column.name)))
  const unique = new Set(
    uniqueConstraints.flatMap((one) => (one.columns.length === 1 ? one.columns.map((column) => column.name) : [])),
  )
  const lines = columns.map((column) => {
    const isPrimary = column.primary || inPrimary.has(column.name)
    const keys = [
      isPrimary && 'PK',
      inForeign.has(column.name) && 'FK',
      (column.isUnique || unique.has(column.name)) && 'UK',
    ].filter((key) => key !== false)
    const optional = column.notNull || isPrimary ? '' : ' "optional"'
    return `    ${typeOf(column)} ${column.name}${keys.length > 0 ? ` ${keys.join(', ')}` : ''}${optional}`
  })
  return [`  ${name} {`, ...lines, '  }'].join('\n')
}

function relations(table: PgTable): string[] {
  const { name, columns, primaryKeys, foreignKeys } = getTableConfig(table)
  const primary = [...columns.filter((column) => column.primary), ...primaryKeys.flatMap((key) => key.columns)].map(
    (column) => column.name,
  )
  return foreignKeys.map((key) => {
    const { columns: own, foreignTable } = key.reference()
    const names = own.map((column) => column.name)
    const isOne = primary.length > 0 && primary.every((column) => names.includes(column))
    const parentMayBeMissing = own.some((column) => !column.notNull)
    return `  ${getTableConfig(foreignTable).name} ${parentMayBeMissing ? '|o' : '||'}--${isOne ? 'o|' : 'o{'} ${name} : "${names.join(', ')}: ${key.onDelete ?? 'no action'}"`
  })
}

async function areaText([title, files, summary]: (typeof areas)[number]): Promise<string> {
  const tables = (await Promise.all(files.map(tablesIn))).flat()
  const drawing = ['```mermaid', 'erDiagram', ...tables.flatMap(relations), ...tables.map(entity), '```']
  return [`## ${title}`, '', summary, '', ...drawing].join('\n')
}

/** The tables and their relations as mermaid diagrams, one per area. Throws when a schema file has no area. */
export async function dataModel(): Promise<string> {
  const placed = areas.flatMap(([, files]) => files)
  for (const entry of fs.readdirSync(schemaFolder)) {
    const file = entry.replace(/\.ts$/, '')
    if ((await tablesIn(file)).length > 0 && placed.filter((one) => one === file).length !== 1) {
      throw new Error(
        `db/schema/${entry} belongs to no area of the diagrams, or to two: see "areas" in scripts/data-model.ts`,
      )
    }
  }
  return (await Promise.all(areas.map(areaText))).join('\n\n')
}
