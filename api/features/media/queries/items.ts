import type { Tx } from '@flashsheet/db/client'
import { preparedRead } from '@flashsheet/db/prepared-statements'
import { users } from '@flashsheet/db/schema/auth'
import { mediaItems, uploads } from '@flashsheet/db/schema/media'
import { postMedia } from '@flashsheet/db/schema/posts'
import { and, desc, eq, getTableColumns, inArray, isNull } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'

// A later release drops `sha256`, so nothing may read it (docs/operating.md, "Migrations").
const { sha256: _unused, ...itemColumns } = getTableColumns(mediaItems)

export type MediaRow = Pick<typeof mediaItems.$inferSelect, keyof typeof itemColumns>

const own = (owner: OwnerId, id: string) => and(eq(mediaItems.userId, owner), eq(mediaItems.id, id))
const ownAmong = (owner: OwnerId, ids: readonly string[]) =>
  and(eq(mediaItems.userId, owner), inArray(mediaItems.id, [...ids]))

const readItems = preparedRead(itemColumns, ['owner'], (select, { owner }) =>
  select.from(mediaItems).where(eq(mediaItems.userId, owner)).orderBy(desc(mediaItems.createdAt), desc(mediaItems.id)),
)

/** The library, newest first; within one request, the last file sent first. */
export async function listItems(db: Tx, owner: OwnerId): Promise<MediaRow[]> {
  return await readItems(db, { owner })
}

export async function findItem(db: Tx, owner: OwnerId, id: string): Promise<MediaRow | undefined> {
  const [item] = await db.select(itemColumns).from(mediaItems).where(own(owner, id))
  return item
}

export async function findItems(db: Tx, owner: OwnerId, ids: readonly string[]): Promise<MediaRow[]> {
  return await db.select(itemColumns).from(mediaItems).where(ownAmong(owner, ids))
}

/** Items locked against deletion until this transaction ends; unordered. */
export async function lockItemsForUse(tx: Tx, owner: OwnerId, ids: readonly string[]): Promise<MediaRow[]> {
  return await tx.select(itemColumns).from(mediaItems).where(ownAmong(owner, ids)).for('key share')
}

/** Locks items for deletion and returns their ids. */
export async function lockItemsForDeletion(tx: Tx, owner: OwnerId, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: mediaItems.id })
    .from(mediaItems)
    .where(ownAmong(owner, ids))
    .orderBy(mediaItems.id)
    .for('update')
  return rows.map((row) => row.id)
}

export async function deleteItems(tx: Tx, owner: OwnerId, ids: readonly string[]): Promise<void> {
  await tx.delete(mediaItems).where(ownAmong(owner, ids))
}

export async function countItems(db: Tx, owner: OwnerId): Promise<number> {
  return await db.$count(mediaItems, eq(mediaItems.userId, owner))
}

/** Serialises additions to an artist's library, so that the limit holds. */
export async function lockLibrary(tx: Tx, owner: OwnerId): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, owner)).for('no key update')
}

export async function insertItems(tx: Tx, rows: readonly MediaRow[]): Promise<void> {
  await tx
    .insert(mediaItems)
    .values([...rows])
    .onConflictDoNothing({ target: mediaItems.id })
}

export async function setThumbnail(tx: Tx, owner: OwnerId, id: string, thumbnailKey: string): Promise<void> {
  await tx.update(mediaItems).set({ thumbnailKey }).where(own(owner, id))
}

/** Which of these items still exist. */
export async function existingItems(db: Tx, _scope: Everyone, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ id: mediaItems.id })
    .from(mediaItems)
    .where(inArray(mediaItems.id, [...ids]))
  return rows.map((row) => row.id)
}

/** Which of these thumbnails of deleted items a post still shows. */
export async function thumbnailsOfPosts(db: Tx, _scope: Everyone, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .selectDistinct({ key: postMedia.thumbnailKey })
    .from(postMedia)
    .where(and(isNull(postMedia.mediaId), inArray(postMedia.thumbnailKey, [...keys])))
  return new Set(rows.map((row) => row.key))
}

/** Every id of this artist that may have files: items, and current or former uploads. */
export async function listOwnedIds(tx: Tx, owner: OwnerId): Promise<string[]> {
  const [items, sentUploads] = await Promise.all([
    tx.select({ id: mediaItems.id }).from(mediaItems).where(eq(mediaItems.userId, owner)),
    tx.select({ id: uploads.id }).from(uploads).where(eq(uploads.userId, owner)),
  ])
  return [...new Set([...items, ...sentUploads].map((row) => row.id))]
}
