import type { DbClient } from '@flashsheet/db/client'

/** One foreign key, from the database's catalog. */
export type Reference = {
  child: string
  columns: string[]
  parent: string
  parentColumns: string[]
  onDelete: 'cascade' | 'set null' | 'restrict' | 'no action'
}

const rules: Record<string, Reference['onDelete']> = { c: 'cascade', n: 'set null', a: 'no action' }

/** Every foreign key of the product's tables. */
export async function listReferences({ sql }: DbClient): Promise<Reference[]> {
  const rows = await sql<
    { child: string; columns: string[]; parent: string; parent_columns: string[]; rule: string }[]
  >`
    select child.relname as child, parent.relname as parent, con.confdeltype as rule,
      (select array_agg(a.attname::text order by k.n) from unnest(con.conkey) with ordinality k(num, n) join pg_attribute a on a.attrelid = con.conrelid and a.attnum = k.num) as columns,
      (select array_agg(a.attname::text order by k.n) from unnest(con.confkey) with ordinality k(num, n) join pg_attribute a on a.attrelid = con.confrelid and a.attnum = k.num) as parent_columns
    from pg_constraint con
    join pg_class child on child.oid = con.conrelid
    join pg_class parent on parent.oid = con.confrelid
    join pg_namespace ns on ns.oid = child.relnamespace
    where con.contype = 'f' and ns.nspname = 'public'
    order by child.relname, con.conname`
  return rows.map((row) => ({
    child: row.child,
    columns: row.columns,
    parent: row.parent,
    parentColumns: row.parent_columns,
    onDelete: rules[row.rule] ?? 'restrict',
  }))
}

/** Every table of the product, by information_schema. */
export async function listTables({ sql }: DbClient): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  return rows.map((row) => row.name)
}

/** Columns whose name suggests an artist's id, with or without a foreign key. */
export async function listArtistColumns({ sql }: DbClient): Promise<{ table: string; column: string }[]> {
  return await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name ~ '^(user|artist|owner)(_id)?$' order by 1, 2`
}

export type OwnedRows = Map<string, Record<string, unknown>[]>

/** Every row that references an artist, directly or through other rows, in every table the foreign keys lead to. */
export async function ownedRowsOf(client: DbClient, artistId: string): Promise<OwnedRows> {
  const { sql } = client
  const references = await listReferences(client)
  const found: OwnedRows = new Map()
  const seen = new Set<string>()
  let pending: { table: string; rows: Record<string, unknown>[] }[] = [
    {
      table: 'users',
      rows: (
        await sql<{ row: Record<string, unknown> }[]>`select to_jsonb(u) as row from users u where u.id = ${artistId}`
      ).map(({ row }) => row),
    },
  ]
  while (pending.length > 0) {
    const next: typeof pending = []
    for (const { table, rows } of pending) {
      const fresh = rows.filter((row) => !seen.has(`${table} ${JSON.stringify(row)}`))
      if (fresh.length === 0) continue
      for (const row of fresh) seen.add(`${table} ${JSON.stringify(row)}`)
      found.set(table, [...(found.get(table) ?? []), ...fresh])
      for (const { child, columns, parentColumns } of references.filter((one) => one.parent === table)) {
        const same = columns.map((column, n) => `c."${column}"::text = p->>'${parentColumns[n]}'`).join(' and ')
        const hit = await sql.unsafe<{ row: Record<string, unknown> }[]>(
          `select to_jsonb(c) as row from "${child}" c where exists (select 1 from jsonb_array_elements($1::text::jsonb) p where ${same})`,
          [JSON.stringify(fresh)],
        )
        if (hit.length > 0) next.push({ table: child, rows: hit.map(({ row }) => row) })
      }
    }
    pending = next
  }
  return found
}

/** The number of these rows that still exist (by primary key), by table; tables without any are omitted. */
export async function countRemaining({ sql }: DbClient, ownedRows: OwnedRows): Promise<Record<string, number>> {
  const remaining: Record<string, number> = {}
  for (const [table, rows] of ownedRows) {
    const keys = await sql<{ column: string }[]>`
      select a.attname::text as column from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = ${`public.${table}`}::regclass and i.indisprimary`
    const same = keys.map(({ column }) => `t."${column}"::text = p->>'${column}'`).join(' and ')
    const [count] = await sql.unsafe<{ total: number }[]>(
      `select count(*)::int as total from "${table}" t where exists (select 1 from jsonb_array_elements($1::text::jsonb) p where ${same})`,
      [JSON.stringify(rows)],
    )
    if (count && count.total > 0) remaining[table] = count.total
  }
  return remaining
}

/** Tables with a row that contains one of these words in any column. */
export async function tablesContaining(client: DbClient, words: readonly string[]): Promise<string[]> {
  const tables = []
  for (const table of await listTables(client)) {
    const hits = await client.sql.unsafe(
      `select 1 from "${table}" t where exists (select 1 from unnest($1::text[]) w where position(w in t::text) > 0) limit 1`,
      [[...words]],
    )
    if (hits.length > 0) tables.push(table)
  }
  return tables
}
