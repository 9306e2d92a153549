import { countedMatches } from '@flashsheet/contracts/admin'
import type { Tx } from '@flashsheet/db/client'
import { auditEntries } from '@flashsheet/db/schema/admin'
import { users } from '@flashsheet/db/schema/auth'
import { desc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Everyone } from '../../../core/scope.ts'
import type { Slice } from './users.ts'

export async function insertAuditEntry(tx: Tx, _scope: Everyone, entry: typeof auditEntries.$inferInsert): Promise<void> {
  await tx.insert(auditEntries).values(entry)
}

/** How many there are; one more than are counted when there are many. */
export async function countAuditEntries(db: Tx, _scope: Everyone): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`select count(*)::int as n from (select 1 from ${auditEntries} limit ${countedMatches + 1}) counted`)
  return row?.n ?? 0
}

const actors = alias(users, 'actors')
const subjects = alias(users, 'subjects')

/** The newest first, with the names the accounts have now. */
export async function listAuditEntries(db: Tx, _scope: Everyone, slice: Slice) {
  const { id, at, action, actorId, subjectId, fields } = auditEntries
  return await db
    .select({ id, at, action, actorId, subjectId, fields, actorName: actors.name, subjectName: subjects.name })
    .from(auditEntries)
    .leftJoin(actors, eq(actors.id, auditEntries.actorId))
    .leftJoin(subjects, eq(subjects.id, auditEntries.subjectId))
    .orderBy(desc(at), desc(id))
    .limit(slice.limit)
    .offset(slice.offset)
}

export type AuditRow = Awaited<ReturnType<typeof listAuditEntries>>[number]
