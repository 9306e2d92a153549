import type { Tx } from '@flashsheet/db/client'
import { mediaItems, orphanedFiles, uploads } from '@flashsheet/db/schema/media'
import { socialPages } from '@flashsheet/db/schema/social'
import { galleryItems, siteImages } from '@flashsheet/db/schema/website'
import { postMedia } from '@flashsheet/db/schema/posts'
import { and, inArray, isNull, lt, or } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import { existingItems } from './items.ts'

/** Rows that own files. The id of a page's picture contains the file's name, since a page owns only its current copy. */
export type OwnerKind = 'item' | 'galleryEntry' | 'upload' | 'siteImage' | 'pagePicture'

/** The ids of those of these rows that exist. An upload counts until it is finished; its result is an item. */
export async function listFileOwners(
  db: Tx,
  scope: Everyone,
  owners: readonly { kind: OwnerKind | 'nobody'; id: string }[],
): Promise<Record<OwnerKind, Set<string>>> {
  const idsOf = (kind: OwnerKind) => [...new Set(owners.flatMap((owner) => (owner.kind === kind ? owner.id : [])))]
  // Uploads before items: an upload that becomes an item between these queries is found by at least one of them.
  const unfinished = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(inArray(uploads.id, [...idsOf('upload'), ...idsOf('item')]), isNull(uploads.finishedAt)))
  const items = await existingItems(db, scope, idsOf('item'))
  const entries = await db
    .select({ id: galleryItems.id })
    .from(galleryItems)
    .where(inArray(galleryItems.id, idsOf('galleryEntry')))
  const images = await db
    .select({ id: siteImages.id })
    .from(siteImages)
    .where(inArray(siteImages.id, idsOf('siteImage')))
  const pages = await db
    .select({ id: socialPages.id, file: socialPages.pictureFile })
    .from(socialPages)
    .where(inArray(socialPages.id, [...new Set(idsOf('pagePicture').map((name) => name.split('/')[0] ?? ''))]))
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
export async function recordOrphans(db: Tx, _scope: Everyone, keys: readonly string[], now: Date, before: Date) {
  if (keys.length === 0) return new Set()
  const rows = await db
    .insert(orphanedFiles)
    .values(keys.map((key) => ({ key, firstSeenAt: now, lastSeenAt: now })))
    .onConflictDoUpdate({ target: orphanedFiles.key, set: { lastSeenAt: now } })
    .returning({ key: orphanedFiles.key, firstSeenAt: orphanedFiles.firstSeenAt })
  return new Set(rows.filter(({ firstSeenAt }) => firstSeenAt <= before).map(({ key }) => key))
}

export async function deleteOrphanRecords(db: Tx, _scope: Everyone, keys: readonly string[]): Promise<void> {
  await db.delete(orphanedFiles).where(inArray(orphanedFiles.key, [...keys]))
}

/** Deletes the records of files that no sweep has found since `before`: they are deleted, or have an owner again. */
export async function deleteUnseenRecords(db: Tx, _scope: Everyone, before: Date): Promise<void> {
  await db.delete(orphanedFiles).where(lt(orphanedFiles.lastSeenAt, before))
}

export async function countOrphans(db: Tx, _scope: Everyone): Promise<{ orphans: number; items: number }> {
  return { orphans: await db.$count(orphanedFiles), items: await db.$count(mediaItems) }
}
