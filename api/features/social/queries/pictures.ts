import type { Tx } from '@flashsheet/db/client'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { and, asc, eq, exists, inArray, isNotNull, lt, or } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'
import { isShown } from './accounts.ts'

/** A page with the file name of the copy of its picture, if it has one. */
export type PictureRow = { id: string; pictureFile: string | null }
const pictureColumns = { id: socialPages.id, pictureFile: socialPages.pictureFile }
/** A page whose picture is to be copied from `pictureSource`, replacing the older copy if there is one. */
export type PendingPicture = { id: string; pictureSource: string; pictureFile: string | null }

const ofOwner = (owner: OwnerId) => and(eq(socialAccounts.id, socialPages.accountId), eq(socialAccounts.userId, owner))

/** The same condition for an update, which cannot join. */
const isOwned = (tx: Tx, owner: OwnerId) =>
  exists(tx.select({ id: socialAccounts.id }).from(socialAccounts).where(ofOwner(owner)))

/** The first `limit` pages of an account whose pictures are to be copied. */
export async function listPendingPictures(db: Tx, owner: OwnerId, accountId: string, limit: number) {
  const rows = await db
    .select({ ...pictureColumns, pictureSource: socialPages.pictureSource })
    .from(socialPages)
    .innerJoin(socialAccounts, ofOwner(owner))
    .where(and(eq(socialPages.accountId, accountId), isShown, isNotNull(socialPages.pictureSource)))
    .orderBy(asc(socialPages.name), asc(socialPages.id))
    .limit(limit)
  return rows.flatMap(({ pictureSource, ...row }) => (pictureSource === null ? [] : [{ ...row, pictureSource }]))
}

/** Deletes all pages of an account and returns them, because the copies of their pictures remain; waits for a copy that is being stored. */
export async function deletePages(tx: Tx, owner: OwnerId, accountId: string): Promise<PictureRow[]> {
  return await tx
    .delete(socialPages)
    .where(and(eq(socialPages.accountId, accountId), isOwned(tx, owner)))
    .returning(pictureColumns)
}

/** Whether a visible page of the artist shows this copy. */
export async function isPictureShown(db: Tx, owner: OwnerId, id: string, pictureFile: string): Promise<boolean> {
  const rows = await db
    .select({ id: socialPages.id })
    .from(socialPages)
    .innerJoin(socialAccounts, ofOwner(owner))
    .where(and(eq(socialPages.id, id), eq(socialPages.pictureFile, pictureFile), isShown))
  return rows.length === 1
}

/** Whether a page has this copy, or may have it once the picture that it names is copied. */
export async function isPictureNeeded(db: Tx, _scope: Everyone, id: string, pictureFile: string): Promise<boolean> {
  const hasOrCopies = or(eq(socialPages.pictureFile, pictureFile), isNotNull(socialPages.pictureSource))
  return (await db.$count(socialPages, and(eq(socialPages.id, id), hasOrCopies))) > 0
}

/**
 * Ends the copying of a picture: `pictureFile` is the new copy, or the previous one if copying failed. False: another
 * picture is to be copied by now, or the page is deleted.
 */
export async function resolvePicture(
  tx: Tx,
  owner: OwnerId,
  { id, pictureSource }: PendingPicture,
  pictureFile: string | null,
): Promise<boolean> {
  const updated = await tx
    .update(socialPages)
    .set({ pictureSource: null, pictureFile })
    .where(and(eq(socialPages.id, id), eq(socialPages.pictureSource, pictureSource), isOwned(tx, owner)))
  return updated.count === 1
}

/** Stores a page's names at the network, and which picture is to be copied. */
export async function saveProfile(
  tx: Tx,
  owner: OwnerId,
  accountId: string,
  profile: { pageId: string; name: string; username: string | null; picture: string | null },
): Promise<void> {
  const { pageId, name, username, picture } = profile
  await tx
    .update(socialPages)
    .set({ name, username, pictureSource: picture })
    .where(and(eq(socialPages.accountId, accountId), eq(socialPages.pageId, pageId), isOwned(tx, owner)))
}

/** Clears the copies of pages that no longer have a picture, and returns the cleared ones. */
export async function clearPictures(tx: Tx, owner: OwnerId, accountId: string, pageIds: readonly string[]) {
  const withPicture = and(
    eq(socialPages.accountId, accountId),
    inArray(socialPages.pageId, [...pageIds]),
    isNotNull(socialPages.pictureFile),
    isOwned(tx, owner),
  )
  const rows = await tx.select(pictureColumns).from(socialPages).where(withPicture).for('update')
  if (rows.length > 0) await tx.update(socialPages).set({ pictureFile: null }).where(withPicture)
  return rows
}

/** Deletes pages that were removed before `before`, and returns them, because the copies of their pictures remain. */
export async function deleteRemovedPages(db: Tx, _scope: Everyone, before: Date): Promise<PictureRow[]> {
  return await db.delete(socialPages).where(lt(socialPages.removedAt, before)).returning(pictureColumns)
}
