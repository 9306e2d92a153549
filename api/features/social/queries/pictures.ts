import type { Tx } from '@flashsheet/db/client'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { and, asc, eq, exists, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'

/** A page with the name of the copy of its picture. */
export type PictureRow = { id: string; pictureFile: string }
/** A page whose picture is to be copied, in place of an older copy. */
export type WantedPicture = { id: string; pictureSource: string; pictureFile: string | null }

const ofOwner = (owner: OwnerId) => and(eq(socialAccounts.id, socialPages.accountId), eq(socialAccounts.userId, owner))

/** For an update of pages, which knows no join. */
const isOwned = (tx: Tx, owner: OwnerId) =>
  exists(tx.select({ id: socialAccounts.id }).from(socialAccounts).where(ofOwner(owner)))

/** The first `limit` pages of an account whose pictures are to be copied. */
export async function listWantedPictures(
  db: Tx,
  owner: OwnerId,
  accountId: string,
  limit: number,
): Promise<WantedPicture[]> {
  const rows = await db
    .select({ id: socialPages.id, pictureSource: socialPages.pictureSource, pictureFile: socialPages.pictureFile })
    .from(socialPages)
    .innerJoin(socialAccounts, ofOwner(owner))
    .where(
      and(
        eq(socialPages.accountId, accountId),
        isNull(socialAccounts.disconnectingAt),
        isNull(socialPages.removedAt),
        isNotNull(socialPages.pictureSource),
      ),
    )
    .orderBy(asc(socialPages.name), asc(socialPages.id))
    .limit(limit)
  return rows.flatMap(({ pictureSource, ...row }) => (pictureSource === null ? [] : [{ ...row, pictureSource }]))
}

/** Every copy of an account's pictures, also of pages that were removed. */
export async function listPictures(db: Tx, owner: OwnerId, accountId: string): Promise<PictureRow[]> {
  const rows = await db
    .select({ id: socialPages.id, pictureFile: socialPages.pictureFile })
    .from(socialPages)
    .innerJoin(socialAccounts, ofOwner(owner))
    .where(and(eq(socialPages.accountId, accountId), isNotNull(socialPages.pictureFile)))
  return rows.flatMap(({ id, pictureFile }) => (pictureFile === null ? [] : [{ id, pictureFile }]))
}

/** Whether this is the copy that a page of the artist shows. */
export async function isPictureShown(db: Tx, owner: OwnerId, { id, pictureFile }: PictureRow): Promise<boolean> {
  const rows = await db
    .select({ id: socialPages.id })
    .from(socialPages)
    .innerJoin(socialAccounts, ofOwner(owner))
    .where(
      and(
        eq(socialPages.id, id),
        eq(socialPages.pictureFile, pictureFile),
        isNull(socialAccounts.disconnectingAt),
        isNull(socialPages.removedAt),
      ),
    )
  return rows.length === 1
}

/**
 * Ends what was wanted: `pictureFile` is the new copy, or the one before where there is none. False when the network has named
 * another picture meanwhile, or the page is gone.
 */
export async function settlePicture(
  tx: Tx,
  owner: OwnerId,
  { id, pictureSource }: WantedPicture,
  pictureFile: string | null,
): Promise<boolean> {
  const rows = await tx
    .update(socialPages)
    .set({ pictureSource: null, pictureFile })
    .where(and(eq(socialPages.id, id), eq(socialPages.pictureSource, pictureSource), isOwned(tx, owner)))
    .returning({ id: socialPages.id })
  return rows.length === 1
}

/** Stores how the network shows a page now. */
export async function saveProfile(
  tx: Tx,
  owner: OwnerId,
  accountId: string,
  {
    pageId,
    name,
    username,
    picture,
  }: { pageId: string; name: string; username: string | null; picture: string | null },
): Promise<void> {
  await tx
    .update(socialPages)
    .set({ name, username, pictureSource: picture })
    .where(and(eq(socialPages.accountId, accountId), eq(socialPages.pageId, pageId), isOwned(tx, owner)))
}

/** Forgets the copies for pages that have no picture any more, and returns them. */
export async function forgetPictures(
  tx: Tx,
  owner: OwnerId,
  accountId: string,
  pageIds: readonly string[],
): Promise<PictureRow[]> {
  const gone = and(
    eq(socialPages.accountId, accountId),
    inArray(socialPages.pageId, [...pageIds]),
    isNotNull(socialPages.pictureFile),
    isOwned(tx, owner),
  )
  const rows = await tx
    .select({ id: socialPages.id, pictureFile: socialPages.pictureFile })
    .from(socialPages)
    .where(gone)
    .for('update')
  if (rows.length > 0) await tx.update(socialPages).set({ pictureFile: null }).where(gone)
  return rows.flatMap(({ id, pictureFile }) => (pictureFile === null ? [] : [{ id, pictureFile }]))
}

/** Deletes pages that were hidden before `before`, and returns whose pictures are left. */
export async function deleteRemovedPages(
  db: Tx,
  _everyone: Everyone,
  before: Date,
): Promise<{ id: string; pictureFile: string | null }[]> {
  return await db
    .delete(socialPages)
    .where(lt(socialPages.removedAt, before))
    .returning({ id: socialPages.id, pictureFile: socialPages.pictureFile })
}
