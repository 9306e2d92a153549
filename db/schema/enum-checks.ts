import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import { check, type AnyPgColumn, type CheckBuilder } from 'drizzle-orm/pg-core'

const quoted = (text: string, quote: string) => `${quote}${text.replaceAll(quote, quote + quote)}${quote}`

/** The name of a CHECK constraint on a column with a closed set of values. */
export const enumCheckName = (table: string, column: string) => `${table}_${column}_words`

/**
 * CHECK constraints for all columns with an `enum`, so that database and TypeScript allow the same values. For
 * a new value `pnpm db:generate` writes two migrations: one that adds the constraint NOT VALID, and one that validates it.
 */
export function enumChecks(columns: Record<string, AnyPgColumn>): CheckBuilder[] {
  const [first] = Object.values(columns)
  if (!first) return []
  // The columns that Drizzle passes to constraints lack their enum; those of the table have it.
  return Object.values(getTableColumns(first.table)).flatMap((column) => {
    const words = column.enumValues ?? []
    if (words.length === 0) return []
    // Literals, because a constraint cannot have parameters.
    return check(
      enumCheckName(getTableName(column.table), column.name),
      sql.raw(`${quoted(column.name, '"')} in (${words.map((word) => quoted(word, "'")).join(', ')})`),
    )
  })
}
