import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { defaultBranding } from '@flashsheet/contracts/palette'
import { siteLayouts } from '@flashsheet/contracts/site-design'
import {
  type CheckDomainName,
  DomainName,
  type DomainNameVerdict,
  type SaveSite,
  type Site,
} from '@flashsheet/contracts/website/schema'
import { type ImageSlot, imageSlots, siteLimits } from '@flashsheet/contracts/website/limits'
import { siteMessages } from '@flashsheet/contracts/website/messages'
import { violatesUnique, type Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { StudioCtx, SubscriberCtx } from '../../../core/context.ts'
import { conflict, invalid } from '../../../core/errors.ts'
import { listPublicLinks, type PublicLink } from '../../social/service/public-links.ts'
import { galleryOf } from './gallery.ts'
import { siteAddress } from './public-site.ts'
import {
  findSite,
  isNameReserved,
  isNameTaken,
  releaseDomainName,
  listImages,
  lockImages,
  lockSite,
  claimDomainName,
  upsertSite,
  type SiteRow,
} from '../queries/sites.ts'
import { paletteColors } from '../rules.ts'
import { imageColumn, imageIds, siteImageId, siteView } from '../view.ts'

/** The caller's site, or the defaults of a new one before the first save (`GET /api/websitebuilder`). */
export async function getSite(ctx: StudioCtx): Promise<Site> {
  return await asView(ctx, ctx.db, (await findSite(ctx.db, ctx.owner)) ?? newSite(ctx))
}

/** The stored site of an artist whose plan no longer includes one, read-only. Null: none was ever saved. */
export async function savedSite(ctx: SubscriberCtx): Promise<Site | null> {
  const row = await findSite(ctx.db, ctx.owner)
  return row ? await asView(ctx, ctx.db, row) : null
}

/**
 * Replaces the sections of the site that the input contains (`POST /api/websitebuilder`). A save with a domain name
 * also publishes the site, unless `published` is false. Throws invalid, or conflict when another artist has the name.
 */
export async function saveSite(ctx: StudioCtx, input: SaveSite): Promise<Site> {
  try {
    return await retryOnDeadlock(ctx.db, async (tx) => {
      const stored = await lockSite(tx, ctx.owner)
      if (!stored && !input.personalInfo)
        throw invalid(siteMessages.domainNameRequired, { 'personalInfo.domainName': siteMessages.domainNameRequired })
      const row = { ...withInput(stored ?? newSite(ctx), input, requireImageId), updatedAt: ctx.now() }
      await refuseForeignImages(ctx, tx, row)
      await upsertSite(tx, row)
      await recordNameChange(ctx, tx, stored?.domainName, row.domainName)
      await notifyLive(tx, { owner: ctx.owner, topic: 'website' })
      return await asView(ctx, tx, row)
    })
  } catch (error) {
    if (violatesUnique(error, 'sites_domain_name')) throw nameTaken()
    throw error
  }
}

/**
 * Records the old name of a renamed site, which redirects to the new one. Throws conflict when another artist gave up
 * the new name recently. This check must follow the write, which waits for a concurrent rename from that name.
 */
async function recordNameChange(ctx: StudioCtx, tx: Tx, before: string | undefined, now: string): Promise<void> {
  if (before === now) return
  if (await isNameReserved(tx, ctx.owner, now, reservedSince(ctx))) throw nameTaken()
  await claimDomainName(tx, ctx.owner, now)
  if (before) await releaseDomainName(tx, ctx.owner, { left: before, max: siteLimits.formerNames }, ctx.now())
}

const reservedSince = (ctx: StudioCtx) => new Date(ctx.now().getTime() - siteLimits.formerNameDays * 86_400_000)

/** Every link that the site can show, including hidden ones. */
export async function listSiteLinks(ctx: StudioCtx): Promise<PublicLink[]> {
  return await listPublicLinks(ctx, ctx.owner)
}

/** Whether the artist may take this name. The artist's own current and former names count as free. */
export async function checkDomainName(ctx: StudioCtx, input: CheckDomainName): Promise<DomainNameVerdict> {
  const parsed = DomainName.safeParse(input.domainName)
  const address = siteAddress(ctx, parsed.success ? parsed.data : '')
  if (!parsed.success)
    return { free: false, message: parsed.error.issues[0]?.message ?? siteMessages.domainNameForm, address }
  const taken =
    (await isNameTaken(ctx.db, ctx.owner, parsed.data)) ||
    (await isNameReserved(ctx.db, ctx.owner, parsed.data, reservedSince(ctx)))
  return { free: !taken, message: taken ? siteMessages.domainNameTaken : null, address }
}

const nameTaken = () =>
  conflict(siteMessages.domainNameTaken, { fields: { 'personalInfo.domainName': siteMessages.domainNameTaken } })

async function asView(ctx: SubscriberCtx, db: Tx, row: SiteRow): Promise<Site> {
  const images = await listImages(db, ctx.owner, imageIds(row))
  return siteView(row, images, (await galleryOf(db, ctx.owner)).gallery)
}

/** The defaults of a new site. */
export function newSite(ctx: StudioCtx): SiteRow {
  const now = ctx.now()
  return {
    userId: ctx.owner,
    domainName: '',
    published: false,
    name: ctx.user.name,
    shopName: '',
    about: '',
    email: '',
    phone: '',
    shopAddress: '',
    city: '',
    state: '',
    zip: '',
    ...defaultBranding,
    layout: siteLayouts[0],
    palette: null,
    hiddenLinks: [],
    sections: null,
    logoImageId: null,
    backgroundImageId: null,
    profileImageId: null,
    closedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** A `SaveSite`, or a draft, whose sections may lack fields. */
type SiteInput = Omit<SaveSite, 'personalInfo' | 'address' | 'branding'> & {
  personalInfo?: Partial<SaveSite['personalInfo']>
  address?: Partial<SaveSite['address']>
  branding?: Partial<SaveSite['branding']>
}

/** The row with the sections of an input or a draft. `imageIdOf`: the id of the picture with an address, null for none. */
export function withInput(
  row: SiteRow,
  { published, personalInfo, address, branding, images, design, links, sections }: SiteInput,
  imageIdOf: (url: string, slot: ImageSlot) => string | null,
): SiteRow {
  const imageIn = (slot: ImageSlot) => (images?.[slot] ? imageIdOf(images[slot].url, slot) : null)
  return {
    ...row,
    ...personalInfo,
    ...address,
    ...design,
    ...(links && { hiddenLinks: links.hidden }),
    ...(sections && { sections }),
    ...paletteColors(row, design),
    ...branding,
    ...(images && {
      logoImageId: imageIn('logoImage'),
      backgroundImageId: imageIn('backgroundImage'),
      profileImageId: imageIn('profileImage'),
    }),
    published: published ?? (personalInfo ? true : row.published),
  }
}

function requireImageId(url: string, slot: ImageSlot): string {
  const id = siteImageId(url)
  if (id === undefined) throw imageUnknown(slot)
  return id
}

const imageUnknown = (slot: ImageSlot) =>
  invalid(siteMessages.imageUnknown, { [`images.${slot}`]: siteMessages.imageUnknown })

/** Throws invalid when the site uses a picture that is not the artist's own upload. */
async function refuseForeignImages(ctx: StudioCtx, tx: Tx, row: SiteRow): Promise<void> {
  const own = new Set(await lockImages(tx, ctx.owner, imageIds(row)))
  for (const slot of imageSlots) {
    const id = row[imageColumn[slot]]
    if (id !== null && !own.has(id)) throw imageUnknown(slot)
  }
}
