import type { Flash } from '@flashsheet/contracts/website/schema'
import type { Tx } from '@flashsheet/db/client'
import { galleryItems, type PublicRenditions } from '@flashsheet/db/schema/website'
import { and, asc, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Everyone, OwnerId, PublicSite } from '../../../core/scope.ts'

export type GalleryRow = typeof galleryItems.$inferSelect

/** Entries that were added concurrently may share a position; the older id is first. */
const galleryOrder = [asc(galleryItems.position), asc(galleryItems.id)]

/** An artist's gallery, in the artist's order. */
export async function listGalleryRows(db: Tx, owner: OwnerId): Promise<GalleryRow[]> {
  return await db
    .select()
    .from(galleryItems)
    .where(eq(galleryItems.userId, owner))
    .orderBy(...galleryOrder)
}

export type PublicGalleryRow = Awaited<ReturnType<typeof listPublicGalleryRows>>[number]

/** The entries of an artist's gallery that have public renditions, in the artist's order. */
export async function listPublicGalleryRows(db: Tx, owner: OwnerId | PublicSite) {
  const { id, mediaId, altText, token, renditions, flash } = galleryItems
  const rows = await db
    .select({ id, mediaId, altText, token, renditions, flash })
    .from(galleryItems)
    .where(eq(galleryItems.userId, owner))
    .orderBy(...galleryOrder)
  return rows.flatMap((row) => (row.renditions ? [{ ...row, renditions: row.renditions }] : []))
}

export type NewGalleryRow = Pick<GalleryRow, 'id' | 'mediaId' | 'token' | 'createdAt'>

/**
 * Appends entries in this order, except those whose item is in the gallery already. Returns the ids of the new ones.
 */
export async function appendGalleryRows(tx: Tx, owner: OwnerId, rows: readonly NewGalleryRow[]): Promise<string[]> {
  if (rows.length === 0) return []
  const last = sql<number>`(select coalesce(max(${galleryItems.position}), 0) from ${galleryItems} where ${galleryItems.userId} = ${owner})`
  const added = await tx
    .insert(galleryItems)
    .values(rows.map((row, n) => ({ ...row, userId: owner, position: sql`${last} + ${n + 1}` })))
    .onConflictDoNothing({ target: galleryItems.mediaId })
    .returning({ id: galleryItems.id })
  return added.map((row) => row.id)
}

/** Deletes the entries of these items and returns them. */
export async function deleteGalleryRows(
  tx: Tx,
  owner: OwnerId,
  mediaIds: readonly string[],
): Promise<Pick<GalleryRow, 'id' | 'mediaId'>[]> {
  return await tx
    .delete(galleryItems)
    .where(and(eq(galleryItems.userId, owner), inArray(galleryItems.mediaId, [...mediaIds])))
    .returning({ id: galleryItems.id, mediaId: galleryItems.mediaId })
}

/** Sets the position of each item's entry to its place in the list. */
export async function setOrder(tx: Tx, owner: OwnerId, mediaIds: readonly string[]): Promise<void> {
  const positions = sql.join(
    mediaIds.map((id, n) => sql`(${id}::uuid, ${n + 1}::integer)`),
    sql`, `,
  )
  await tx.execute(sql`
    update ${galleryItems} set position = place.position
    from (values ${positions}) as place (media_id, position)
    where ${galleryItems.userId} = ${owner} and ${galleryItems.mediaId} = place.media_id`)
}

/** Returns whether the entry exists. */
export async function updateEntry(
  tx: Tx,
  owner: OwnerId,
  mediaId: string,
  change: { altText: string } | { flash: Flash | null },
): Promise<boolean> {
  const changed = await tx
    .update(galleryItems)
    .set(change)
    .where(and(eq(galleryItems.userId, owner), eq(galleryItems.mediaId, mediaId)))
  return changed.count > 0
}

export async function findGalleryRow(db: Tx, _scope: Everyone, id: string): Promise<GalleryRow | undefined> {
  const [row] = await db.select().from(galleryItems).where(eq(galleryItems.id, id))
  return row
}

/** Entries without public renditions that were created in a span of time. */
export async function listWithoutRenditions(
  db: Tx,
  _scope: Everyone,
  span: { from: Date; to: Date },
): Promise<string[]> {
  const rows = await db
    .select({ id: galleryItems.id })
    .from(galleryItems)
    .where(
      and(isNull(galleryItems.renditions), gte(galleryItems.createdAt, span.from), lt(galleryItems.createdAt, span.to)),
    )
    .limit(1000)
  return rows.map((row) => row.id)
}

/** Stores an entry's renditions once. False: it is deleted, or has some already. */
export async function setRenditions(
  tx: Tx,
  owner: OwnerId,
  id: string,
  renditions: PublicRenditions,
): Promise<boolean> {
  const changed = await tx
    .update(galleryItems)
    .set({ renditions })
    .where(and(eq(galleryItems.userId, owner), eq(galleryItems.id, id), isNull(galleryItems.renditions)))
  return changed.count > 0
}
