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
import { siteLimits } from '@flashsheet/contracts/website/limits'
import { siteMessages } from '@flashsheet/contracts/website/messages'
import { violatesUnique, type Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { StudioCtx, SubscriberCtx } from '../../../core/context.ts'
import { conflict, invalid } from '../../../core/errors.ts'
import { listPublicLinks, type PublicLink } from '../../social/service/public-links.ts'
import { galleryOf } from './gallery.ts'
import {
  findSite,
  isNameKept,
  isNameTaken,
  releaseDomainName,
  listImages,
  lockSite,
  claimDomainName,
  upsertSite,
  type SiteRow,
} from '../queries/sites.ts'
import { paletteColors, siteAddress } from '../rules.ts'
import { imageIds, siteImageId, siteView } from '../view.ts'

/** The builder's record; before the first save what a new site would begin with (`GET /api/websitebuilder`). */
export async function getSite(ctx: StudioCtx): Promise<Site> {
  return await asView(ctx, ctx.db, (await findSite(ctx.db, ctx.owner)) ?? newSite(ctx))
}

/** What is stored of a site, for an artist whose plan no longer includes one: to be looked at. Null if nothing ever was. */
export async function savedSite(ctx: SubscriberCtx): Promise<Site | null> {
  const row = await findSite(ctx.db, ctx.owner)
  return row ? await asView(ctx, ctx.db, row) : null
}

/**
 * Saves the sections sent over what is stored (`POST /api/websitebuilder`). A save that carries the domain name publishes,
 * unless it says `published: false`. Throws invalid, or conflict when another artist has the name.
 */
export async function saveSite(ctx: StudioCtx, input: SaveSite): Promise<Site> {
  try {
    return await retryOnDeadlock(ctx.db, async (tx) => {
      const stored = await lockSite(tx, ctx.owner)
      if (!stored && !input.personalInfo)
        throw invalid(siteMessages.domainNameRequired, { 'personalInfo.domainName': siteMessages.domainNameRequired })
      const row = { ...merge(stored ?? newSite(ctx), input), updatedAt: ctx.now() }
      await refuseForeignImages(ctx, tx, row)
      await upsertSite(tx, row)
      await settleNames(ctx, tx, stored?.domainName, row.domainName)
      await notifyLive(tx, { owner: ctx.owner, topic: 'website' })
      return await asView(ctx, tx, row)
    })
  } catch (error) {
    if (violatesUnique(error, 'sites_domain_name')) throw nameTaken()
    throw error
  }
}

/**
 * A site that moves leaves its old address leading to the new one, and takes no address that somebody else left a short while ago:
 * people still follow that one. Looked at after the write, which waited for whoever is just leaving it.
 */
async function settleNames(ctx: StudioCtx, tx: Tx, before: string | undefined, now: string): Promise<void> {
  if (before === now) return
  if (await isNameKept(tx, ctx.owner, now, keptSince(ctx))) throw nameTaken()
  if (before)
    await releaseDomainName(tx, ctx.owner, { left: before, taken: now, most: siteLimits.formerNames }, ctx.now())
  else await claimDomainName(tx, ctx.owner, now)
}

const keptSince = (ctx: StudioCtx) => new Date(ctx.now().getTime() - siteLimits.formerNameDays * 86_400_000)

/** Every link the site could show, hidden ones too. */
export async function listSiteLinks(ctx: StudioCtx): Promise<PublicLink[]> {
  return await listPublicLinks(ctx, ctx.owner)
}

/** Whether the artist may have this name; their own counts as free, a former one too. */
export async function checkDomainName(ctx: StudioCtx, input: CheckDomainName): Promise<DomainNameVerdict> {
  const parsed = DomainName.safeParse(input.domainName)
  const address = siteAddress(ctx.config, parsed.success ? parsed.data : '')
  if (!parsed.success)
    return { free: false, message: parsed.error.issues[0]?.message ?? siteMessages.domainNameForm, address }
  const taken =
    (await isNameTaken(ctx.db, ctx.owner, parsed.data)) ||
    (await isNameKept(ctx.db, ctx.owner, parsed.data, keptSince(ctx)))
  return { free: !taken, message: taken ? siteMessages.domainNameTaken : null, address }
}

const nameTaken = () =>
  conflict(siteMessages.domainNameTaken, { fields: { 'personalInfo.domainName': siteMessages.domainNameTaken } })

async function asView(ctx: SubscriberCtx, db: Tx, row: SiteRow): Promise<Site> {
  const images = await listImages(db, ctx.owner, imageIds(row))
  return siteView(row, images, (await galleryOf(db, ctx.owner)).gallery)
}

/** What a site begins with. */
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

/** The stored row with the sent sections in it. */
function merge(row: SiteRow, input: SaveSite): SiteRow {
  const { published, personalInfo, address, branding, images, design, links, sections } = input
  return {
    ...row,
    ...personalInfo,
    ...address,
    ...design,
    ...(links && { hiddenLinks: links.hidden }),
    ...(sections && { sections }),
    ...(branding ?? paletteColors(row, design)),
    ...(images && {
      logoImageId: chosen(images.logoImage, 'images.logoImage'),
      backgroundImageId: chosen(images.backgroundImage, 'images.backgroundImage'),
      profileImageId: chosen(images.profileImage, 'images.profileImage'),
    }),
    published: published ?? (personalInfo ? true : row.published),
  }
}

function chosen(image: { url: string } | null, field: string): string | null {
  if (!image) return null
  const id = siteImageId(image.url)
  if (id === undefined) throw invalid(siteMessages.imageUnknown, { [field]: siteMessages.imageUnknown })
  return id
}

/** Only what this artist's own uploads answered may be shown. */
async function refuseForeignImages(ctx: StudioCtx, tx: Tx, row: SiteRow): Promise<void> {
  const own = new Set((await listImages(tx, ctx.owner, imageIds(row))).map((image) => image.id))
  for (const [field, id] of [
    ['logoImage', row.logoImageId],
    ['backgroundImage', row.backgroundImageId],
    ['profileImage', row.profileImageId],
  ] as const) {
    if (id !== null && !own.has(id))
      throw invalid(siteMessages.imageUnknown, { [`images.${field}`]: siteMessages.imageUnknown })
  }
}
