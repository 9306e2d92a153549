import {
  Column,
  is,
  noopDecoder,
  SQL,
  sql,
  type DriverValueDecoder,
  type Placeholder,
  type SQLWrapper,
} from 'drizzle-orm'
import { PgDialect, type PgColumn, type PgSelectBuilder } from 'drizzle-orm/pg-core'
import type { Tx } from './client.ts'

type Columns = Record<string, PgColumn | SQL | SQL.Aliased>
type Query = { sql: string; params: unknown[] }
type Built<Row> = PromiseLike<Row[]> & { toSQL: () => Query }
type Decode = ((value: unknown) => unknown) | undefined
type Execute<Row> = (db: Tx, values: Record<string, unknown>) => Promise<Row[]>

/**
 * A prepared read for hot paths, with the parameters `names`: the statement and the decoding of its rows are built once.
 * Drizzle builds both for each call, which costs more than Postgres needs to answer. Its own `prepare()` belongs to one
 * connection or transaction, so this calls Drizzle's private session; `prepared-statements.test.ts` fails when that API changes.
 */
export function preparedRead<Names extends string, C extends Columns, Row extends object>(
  columns: C,
  names: readonly Names[],
  build: (select: PgSelectBuilder<C>, value: Record<Names, Placeholder<Names>>) => Built<Row>,
): (db: Tx, values: Record<Names, string | number>) => Promise<Row[]> {
  return builtOnce<Row>(columns, (db) => {
    const placeholders = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as Record<
      Names,
      Placeholder<Names>
    >
    return build(db.select(columns) as PgSelectBuilder<C>, placeholders).toSQL()
  })
}

/** A named parameter of a prepared write; `column` sets the encoding where it is needed. */
export type Value = (name: string, column?: PgColumn) => SQL

/** A prepared statement of any other kind; `columns` are its result columns in order. Throws when a value is missing. */
export function preparedStatement<Row extends object>(
  columns: { [Name in keyof Row]: PgColumn | SQL },
  build: (db: Tx, value: Value) => SQLWrapper,
): Execute<Row> {
  const encodings = new Map<string, PgColumn>()
  const execute = builtOnce<Row>(columns, (db) =>
    new PgDialect().sqlToQuery(
      build(db, (name, column) => {
        if (column) encodings.set(name, column)
        return sql`${sql.placeholder(name)}`
      }).getSQL(),
    ),
  )
  const encode = (name: string, value: unknown): unknown =>
    value === null || value === undefined ? null : (encodings.get(name)?.mapToDriverValue(value) ?? value)
  return async (db, values) => {
    // The encodings are known only once the statement is built.
    execute.build(db)
    return await execute(
      db,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encode(name, value)])),
    )
  }
}

function builtOnce<Row extends object>(
  columns: Columns,
  build: (db: Tx) => Query,
): Execute<Row> & { build: (db: Tx) => void } {
  let query: Query | undefined
  const keys = Object.keys(columns)
  const decodes = Object.values(columns).map(decodeOf)
  const readRows = (rows: unknown[][]) => rows.map((row) => readRow(keys, decodes, row)) as Row[]
  const built = (db: Tx): Query => (query ??= build(db))
  const execute: Execute<Row> = async (db, values) =>
    await db._.session
      .prepareQuery<{ execute: Row[]; all: Row[]; values: Row[] }>(built(db), undefined, 'frequent', true, readRows)
      .execute(values)
  return Object.assign(execute, { build: (db: Tx) => void built(db) })
}

function readRow(
  keys: readonly string[],
  decodes: readonly Decode[],
  row: readonly unknown[],
): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (let n = 0; n < keys.length; n++) {
    const value = row[n]
    const decode = decodes[n]
    read[keys[n] ?? ''] = decode === undefined || value === null ? value : decode(value)
  }
  return read
}

/** Drizzle's decoder of a column; undefined where it returns the driver's value unchanged. */
function decodeOf(column: Columns[string]): Decode {
  if (is(column, Column))
    return column.mapFromDriverValue === Column.prototype.mapFromDriverValue
      ? undefined
      : (value) => column.mapFromDriverValue(value)
  const { decoder } = (is(column, SQL) ? column : column.sql) as unknown as {
    decoder: DriverValueDecoder<unknown, unknown>
  }
  return decoder === noopDecoder ? undefined : (value) => decoder.mapFromDriverValue(value)
}

/**
 * Whether a column is one of a list of ids, sent as one parameter: with a parameter for each id, every length of the list
 * would be another statement. The caller must make sure that the values are ids.
 */
export function isAmong(column: PgColumn, ids: Placeholder): SQL {
  return sql`${column} = any(${ids}::uuid[])`
}

/** The parameter of `isAmong`. */
export function idList(ids: readonly string[]): string {
  return `{${ids.join(',')}}`
}
