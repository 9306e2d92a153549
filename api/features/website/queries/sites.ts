import { isEntitledSql } from '@flashsheet/db/entitlements'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import type { PlanId, SubscriptionStatus } from '@flashsheet/contracts/plans'
import type { Tx } from '@flashsheet/db/client'
import { preparedRead, idList } from '@flashsheet/db/prepared-statements'
import { bookingHours } from '@flashsheet/db/schema/appointments'
import { users } from '@flashsheet/db/schema/auth'
import { formerSiteNames, galleryItems, siteImages, sites } from '@flashsheet/db/schema/website'
import { currentSubscriptionOf } from '@flashsheet/db/sessions'
import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNull,
  lt,
  ne,
  notInArray,
  sql,
  exists,
  not,
  getTableColumns,
} from 'drizzle-orm'
import type { Everyone, OwnerId, PublicSite } from '../../../core/scope.ts'

export type SiteRow = typeof sites.$inferSelect
export type SiteImageRow = typeof siteImages.$inferSelect

export async function findSite(db: Tx, owner: OwnerId): Promise<SiteRow | undefined> {
  const [row] = await db.select().from(sites).where(eq(sites.userId, owner))
  return row
}

/** Whether the artist's site takes bookings, which is the default, and the artist's hours; null: none were set. */
export async function findHours(db: Tx, artist: PublicSite) {
  const [row] = await db
    .select({ takesBookings: bookingHours.takesBookings, weekly: bookingHours.weekly })
    .from(bookingHours)
    .where(eq(bookingHours.userId, artist))
  return row ?? { takesBookings: true, weekly: null }
}

/** Serialises saves of an artist's site. Locks the artist's row, because the site's may not exist yet. */
export async function lockSite(tx: Tx, owner: OwnerId): Promise<SiteRow | undefined> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, owner)).for('no key update')
  return await findSite(tx, owner)
}

/** Of an existing site `closedAt` stays as it is, since the plan may have ended after the row was read. */
export async function upsertSite(tx: Tx, row: SiteRow): Promise<void> {
  const { userId, createdAt: _createdAt, closedAt: _closedAt, ...values } = row
  await tx
    .insert(sites)
    .values(row)
    .onConflictDoUpdate({ target: sites.userId, set: values, setWhere: eq(sites.userId, userId) })
}

/** Whether another artist's site has this name. */
export async function isNameTaken(db: Tx, owner: OwnerId, domainName: string): Promise<boolean> {
  return (await db.$count(sites, and(eq(sites.domainName, domainName), ne(sites.userId, owner)))) > 0
}

/** Whether another artist gave up this name after `leftAfter`. */
export async function isNameReserved(db: Tx, owner: OwnerId, domainName: string, leftAfter: Date): Promise<boolean> {
  const { userId, leftAt } = formerSiteNames
  const isReserved = and(eq(formerSiteNames.domainName, domainName), ne(userId, owner), gt(leftAt, leftAfter))
  return (await db.$count(formerSiteNames, isReserved)) > 0
}

/** Records that an artist gave up the name `left`, and retains the artist's newest `max` former names. */
export async function releaseDomainName(
  tx: Tx,
  owner: OwnerId,
  { left, max }: { left: string; max: number },
  now: Date,
): Promise<void> {
  await tx
    .insert(formerSiteNames)
    .values({ domainName: left, userId: owner, leftAt: now })
    .onConflictDoUpdate({ target: formerSiteNames.domainName, set: { userId: owner, leftAt: now } })
  await tx
    .delete(formerSiteNames)
    .where(
      and(
        eq(formerSiteNames.userId, owner),
        notInArray(
          formerSiteNames.domainName,
          tx
            .select({ name: formerSiteNames.domainName })
            .from(formerSiteNames)
            .where(eq(formerSiteNames.userId, owner))
            .orderBy(desc(formerSiteNames.leftAt))
            .limit(max),
        ),
      ),
    )
}

/** Deletes the record of a former name, whose visitors would be redirected to another site. */
export async function claimDomainName(tx: Tx, _owner: OwnerId, domainName: string): Promise<void> {
  await tx.delete(formerSiteNames).where(eq(formerSiteNames.domainName, domainName))
}

