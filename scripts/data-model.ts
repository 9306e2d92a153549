import * as fs from 'node:fs'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable, type PgColumn } from 'drizzle-orm/pg-core'

const schemaFolder = new URL('../db/schema/', import.meta.url)

/** Groups of tables, one diagram each. Every file of `db/schema` with a table belongs to exactly one. */
const areas: { title: string; summary: string; files: readonly string[] }[] = [
  {
    title: 'Accounts',
    summary: 'Artists, their ways to log in, and the links that were mailed to them.',
    files: ['auth', 'keys'],
  },
  {
    title: 'Assistants',
    summary: 'Programs that artists have connected by consent, and their tokens.',
    files: ['assistants'],
  },
  {
    title: 'Notices',
    summary: 'The notices that the bell lists, and which kinds are also mailed.',
    files: ['notices'],
  },
  {
    title: 'Webhooks',
    summary: 'Endpoints of artists’ programs, the events, and the deliveries with their attempts.',
    files: ['webhooks'],
  },
  {
    title: 'Subscription',
    summary: 'Each artist’s subscription at Stripe, the orders that staff see, and the movements of MRR.',
    files: ['subscription'],
  },
  {
    title: 'Media',
    summary: 'The library, unfinished uploads, and stored files that no row references any more.',
    files: ['media'],
  },
  {
    title: 'Social accounts',
    summary: 'Logins at the networks, the pages they may publish to, and unfinished OAuth flows.',
    files: ['social'],
  },
  { title: 'Website', summary: 'The artist’s public site, its gallery and its pictures.', files: ['website'] },
  {
    title: 'Posts',
    summary:
      'Posts, their targets (one for each page) and attempts; drafts; the queue of weekly slots; the workers, allowances and turns of publishing.',
    files: ['posts', 'drafts', 'queue', 'quotas', 'turns'],
  },
  {
    title: 'Bookings',
    summary: 'Appointments, the bookable hours, and the mails about appointments.',
    files: ['appointments'],
  },
  {
    title: 'Staff',
    summary: 'The audit log, and the counts that triggers maintain.',
    files: ['admin'],
  },
  {
    title: 'Between processes',
    summary: 'Leases, unsent mails, counters of the rate limits, and the progress of jobs that empty old rows.',
    files: ['leases', 'outbox', 'retention'],
  },
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

async function areaText(area: (typeof areas)[number]): Promise<string> {
  const tables = (await Promise.all(area.files.map(tablesIn))).flat()
  const drawing = ['```mermaid', 'erDiagram', ...tables.flatMap(relations), ...tables.map(entity), '```']
  return [`## ${area.title}`, '', area.summary, '', ...drawing].join('\n')
}

/** The tables and their relations as mermaid diagrams, one per area. Throws when a schema file has no area. */
export async function dataModel(): Promise<string> {
  const placed = areas.flatMap((area) => area.files)
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
