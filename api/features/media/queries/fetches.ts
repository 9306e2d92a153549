import type { Tx } from '@flashsheet/db/client'
import { mediaFetches } from '@flashsheet/db/schema/media'
import { and, eq, lt } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'

export type FetchRow = typeof mediaFetches.$inferSelect

/** False: the request id is taken. */
export async function insertFetch(tx: Tx, row: typeof mediaFetches.$inferInsert): Promise<boolean> {
  return (await tx.insert(mediaFetches).values(row).onConflictDoNothing()).count === 1
}

export async function findFetch(db: Tx, owner: OwnerId, id: string): Promise<FetchRow | undefined> {
  const [row] = await db
    .select()
    .from(mediaFetches)
    .where(and(eq(mediaFetches.userId, owner), eq(mediaFetches.id, id)))
  return row
}

export async function findFetchByRequest(db: Tx, owner: OwnerId, requestId: string): Promise<FetchRow | undefined> {
  const [row] = await db
    .select()
    .from(mediaFetches)
    .where(and(eq(mediaFetches.userId, owner), eq(mediaFetches.requestId, requestId)))
  return row
}

/** Counts the artist's fetches that have not ended. */
export async function countOpenFetches(tx: Tx, owner: OwnerId): Promise<number> {
  return await tx.$count(mediaFetches, and(eq(mediaFetches.userId, owner), eq(mediaFetches.state, 'fetching')))
}

/** A fetch that has not ended, for its job. */
export async function findOpenFetch(db: Tx, _scope: Everyone, id: string): Promise<FetchRow | undefined> {
  const [row] = await db
    .select()
    .from(mediaFetches)
    .where(and(eq(mediaFetches.id, id), eq(mediaFetches.state, 'fetching')))
  return row
}

/** False: it has ended already. */
export async function endFetch(
  tx: Tx,
  owner: OwnerId,
  id: string,
  result: { state: 'done' } | { state: 'failed'; message: string },
): Promise<boolean> {
  const ended = await tx
    .update(mediaFetches)
    .set(result)
    .where(and(eq(mediaFetches.userId, owner), eq(mediaFetches.id, id), eq(mediaFetches.state, 'fetching')))
  return ended.count > 0
}

export async function deleteOldFetches(db: Tx, _scope: Everyone, before: Date): Promise<void> {
  await db.delete(mediaFetches).where(lt(mediaFetches.createdAt, before))
}

/** Fails the unfinished fetches that were created before `before`. */
export async function failFetches(db: Tx, _scope: Everyone, before: Date, message: string): Promise<void> {
  await db
    .update(mediaFetches)
    .set({ state: 'failed', message })
    .where(and(eq(mediaFetches.state, 'fetching'), lt(mediaFetches.createdAt, before)))
}
