import type { Tx } from '@flashsheet/db/client'
import { mediaItems, orphanedFiles, uploads } from '@flashsheet/db/schema/media'
import { socialPages } from '@flashsheet/db/schema/social'
import { galleryItems, siteImages } from '@flashsheet/db/schema/website'
import { postMedia } from '@flashsheet/db/schema/posts'
import { and, count, inArray, isNull, lt, or } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import { existingItems } from './items.ts'

/** Ids of rows that own files. */
type OwnerIds = Record<'item' | 'galleryEntry' | 'upload' | 'siteImage' | 'pagePicture', readonly string[]>

/** Which of these rows exist. An upload counts until it is finished; its result is an item. */
export async function listFileOwners(
  db: Tx,
  scope: Everyone,
  ids: OwnerIds,
): Promise<Record<keyof OwnerIds, Set<string>>> {
  const uploadOrItemIds = [...new Set([...ids.upload, ...ids.item])]
  // Uploads before items: an upload that becomes an item between these queries is found by at least one of them.
  const unfinished = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(inArray(uploads.id, uploadOrItemIds), isNull(uploads.finishedAt)))
  const items = await existingItems(db, scope, ids.item)
  const entries = await db
    .select({ id: galleryItems.id })
    .from(galleryItems)
    .where(inArray(galleryItems.id, [...ids.galleryEntry]))
  const images = await db
    .select({ id: siteImages.id })
    .from(siteImages)
    .where(inArray(siteImages.id, [...ids.siteImage]))
  const pages = await db
    .select({ id: socialPages.id, file: socialPages.pictureFile })
    .from(socialPages)
    .where(inArray(socialPages.id, [...new Set(ids.pagePicture.map((name) => name.split('/')[0] ?? ''))]))
  const unfinishedIds = unfinished.map((row) => row.id)
  return {
    item: new Set([...items, ...unfinishedIds]),
    galleryEntry: new Set(entries.map((row) => row.id)),
    upload: new Set(unfinishedIds),
    siteImage: new Set(images.map((row) => row.id)),
    pagePicture: new Set(pages.map((row) => `${row.id}/${row.file}`)),
  }
}

/** The thumbnails of these items that an item, an upload or a post uses. */
export async function listUsedThumbnails(db: Tx, _scope: Everyone, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const items = await db
    .select({ key: mediaItems.thumbnailKey })
    .from(mediaItems)
    .where(inArray(mediaItems.id, [...ids]))
  const posters = await db
    .select({ key: uploads.posterKey })
    .from(uploads)
    .where(or(inArray(uploads.id, [...ids]), inArray(uploads.mediaId, [...ids])))
  const ofPosts = await db
    .selectDistinct({ key: postMedia.thumbnailKey })
    .from(postMedia)
    .where(inArray(postMedia.mediaId, [...ids]))
  return new Set([...items, ...posters, ...ofPosts].flatMap(({ key }) => key ?? []))
}

/** Records orphaned files, and returns those that were first recorded before `before`. */
export async function recordOrphans(
  db: Tx,
  _scope: Everyone,
  keys: readonly string[],
  now: Date,
  before: Date,
): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await db
    .insert(orphanedFiles)
    .values(keys.map((key) => ({ key, firstSeenAt: now, lastSeenAt: now })))
    .onConflictDoUpdate({ target: orphanedFiles.key, set: { lastSeenAt: now } })
    .returning({ key: orphanedFiles.key, firstSeenAt: orphanedFiles.firstSeenAt })
  return rows.filter(({ firstSeenAt }) => firstSeenAt <= before).map(({ key }) => key)
}

export async function deleteOrphanRecords(db: Tx, _scope: Everyone, keys: readonly string[]): Promise<void> {
  await db.delete(orphanedFiles).where(inArray(orphanedFiles.key, [...keys]))
}

/** Deletes the records of files that no sweep has found since `before`: they are deleted, or have an owner again. */
export async function deleteUnseenRecords(db: Tx, _scope: Everyone, before: Date): Promise<void> {
  await db.delete(orphanedFiles).where(lt(orphanedFiles.lastSeenAt, before))
}

export async function countOrphans(db: Tx, _scope: Everyone): Promise<{ orphans: number; items: number }> {
  const [[orphans], [items]] = [
    await db.select({ n: count() }).from(orphanedFiles),
    await db.select({ n: count() }).from(mediaItems),
  ]
  return { orphans: orphans?.n ?? 0, items: items?.n ?? 0 }
}
