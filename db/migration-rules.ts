/** Older migrations were made without these rules (23 November 2026, 03:00 UTC). */
export const rulesSince = 1_795_402_800_000

/** Tables with at most some thousands of rows for any number of artists: a lock on one is short. */
const smallTables = new Set([
  'publish_workers',
  'quota_buckets',
  'order_tallies',
  'subscription_tallies',
  'movement_tallies',
  'user_tallies',
  'media_tallies',
])

type Rule = { pattern: RegExp; why: string; mayBeInFile?: RegExp }

const name = String.raw`"?(?:public"?\."?)?(\w+)"?`
const altered = String.raw`alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?${name}[^;]*?\b`
const ignoringCase = (source: string) => new RegExp(source, 'i')

/** The first group of a pattern is the table, where it names one. */
const rules: Rule[] = [
  {
    pattern: ignoringCase(`create\\s+(?:unique\\s+)?index\\s+(?!concurrently\\b)[^;]*?\\bon\\s+(?:only\\s+)?${name}`),
    why: 'builds an index while nobody can write. Use CREATE INDEX CONCURRENTLY IF NOT EXISTS in a file that begins with "-- outside a transaction".',
  },
  {
    pattern: ignoringCase(`${altered}(?:alter\\s+column\\s+)"?\\w+"?\\s+(?:set\\s+data\\s+)?type\\b`),
    why: 'rewrites the table. Add a column beside it, write both, fill it in batches by a job, read the new one, and drop the old one a release later.',
  },
  {
    pattern: ignoringCase(`${altered}set\\s+not\\s+null`),
    why: 'reads the whole table while nobody can write. Add CHECK (column IS NOT NULL) NOT VALID, and validate it in a later file.',
  },
  {
    pattern: ignoringCase(
      `${altered}add\\s+(?:column\\s+)?(?:if\\s+not\\s+exists\\s+)?(?!constraint\\b)"?\\w+"?\\s+(?![^,;]*\\bdefault\\b)[^,;]*\\bnot\\s+null`,
    ),
    why: 'fails where there are rows. Add the column with a constant default, or let it be null until a job has filled it.',
  },
  {
    pattern: ignoringCase(
      `${altered}add\\s+(?:column\\s+)?[^,;]*\\bdefault\\s+\\(?(?:gen_random_uuid|uuidv7|random|clock_timestamp|nextval)\\b`,
    ),
    why: 'has a default that differs from row to row, which rewrites the table. Let a job fill the column in batches.',
  },
  {
    pattern: ignoringCase(`${altered}add\\s+(?:column\\s+)?[^,;]*\\bgenerated\\s+always\\s+as\\s*\\(`),
    why: 'computes a column for every row, which rewrites the table. Fill an ordinary column in batches by a job.',
  },
  {
    pattern: ignoringCase(
      `${altered}add\\s+(?:constraint\\s+"?\\w+"?\\s+)?(?:foreign\\s+key|check)\\b(?![^;]*\\bnot\\s+valid\\b)`,
    ),
    why: 'checks every row while nobody can write. Add the constraint NOT VALID, and validate it in a later file.',
  },
  {
    pattern: ignoringCase(
      `${altered}add\\s+(?:constraint\\s+"?\\w+"?\\s+)?(?:unique|primary\\s+key|exclude)\\b(?!\\s+using\\s+index)`,
    ),
    why: 'builds an index while nobody can write. Build it CONCURRENTLY first and add the constraint USING INDEX.',
  },
  {
    pattern: ignoringCase(`${altered}rename\\b`),
    why: 'takes a name away that processes of the release before still use. Expand first, contract a release later.',
  },
  {
    pattern: ignoringCase(
      `(?:${altered}drop\\s+(?:column\\s+)?(?!constraint\\b|default\\b|not\\b)"?\\w+|drop\\s+table\\s+(?:if\\s+exists\\s+)?${name})`,
    ),
    why: 'takes away what processes of the release before may still use. Say in the file since which release nothing does: "-- contracts: …".',
    mayBeInFile: /^-- contracts: \S/m,
  },
  {
    pattern: ignoringCase(`\\bupdate\\s+(?:only\\s+)?${name}\\s+(?:\\w+\\s+)?set\\b`),
    why: 'writes every row in one transaction. Let a job do it in batches.',
  },
  {
    pattern: ignoringCase(`\\bdelete\\s+from\\s+(?:only\\s+)?${name}`),
    why: 'writes every row in one transaction. Let a job do it in batches.',
  },
  {
    pattern: ignoringCase(`\\b(?:vacuum\\s*\\(?\\s*full|cluster|lock\\s+table|reindex\\s+(?!.*\\bconcurrently\\b))\\b`),
    why: 'keeps everybody out for as long as it takes.',
  },
]

const concurrentIndex = /\b(?:create (?:unique )?index|drop index|reindex\b.*?) concurrently\b/i

/** The statements of a migration that would block a live database, as sentences that begin with the file's name. */
export function problemsOfMigration(file: string, text: string): string[] {
  const isOutside = /^-- outside a transaction\b/.test(text)
  // Function bodies do not run during the migration, and comments never.
  const sql = text.replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''").replaceAll(/--[^\n]*/g, '')
  const newTables = new Set(
    [...sql.matchAll(new RegExp(`create\\s+table\\s+(?:if\\s+not\\s+exists\\s+)?${name}`, 'gi'))].map(
      ([, table]) => table,
    ),
  )
  const problems: string[] = []
  for (const statement of sql.split(';').map((one) => one.trim().replaceAll(/\s+/g, ' '))) {
    for (const { pattern, why, mayBeInFile } of rules) {
      const found = pattern.exec(statement)
      if (!found) continue
      const table = found.slice(1).find((group) => group !== undefined)
      if (table !== undefined && (newTables.has(table) || smallTables.has(table))) continue
      if (mayBeInFile?.test(text)) continue
      problems.push(`${file}: "${statement.slice(0, 80)}" ${why}`)
    }
    if (concurrentIndex.test(statement) && !isOutside)
      problems.push(
        `${file}: "${statement.slice(0, 80)}" cannot run in a transaction. Begin the file with "-- outside a transaction".`,
      )
    if (isOutside && statement !== '' && !/\b(?:if (?:not )?exists|validate constraint)\b/i.test(statement)) {
      problems.push(
        `${file}: "${statement.slice(0, 80)}" may run twice outside a transaction. Put it into a file of its own.`,
      )
    }
  }
  return problems
}
