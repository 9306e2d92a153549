import type { DbClient } from '@flashsheet/db/client'

/** A node of a plan, as EXPLAIN prints it. */
type PlanNode = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: PlanNode[] }
export type Statement = { query: string; values: readonly unknown[] }

/** The statements that `work` sends, with their parameters. */
export async function statementsOf({ sql }: Pick<DbClient, 'sql'>, work: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const unsafe = sql.unsafe.bind(sql)
  sql.unsafe = (query, values, options) => {
    sent.push({ query, values: values ?? [] })
    return unsafe(query, values, options)
  }
  try {
    await work()
  } finally {
    sql.unsafe = unsafe
  }
  return sent
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  const text =
    value instanceof Date
      ? value.toISOString()
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value as string | number | boolean)
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * The tables that a statement scans and the indexes that it uses. By default in its generic plan, to which Postgres
 * switches after some calls, and which cannot use a partial index whose condition is a parameter. For `these values` in
 * its custom plan, which Postgres uses where it is much cheaper, as for a range.
 */
export async function planOf(
  { sql }: Pick<DbClient, 'sql'>,
  { query, values }: Statement,
  planFor: 'all values' | 'these values' = 'all values',
): Promise<{ scanned: string[]; indexes: string[] }> {
  return await sql.begin(async (one) => {
    await one.unsafe(
      `set local plan_cache_mode = ${planFor === 'all values' ? 'force_generic_plan' : 'force_custom_plan'}`,
    )
    await one.unsafe(`prepare asked as ${query}`)
    const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
    const [row] = await one.unsafe(`explain (format json) execute asked${given}`)
    await one.unsafe('deallocate asked')
    const found: PlanNode[] = []
    const walk = (node: PlanNode): void => {
      found.push(node)
      node.Plans?.forEach(walk)
    }
    for (const { Plan } of (row?.['QUERY PLAN'] ?? []) as { Plan: PlanNode }[]) walk(Plan)
    return {
      scanned: found.filter((node) => node['Node Type'] === 'Seq Scan').flatMap((node) => node['Relation Name'] ?? []),
      indexes: found.flatMap((node) => node['Index Name'] ?? []),
    }
  })
}
