import { subscriptionOpens } from '@flashsheet/db/entitlements'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import type { DayHours } from '@flashsheet/contracts/appointments/schema'
import type { PlanId, SubscriptionStatus } from '@flashsheet/contracts/plans'
import type { Tx } from '@flashsheet/db/client'
import { frequentRead, idList } from '@flashsheet/db/reads'
import { bookingHours } from '@flashsheet/db/schema/appointments'
import { users } from '@flashsheet/db/schema/auth'
import { formerSiteNames, galleryItems, siteImages, sites, type PublicRenditions } from '@flashsheet/db/schema/website'
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

/** Whether clients may ask for times at an artist's site, which they may until the artist has said otherwise, and the hours that were set. */
export async function findHours(
  db: Tx,
  artist: PublicSite,
): Promise<{ takesBookings: boolean; weekly: (DayHours | null)[] | null }> {
  const [row] = await db
    .select({ takesBookings: bookingHours.takesBookings, weekly: bookingHours.weekly })
    .from(bookingHours)
    .where(eq(bookingHours.userId, artist))
  return row ?? { takesBookings: true, weekly: null }
}

/** Lets one save of an artist's site follow another, the first one too. */
export async function lockSite(tx: Tx, owner: OwnerId): Promise<SiteRow | undefined> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, owner)).for('no key update')
  return await findSite(tx, owner)
}

export async function upsertSite(tx: Tx, row: SiteRow): Promise<void> {
  const { userId, createdAt: _kept, ...values } = row
  await tx
    .insert(sites)
    .values(row)
    .onConflictDoUpdate({ target: sites.userId, set: values, setWhere: eq(sites.userId, userId) })
}

/** Whether somebody else has this name. */
export async function isNameTaken(db: Tx, owner: OwnerId, domainName: string): Promise<boolean> {
  const rows = await db
    .select({ userId: sites.userId })
    .from(sites)
    .where(and(eq(sites.domainName, domainName), ne(sites.userId, owner)))
  return rows.length > 0
}

/** Whether somebody else left this name after then. */
export async function isNameKept(db: Tx, owner: OwnerId, domainName: string, leftAfter: Date): Promise<boolean> {
  const rows = await db
    .select({ userId: formerSiteNames.userId })
    .from(formerSiteNames)
    .where(
      and(
        eq(formerSiteNames.domainName, domainName),
        ne(formerSiteNames.userId, owner),
        gt(formerSiteNames.leftAt, leftAfter),
      ),
    )
  return rows.length > 0
}

/** Writes down that an artist went from one name to another, which then is nobody's former one any more. Of each artist so many stay. */
export async function releaseDomainName(
  tx: Tx,
  owner: OwnerId,
  { left, taken, most }: { left: string; taken: string; most: number },
  now: Date,
): Promise<void> {
  await claimDomainName(tx, owner, taken)
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
            .limit(most),
        ),
      ),
    )
}

/** A name that is a site's again leads nowhere else. */
export async function claimDomainName(tx: Tx, _owner: OwnerId, domainName: string): Promise<void> {
  await tx.delete(formerSiteNames).where(eq(formerSiteNames.domainName, domainName))
}

/** The name of the site whose artist left this one. */
export async function findNewName(db: Tx, _scope: Everyone, left: string): Promise<string | undefined> {
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

/** A site by its name, with what decides whether it may be seen. */
export type FoundSite = { site: SiteRow; isActive: boolean; plan: PlanId | null; status: SubscriptionStatus | null }

const current = currentSubscriptionOf(sites.userId)

/** Looked up by everybody who visits; what may be shown of it is decided by the service. */
export async function findSiteByName(db: Tx, _scope: Everyone, domainName: string): Promise<FoundSite | undefined> {
  const [row] = await db
    .select({ ...getTableColumns(sites), isActive: users.isActive, plan: current.plan, status: current.status })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.userId))
    .leftJoinLateral(current, sql`true`)
    .where(eq(sites.domainName, domainName))
  if (!row) return undefined
  const { isActive, plan, status, ...site } = row
  return { site, isActive, plan, status }
}

/** What decides whether an artist's site may be seen, of whichever artist a picture is. */
const shownColumns = {
  published: sites.published,
  closedAt: sites.closedAt,
  isActive: users.isActive,
  plan: current.plan,
  status: current.status,
}

/** What decides whether a site may be seen. */
export type SiteState = Omit<FoundSite, 'site'> & { site: Pick<SiteRow, 'published' | 'closedAt'> }

const readSiteState = frequentRead(
  { ...shownColumns, artist: sites.userId },
  ['domainName'],
  (select, { domainName }) =>
    select
      .from(sites)
      .innerJoin(users, eq(users.id, sites.userId))
      .leftJoinLateral(current, sql`true`)
      .where(eq(sites.domainName, domainName)),
)

/** A site by its name, without its content: a visitor's question about free times needs no more. */
export async function findSiteState(
  db: Tx,
  _scope: Everyone,
  domainName: string,
): Promise<(SiteState & { artist: string }) | undefined> {
  const [row] = await readSiteState(db, { domainName })
  if (!row) return undefined
  const { published, closedAt, ...others } = row
  return { site: { published, closedAt }, ...others }
}

/** The artist of a picture, and their site where there is one. */
export type PictureOwner = { userId: string; site: SiteState | undefined }

/** Whose picture of a site this is. */
export async function findImageOwner(db: Tx, _scope: Everyone, id: string): Promise<PictureOwner | undefined> {
  const [row] = await db
    .select({ ...shownColumns, artist: siteImages.userId })
    .from(siteImages)
    .innerJoin(users, eq(users.id, siteImages.userId))
    .leftJoin(sites, eq(sites.userId, siteImages.userId))
    .leftJoinLateral(current, sql`true`)
    .where(eq(siteImages.id, id))
  return pictureOwner(row)
}

