import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { wordChecks } from './words.ts'

/** How far the jobs have come that go through rows by their age and leave them where they are. */
export const retentionMarks = pgTable(
  'retention_marks',
  {
    work: text({ enum: ['empty_posted_targets'] }).primaryKey(),
    /** All rows from before this instant are done. */
    doneUntil: timestamp('done_until', { withTimezone: true }).notNull(),
  },
  (t) => wordChecks(t),
)
