import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { enumChecks } from './enum-checks.ts'

/** The progress of jobs that process rows by age without deleting them. */
export const retentionMarks = pgTable(
  'retention_marks',
  {
    work: text({ enum: ['empty_posted_targets'] }).primaryKey(),
    /** All rows from before this instant are processed. */
    doneUntil: instant('done_until').notNull(),
  },
  (t) => enumChecks(t),
)