/** The gallery entry behind a public address, and whose it is. */
export async function findGalleryEntry(
  db: Tx,
  _scope: Everyone,
  token: string,
): Promise<{ id: string; mediaId: string; renditions: PublicRenditions | null; owner: PictureOwner } | undefined> {
  const [row] = await db
    .select({
      ...shownColumns,
      artist: galleryItems.userId,
      id: galleryItems.id,
      mediaId: galleryItems.mediaId,
      renditions: galleryItems.renditions,
    })
    .from(galleryItems)
    .innerJoin(users, eq(users.id, galleryItems.userId))
    .leftJoin(sites, eq(sites.userId, galleryItems.userId))
    .leftJoinLateral(current, sql`true`)
    .where(eq(galleryItems.token, token))
  const owner = pictureOwner(row)
  return row && owner && { id: row.id, mediaId: row.mediaId, renditions: row.renditions, owner }
}

type Shown = Omit<FoundSite, 'site'> & { artist: string; published: boolean | null; closedAt: Date | null }

function pictureOwner(row: Shown | undefined): PictureOwner | undefined {
  if (!row) return undefined
  const { published, closedAt, isActive, plan, status } = row
  return {
    userId: row.artist,
    site: published === null ? undefined : { site: { published, closedAt }, isActive, plan, status },
  }
}

/** Whether the artist's plan includes a site now; the rule of `rules.ts`, for all sites at once. */
const included = exists(
  new QueryBuilder()
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, sites.userId), subscriptionOpens('publicSite'))),
)

/** Writes down since when sites are closed, and forgets it of those that are open again. */
export async function settleClosedSites(db: Tx, _scope: Everyone, now: Date): Promise<void> {
  await db
    .update(sites)
    .set({ closedAt: now })
    .where(and(isNull(sites.closedAt), not(included)))
  await db
    .update(sites)
    .set({ closedAt: null })
    .where(and(sql`${sites.closedAt} is not null`, included))
}

/** Notes that what the site shows has changed, where there is a site. */
export async function touchSite(tx: Tx, owner: OwnerId, now: Date): Promise<void> {
  await tx.update(sites).set({ updatedAt: now }).where(eq(sites.userId, owner))
}

export async function closeSite(tx: Tx, owner: OwnerId, now: Date): Promise<void> {
  await tx.update(sites).set({ closedAt: now }).where(eq(sites.userId, owner))
}

/** Every site that stands open, for the list search engines read. */
export async function listOpenSites(
  db: Tx,
  _scope: Everyone,
  limit: number,
): Promise<{ domainName: string; updatedAt: Date }[]> {
  return await db
    .select({ domainName: sites.domainName, updatedAt: sites.updatedAt })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.userId))
    .where(and(eq(sites.published, true), eq(users.isActive, true), included))
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
  forms: Pick<SiteImageRow, 'sizes' | 'clear' | 'lightness'>,
): Promise<void> {
  await tx
    .update(siteImages)
    .set(forms)
    .where(and(eq(siteImages.userId, owner), eq(siteImages.id, id)))
}

/** Transparent logos that were stored before their lightness was measured, after an id. */
export async function listUnmeasuredLogos(
  db: Tx,
  _scope: Everyone,
  after: string,
  limit: number,
): Promise<{ id: string; userId: string }[]> {
  return await db
    .select({ id: siteImages.id, userId: siteImages.userId })
    .from(siteImages)
    .innerJoin(sites, and(eq(sites.userId, siteImages.userId), eq(sites.logoImageId, siteImages.id)))
    .where(and(eq(siteImages.clear, true), isNull(siteImages.lightness), gt(siteImages.id, after)))
    .orderBy(asc(siteImages.id))
    .limit(limit)
}

/** Writes down how light a picture is, once. False: it is gone, or another run was first. */
export async function setLightness(tx: Tx, owner: OwnerId, id: string, lightness: number): Promise<boolean> {
  const changed = await tx
    .update(siteImages)
    .set({ lightness })
    .where(and(eq(siteImages.userId, owner), eq(siteImages.id, id), isNull(siteImages.lightness)))
    .returning({ id: siteImages.id })
  return changed.length > 0
}

export async function deleteImage(tx: Tx, owner: OwnerId, id: string): Promise<void> {
  await tx.delete(siteImages).where(and(eq(siteImages.userId, owner), eq(siteImages.id, id)))
}

/** Uploads that no site shows, older than this; the database keeps those that one shows. */
export async function deleteLooseImages(db: Tx, _scope: Everyone, uploadedBefore: Date): Promise<string[]> {
  const rows = await db
    .delete(siteImages)
    .where(
      and(
        lt(siteImages.uploadedAt, uploadedBefore),
        sql`not exists (select 1 from ${sites} where ${sites.userId} = ${siteImages.userId}
          and ${siteImages.id} in (${sites.logoImageId}, ${sites.backgroundImageId}, ${sites.profileImageId}))`,
      ),
    )
    .returning({ id: siteImages.id })
  return rows.map((row) => row.id)
}

/** Which of these uploads are still there; ids that no upload can have are left out before. */
export async function existingImages(db: Tx, _scope: Everyone, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  // One value, however many: a statement can have no more than 65,535.
  const rows = await db
    .select({ id: siteImages.id })
    .from(siteImages)
    .where(sql`${siteImages.id} = any(${idList(ids)}::text[])`)
  return rows.map((row) => row.id)
}