/** The current name of the site that had the name `left`. */
export async function findSuccessorName(db: Tx, _scope: Everyone, left: string): Promise<string | undefined> {
  const [row] = await db
    .select({ name: sites.domainName })
    .from(formerSiteNames)
    .innerJoin(sites, eq(sites.userId, formerSiteNames.userId))
    .where(eq(formerSiteNames.domainName, left))
  return row?.name
}

export async function listImages(db: Tx, owner: OwnerId | PublicSite, ids: readonly string[]): Promise<SiteImageRow[]> {
  if (ids.length === 0) return []
  return await db
    .select()
    .from(siteImages)
    .where(and(eq(siteImages.userId, owner), inArray(siteImages.id, [...ids])))
}

/** The same pictures, which no sweep deletes until the transaction ends. */
export async function lockImages(tx: Tx, owner: OwnerId, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: siteImages.id })
    .from(siteImages)
    .where(and(eq(siteImages.userId, owner), inArray(siteImages.id, [...ids])))
    .orderBy(asc(siteImages.id))
    .for('key share')
  return rows.map((row) => row.id)
}

const current = currentSubscriptionOf(sites.userId)
const visibilityColumns = {
  published: sites.published,
  closedAt: sites.closedAt,
  isActive: users.isActive,
  plan: current.plan,
  status: current.status,
}

/** The facts that decide who may see a site (`visibility` in `rules.ts`). `published` is null without a site. */
export type SiteState = {
  published: boolean | null
  closedAt: Date | null
  isActive: boolean
  plan: PlanId | null
  status: SubscriptionStatus | null
}

/** A site by its name, whatever its visibility. */
export async function findSiteByName(
  db: Tx,
  _scope: Everyone,
  domainName: string,
): Promise<(SiteRow & SiteState) | undefined> {
  const [row] = await db
    .select({ ...getTableColumns(sites), ...visibilityColumns })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.userId))
    .leftJoinLateral(current, sql`true`)
    .where(eq(sites.domainName, domainName))
  return row
}

const readSiteState = preparedRead(
  { ...visibilityColumns, userId: sites.userId },
  ['domainName'],
  (select, { domainName }) =>
    select
      .from(sites)
      .innerJoin(users, eq(users.id, sites.userId))
      .leftJoinLateral(current, sql`true`)
      .where(eq(sites.domainName, domainName)),
)

/** The facts that decide who may see a site, by its name. Reads less than `findSiteByName`, for lists of free times. */
export async function findSiteState(db: Tx, _scope: Everyone, domainName: string) {
  const [row] = await readSiteState(db, { domainName })
  return row
}

/** The artist who owns a picture, with the state of their site. */
export type PictureOwner = SiteState & { userId: string }

/** The owner of a site's picture. */
export async function findImageOwner(db: Tx, _scope: Everyone, id: string): Promise<PictureOwner | undefined> {
  const [row] = await db
    .select({ ...visibilityColumns, userId: siteImages.userId })
    .from(siteImages)
    .innerJoin(users, eq(users.id, siteImages.userId))
    .leftJoin(sites, eq(sites.userId, siteImages.userId))
    .leftJoinLateral(current, sql`true`)
    .where(eq(siteImages.id, id))
  return row
}

/** The gallery entry of a public address, with its owner. */
export async function findGalleryEntry(db: Tx, _scope: Everyone, token: string) {
  const { id, mediaId, renditions, userId } = galleryItems
  const [row] = await db
    .select({ ...visibilityColumns, id, mediaId, renditions, userId })
    .from(galleryItems)
    .innerJoin(users, eq(users.id, galleryItems.userId))
    .leftJoin(sites, eq(sites.userId, galleryItems.userId))
    .leftJoinLateral(current, sql`true`)
    .where(eq(galleryItems.token, token))
  return row
}

/** Whether the artist's subscription includes a site, as `visibility` in `rules.ts` decides it. */
const hasSiteInPlan = exists(
  new QueryBuilder()
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, sites.userId), isEntitledSql('publicSite'))),
)

/** Sets `closedAt` of sites whose plan no longer includes one, and clears it where one does again. */
export async function updateClosedSites(db: Tx, _scope: Everyone, now: Date): Promise<void> {
  await db
    .update(sites)
    .set({ closedAt: now })
    .where(and(isNull(sites.closedAt), not(hasSiteInPlan)))
  await db
    .update(sites)
    .set({ closedAt: null })
    .where(and(sql`${sites.closedAt} is not null`, hasSiteInPlan))
}

