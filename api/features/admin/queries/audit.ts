import type { Tx } from '@flashsheet/db/client'
import { auditEntries } from '@flashsheet/db/schema/admin'
import { users } from '@flashsheet/db/schema/auth'
import { desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Everyone } from '../../../core/scope.ts'
import { countUpTo, type Slice } from './users.ts'

export async function insertAuditEntry(
  tx: Tx,
  _scope: Everyone,
  entry: typeof auditEntries.$inferInsert,
): Promise<void> {
  await tx.insert(auditEntries).values(entry)
}

/** The number of entries; `maxCount` + 1 if there are more. */
export async function countAuditEntries(db: Tx, _scope: Everyone, maxCount: number): Promise<number> {
  return await countUpTo(db, sql`select 1 from ${auditEntries}`, maxCount)
}

const actors = alias(users, 'actors')
const subjects = alias(users, 'subjects')

/** Newest first, with the current names of the accounts. */
export async function listAuditEntries(db: Tx, _scope: Everyone, slice: Slice) {
  const { id, at } = auditEntries
  return await db
    .select({ ...getTableColumns(auditEntries), actorName: actors.name, subjectName: subjects.name })
    .from(auditEntries)
    .leftJoin(actors, eq(actors.id, auditEntries.actorId))
    .leftJoin(subjects, eq(subjects.id, auditEntries.subjectId))
    // A subquery selects the page first, so that names are joined for its rows only.
    .where(
      inArray(
        id,
        db.select({ id }).from(auditEntries).orderBy(desc(at), desc(id)).limit(slice.limit).offset(slice.offset),
      ),
    )
    .orderBy(desc(at), desc(id))
}

export type AuditRow = Awaited<ReturnType<typeof listAuditEntries>>[number]
