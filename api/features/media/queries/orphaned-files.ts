import type { Tx } from '@flashsheet/db/client'
import { mediaItems, unnamedFiles, uploads } from '@flashsheet/db/schema/media'
import { socialPages } from '@flashsheet/db/schema/social'
import { galleryItems, siteImages } from '@flashsheet/db/schema/website'
import { postMedia } from '@flashsheet/db/schema/posts'
import { and, count, inArray, isNull, lt, or } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import { existingItems } from './items.ts'

/** Ids of rows that own files. */
type HolderIds = Record<'item' | 'galleryEntry' | 'upload' | 'siteImage' | 'pagePicture', readonly string[]>

/** Which of these rows exist. An upload counts until it is finished; its result is an item. */
export async function listFileOwners(
  db: Tx,
  scope: Everyone,
  ids: HolderIds,
): Promise<Record<keyof HolderIds, Set<string>>> {
  const open = [...new Set([...ids.upload, ...ids.item])]
  // In this order, so that an upload that becomes an item meanwhile is seen as one or the other.
  const underWay = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(inArray(uploads.id, open), isNull(uploads.finishedAt)))
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
  const arriving = underWay.map((row) => row.id)
  return {
    item: new Set([...items, ...arriving]),
    galleryEntry: new Set(entries.map((row) => row.id)),
    upload: new Set(arriving),
    siteImage: new Set(images.map((row) => row.id)),
    pagePicture: new Set(pages.map((row) => `${row.id}/${row.file}`)),
  }
}

/** The thumbnails of these items that an item, an upload or a post names. */
export async function listNamedThumbnails(db: Tx, _scope: Everyone, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const items = await db
    .select({ key: mediaItems.thumbnailKey })
    .from(mediaItems)
    .where(inArray(mediaItems.id, [...ids]))
  const posters = await db
    .select({ key: uploads.posterKey })
    .from(uploads)
    .where(or(inArray(uploads.id, [...ids]), inArray(uploads.mediaId, [...ids])))
  const shown = await db
    .selectDistinct({ key: postMedia.thumbnailKey })
    .from(postMedia)
    .where(inArray(postMedia.mediaId, [...ids]))
  return new Set([...items, ...posters, ...shown].flatMap(({ key }) => key ?? []))
}

/** Records orphaned files, and returns those that were recorded before `before` already. */
export async function noteOrphans(
  db: Tx,
  _scope: Everyone,
  keys: readonly string[],
  now: Date,
  before: Date,
): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await db
    .insert(unnamedFiles)
    .values(keys.map((key) => ({ key, firstSeenAt: now, lastSeenAt: now })))
    .onConflictDoUpdate({ target: unnamedFiles.key, set: { lastSeenAt: now } })
    .returning({ key: unnamedFiles.key, firstSeenAt: unnamedFiles.firstSeenAt })
  return rows.filter(({ firstSeenAt }) => firstSeenAt <= before).map(({ key }) => key)
}

export async function forgetOrphans(db: Tx, _scope: Everyone, keys: readonly string[]): Promise<void> {
  await db.delete(unnamedFiles).where(inArray(unnamedFiles.key, [...keys]))
}

/** Recorded files that no later sweep found: they are deleted, or have an owner again. */
export async function forgetUnseen(db: Tx, _scope: Everyone, before: Date): Promise<void> {
  await db.delete(unnamedFiles).where(lt(unnamedFiles.lastSeenAt, before))
}

export async function countOrphans(db: Tx, _scope: Everyone): Promise<{ unnamed: number; items: number }> {
  const [[unnamed], [items]] = [
    await db.select({ n: count() }).from(unnamedFiles),
    await db.select({ n: count() }).from(mediaItems),
  ]
  return { unnamed: unnamed?.n ?? 0, items: items?.n ?? 0 }
}