/** Records when the content of the artist's site changed, if there is a site. */
export async function touchSite(tx: Tx, owner: OwnerId, now: Date): Promise<void> {
  await tx.update(sites).set({ updatedAt: now }).where(eq(sites.userId, owner))
}

/** Records since when the artist's site is closed; null: it is not. */
export async function setClosedAt(tx: Tx, owner: OwnerId, closedAt: Date | null): Promise<void> {
  await tx.update(sites).set({ closedAt }).where(eq(sites.userId, owner))
}

/** The open sites, for the sitemap. */
export async function listOpenSites(db: Tx, _scope: Everyone, limit: number) {
  return await db
    .select({ domainName: sites.domainName, updatedAt: sites.updatedAt })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.userId))
    .where(and(eq(sites.published, true), eq(users.isActive, true), hasSiteInPlan))
    .orderBy(asc(sites.domainName))
    .limit(limit)
}

export async function insertImage(tx: Tx, row: SiteImageRow): Promise<void> {
  await tx.insert(siteImages).values(row)
}

export async function setImageRenditions(
  tx: Tx,
  owner: OwnerId,
  id: string,
  renditions: Pick<SiteImageRow, 'sizes' | 'clear' | 'lightness'>,
): Promise<void> {
  await tx
    .update(siteImages)
    .set(renditions)
    .where(and(eq(siteImages.userId, owner), eq(siteImages.id, id)))
}

/** Transparent logos without a stored lightness, with ids greater than `after`. */
export async function listUnmeasuredLogos(db: Tx, _scope: Everyone, after: string, limit: number) {
  return await db
    .select({ id: siteImages.id, userId: siteImages.userId })
    .from(siteImages)
    .innerJoin(sites, and(eq(sites.userId, siteImages.userId), eq(sites.logoImageId, siteImages.id)))
    .where(and(eq(siteImages.clear, true), isNull(siteImages.lightness), gt(siteImages.id, after)))
    .orderBy(asc(siteImages.id))
    .limit(limit)
}

/** Stores a picture's lightness once. False: it is deleted, or has one already. */
export async function setLightness(tx: Tx, owner: OwnerId, id: string, lightness: number): Promise<boolean> {
  const changed = await tx
    .update(siteImages)
    .set({ lightness })
    .where(and(eq(siteImages.userId, owner), eq(siteImages.id, id), isNull(siteImages.lightness)))
  return changed.count > 0
}

/**
 * Deletes a picture without renditions, and returns whether there was one. Waits for a transaction that is about to
 * store them.
 */
export async function deleteUnfinishedImage(tx: Tx, owner: OwnerId, id: string): Promise<boolean> {
  const deleted = await tx
    .delete(siteImages)
    .where(and(eq(siteImages.userId, owner), eq(siteImages.id, id), sql`${siteImages.sizes} = '[]'::jsonb`))
  return deleted.count > 0
}

/**
 * Deletes the pictures that no site uses and that are old enough. The locks wait for saves that are about to use one;
 * the second statement sees what these have saved.
 */
export async function deleteUnusedImages(tx: Tx, _scope: Everyone, uploadedBefore: Date): Promise<void> {
  const isUnused = sql`not exists (select 1 from ${sites} where ${sites.userId} = ${siteImages.userId}
    and ${siteImages.id} in (${sites.logoImageId}, ${sites.backgroundImageId}, ${sites.profileImageId}))`
  const unused = await tx
    .select({ id: siteImages.id })
    .from(siteImages)
    .where(and(lt(siteImages.uploadedAt, uploadedBefore), isUnused))
    .orderBy(asc(siteImages.id))
    .for('update')
  const ids = idList(unused.map((row) => row.id))
  await tx.delete(siteImages).where(and(sql`${siteImages.id} = any(${ids}::text[])`, isUnused))
}

/** Which of these pictures exist. The ids must be well-formed. */
export async function existingImages(db: Tx, _scope: Everyone, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  // One array value, because a statement can have at most 65,535 values.
  const rows = await db
    .select({ id: siteImages.id })
    .from(siteImages)
    .where(sql`${siteImages.id} = any(${idList(ids)}::text[])`)
  return rows.map((row) => row.id)
}
