import { Column, is, noopDecoder, SQL, sql, type DriverValueDecoder, type Placeholder } from 'drizzle-orm'
import type { PgColumn, PgSelectBuilder } from 'drizzle-orm/pg-core'
import type { Tx } from './client.ts'

type Columns = Record<string, PgColumn | SQL | SQL.Aliased>
type Built<Row> = PromiseLike<Row[]> & { toSQL: () => { sql: string; params: unknown[] } }
type Decode = ((value: unknown) => unknown) | undefined

/**
 * A read that is made often: its statement is built once for each pool, and how its rows are read is worked out once. Drizzle
 * builds both anew for each call, which costs more than Postgres needs to answer. `values` names what the statement asks for.
 */
export function frequentRead<Names extends string, C extends Columns, Row extends object>(
  columns: C,
  names: readonly Names[],
  build: (select: PgSelectBuilder<C>, value: Record<Names, Placeholder<Names>>) => Built<Row>,
): (db: Tx, values: Record<Names, string | number>) => Promise<Row[]> {
  const prepared = new WeakMap<Tx, { execute: (values: Record<string, unknown>) => Promise<Row[]> }>()
  const keys = Object.keys(columns)
  const decodes = Object.values(columns).map(decodeOf)
  const readRows = (rows: unknown[][]) => rows.map((row) => readRow(keys, decodes, row)) as Row[]
  return async (db, values) => {
    let read = prepared.get(db)
    if (!read) {
      const placeholders = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as Record<Names, Placeholder<Names>>
      const query = build(db.select(columns) as PgSelectBuilder<C>, placeholders).toSQL()
      read = db._.session.prepareQuery<{ execute: Row[]; all: Row[]; values: Row[] }>(query, undefined, 'frequent', true, readRows)
      prepared.set(db, read)
    }
    return await read.execute(values)
  }
}

function readRow(keys: readonly string[], decodes: readonly Decode[], row: readonly unknown[]): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (let n = 0; n < keys.length; n++) {
    const value = row[n]
    const decode = decodes[n]
    read[keys[n] ?? ''] = decode === undefined || value === null ? value : decode(value)
  }
  return read
}

/** How Drizzle reads a column's value; undefined where it takes it as the driver gives it. */
function decodeOf(column: Columns[string]): Decode {
  if (is(column, Column)) return column.mapFromDriverValue === Column.prototype.mapFromDriverValue ? undefined : (value) => column.mapFromDriverValue(value)
  const { decoder } = (is(column, SQL) ? column : column.sql) as unknown as { decoder: DriverValueDecoder<unknown, unknown> }
  return decoder === noopDecoder ? undefined : (value) => decoder.mapFromDriverValue(value)
}

/**
 * Whether a column is one of a list of ids, sent as one value: as values of their own each length of the list would be another
 * statement. Take care that they are ids.
 */
export function isAmong(column: PgColumn, ids: Placeholder): SQL {
  return sql`${column} = any(${ids}::uuid[])`
}

/** A list of ids as that one value. */
export function idList(ids: readonly string[]): string {
  return `{${ids.join(',')}}`
}
