import type { Tx } from '@flashsheet/db/client'
import { uploads } from '@flashsheet/db/schema/media'
import { and, asc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'

export type UploadRow = typeof uploads.$inferSelect

const own = (owner: OwnerId, id: string) => and(eq(uploads.userId, owner), eq(uploads.id, id))

/** An upload as its sender announces it; the size of a form's file is 0. */
export type NewUpload = Pick<UploadRow, 'id' | 'source' | 'fileName' | 'mimeType' | 'bytes'>

export async function insertUpload(db: Tx, upload: typeof uploads.$inferInsert): Promise<void> {
  await db.insert(uploads).values(upload)
}

/** An artist's tus upload. */
export async function findUpload(db: Tx, owner: OwnerId, id: string): Promise<UploadRow | undefined> {
  const [upload] = await db
    .select()
    .from(uploads)
    .where(and(own(owner, id), eq(uploads.source, 'tus')))
  return upload
}

/** Any upload of the artist, locked until the transaction ends: serialises ingest and poster. */
export async function lockUpload(tx: Tx, owner: OwnerId, id: string): Promise<UploadRow | undefined> {
  const [upload] = await tx.select().from(uploads).where(own(owner, id)).for('update')
  return upload
}

export async function setPoster(tx: Tx, owner: OwnerId, id: string, posterKey: string): Promise<void> {
  await tx.update(uploads).set({ posterKey }).where(own(owner, id))
}

/** Marks uploads as ingested, with items of the same ids. */
export async function finishUploads(tx: Tx, owner: OwnerId, ids: readonly string[], now: Date): Promise<void> {
  await tx
    .update(uploads)
    .set({ mediaId: sql`${uploads.id}::uuid`, finishedAt: now, refusal: null })
    .where(and(eq(uploads.userId, owner), inArray(uploads.id, [...ids])))
}

/** An artist's unfinished uploads, the longest idle first. */
export async function listOpenUploads(tx: Tx, owner: OwnerId) {
  const rows = await tx
    .select({ id: uploads.id, source: uploads.source, createdAt: uploads.createdAt, arrivedAt: uploads.arrivedAt })
    .from(uploads)
    .where(and(eq(uploads.userId, owner), isNull(uploads.finishedAt)))
  return rows
    .map(({ id, source, createdAt, arrivedAt }) => ({ id, source, idleSince: arrivedAt ?? createdAt }))
    .toSorted((a, b) => a.idleSince.getTime() - b.idleSince.getTime())
}

export async function recordArrival(db: Tx, owner: OwnerId, id: string, now: Date): Promise<void> {
  await db.update(uploads).set({ arrivedAt: now }).where(own(owner, id))
}

export async function refuseUpload(db: Tx, owner: OwnerId, id: string, refusal: string, finishedAt: Date | null) {
  await db.update(uploads).set({ refusal, finishedAt }).where(own(owner, id))
}

/** Deletes unfinished uploads, and returns their ids. Waits for a transaction that is about to finish one of them. */
export async function deleteUnfinishedUploads(db: Tx, owner: OwnerId, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .delete(uploads)
    .where(and(eq(uploads.userId, owner), inArray(uploads.id, [...ids]), isNull(uploads.finishedAt)))
    .returning({ id: uploads.id })
  return rows.map((row) => row.id)
}

/** Deletes the records of uploads that were finished and were created before `before`. */
export async function deleteOldFinished(db: Tx, _scope: Everyone, before: Date): Promise<void> {
  await db.delete(uploads).where(and(isNotNull(uploads.finishedAt), lt(uploads.createdAt, before)))
}

/**
 * The next page, in the order of creation, of tus uploads that may be complete but were not ingested. Those that a full
 * library refused are left to their owner.
 */
export async function listUnfinished(db: Tx, _scope: Everyone, before: Date, after: UploadRow | undefined) {
  const isUnfinished = and(isNull(uploads.finishedAt), isNull(uploads.refusal), eq(uploads.source, 'tus'))
  const isNext =
    after &&
    sql`(${uploads.createdAt}, ${uploads.id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.id}::text)`
  return await db
    .select()
    .from(uploads)
    .where(and(isUnfinished, lt(uploads.createdAt, before), isNext))
    .orderBy(asc(uploads.createdAt), asc(uploads.id))
    .limit(1000)
}

/** Uploads that were not finished and were created before `before`, the oldest first. */
export async function listAbandoned(db: Tx, _scope: Everyone, before: Date): Promise<UploadRow[]> {
  return await db
    .select()
    .from(uploads)
    .where(and(isNull(uploads.finishedAt), lt(uploads.createdAt, before)))
    .orderBy(asc(uploads.createdAt))
    .limit(1000)
}

export async function findAnyUpload(db: Tx, _scope: Everyone, id: string): Promise<UploadRow | undefined> {
  const [upload] = await db.select().from(uploads).where(eq(uploads.id, id))
  return upload
}
