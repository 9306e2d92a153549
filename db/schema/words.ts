import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import { check, type AnyPgColumn, type CheckBuilder } from 'drizzle-orm/pg-core'

const quoted = (text: string, quote: string) => `${quote}${text.replaceAll(quote, quote + quote)}${quote}`

/** What the constraint of a column is called that takes words of a closed set. */
export const wordCheckName = (table: string, column: string) => `${table}_${column}_words`

/**
 * For each column of a table with a closed set of words a CHECK that takes no other: the words are those of the column's own `enum`,
 * so that the database and TypeScript know the same ones. A new word is a migration that drops the constraint, adds it anew NOT VALID
 * and validates it in a later file.
 */
export function wordChecks(columns: Record<string, AnyPgColumn>): CheckBuilder[] {
  const [first] = Object.values(columns)
  if (!first) return []
  // The columns that constraints are declared on do not know their words; those of the table do.
  return Object.values(getTableColumns(first.table)).flatMap((column) => {
    const words = column.enumValues ?? []
    if (words.length === 0) return []
    // Literals: a constraint takes no parameters.
    return check(
      wordCheckName(getTableName(column.table), column.name),
      sql.raw(`${quoted(column.name, '"')} in (${words.map((word) => quoted(word, "'")).join(', ')})`),
    )
  })
}
