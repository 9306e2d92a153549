import { readablePalette, type Palette } from '@flashsheet/contracts/palette'
import { type SiteFonts, type SiteLayout, sitePalettes } from '@flashsheet/contracts/site-design'
import type { DayHours } from '@flashsheet/contracts/appointments/schema'
import { emptySections, type Flash, type SiteSections } from '@flashsheet/contracts/website/schema'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { everyoneScope, publicSiteScope, type OwnerId, type PublicSite } from '../../../core/scope.ts'
import { listPublicLinks, type PublicLink } from '../../social/service/public-links.ts'
import {
  closeSite,
  findHours,
  findNewName,
  findSite,
  findSiteByName,
  findSiteState,
  listImages,
  listOpenSites,
  settleClosedSites,
  type SiteImageRow,
  type SiteRow,
} from '../queries/sites.ts'
import { addressLine, logoPlate, mapLink, siteAddress, visibility } from '../rules.ts'
import { imageIds, sitePictureView, type PublicGalleryItem, type PublicPicture } from '../view.ts'
import { publicGalleryOf } from './gallery.ts'
import { sharePictureOf, type SharePicture } from './share-picture.ts'

export type { PublicPicture }

/** A gallery entry; a video's picture is its poster. */
export type PublicWork = PublicPicture & { video: { url: string; type: string } | null }

/** A piece of flash. `id` stands in the link that books it. */
export type PublicFlash = PublicWork & Flash & { id: string }

/** Everything the public pages show of an artist. */
export type SiteContent = {
  domainName: string
  /** Absolute, without a trailing slash; all links of the site begin with it or with `base`. */
  address: string
  /** What the site's own links begin with: '' at a host of its own, else /s/<domainName>. */
  base: string
  name: string
  shopName: string
  about: string
  email: string
  phone: string
  place: { shopAddress: string; city: string; state: string; zip: string; line: string; map: string | undefined }
  layout: SiteLayout
  palette: Palette
  /** Type families of the palette; null: the visitor's own. */
  fonts: SiteFonts | null
  logo: PublicPicture | undefined
  /** A colour to put behind the logo, which the background would hide. */
  plate: string | null
  background: PublicPicture | undefined
  profile: PublicPicture | undefined
  gallery: PublicWork[]
  /** What of the gallery stands in a part of its own; empty while that part is off. */
  flash: PublicFlash[]
  /** For link previews; undefined: there is no work to make it of. */
  share: SharePicture | undefined
  links: PublicLink[]
  sections: SiteSections
  /** The hours that the artist set, Sunday first; null: none were set. */
  weekly: (DayHours | null)[] | null
  /** Else nothing of the site leads to its form. */
  takesBookings: boolean
  updatedAt: Date
}

/** What stands at a domainName. `owner` lets a cached page be dropped when something of that artist changes. */
export type FoundAddress =
  | { state: 'none' }
  /** Its artist left this name; `address` is where the site is now. */
  | { state: 'moved'; address: string }
  | { state: 'hidden' | 'gone'; owner: string }
  | { state: 'open' | 'holding'; owner: string; scope: PublicSite; content: SiteContent }

/** Looks up what a visitor of this name gets to see. */
export async function visitSite(system: System, domainName: string): Promise<FoundAddress> {
  const found = await findSiteByName(system.db, everyoneScope(), domainName)
  if (!found) {
    const name = await findNewName(system.db, everyoneScope(), domainName)
    return name === undefined ? { state: 'none' } : { state: 'moved', address: siteAddress(system.config, name) }
  }
  const owner = found.site.userId
  const state = visibility(found, system.now())
  if (state === 'hidden' || state === 'gone') return { state, owner }
  const scope = publicSiteScope(owner)
  return { state, owner, scope, content: await siteContent(system, scope, found.site) }
}

/** The scope of a site that stands open, for what needs nothing of its content; undefined for any other name. */
export async function openSite(system: System, domainName: string): Promise<PublicSite | undefined> {
  const found = await findSiteState(system.db, everyoneScope(), domainName.toLowerCase())
  return found && visibility(found, system.now()) === 'open' ? publicSiteScope(found.artist) : undefined
}

/** Name and place of an artist's own site, open or not; undefined before the builder's first save. */
export async function siteOf(
  db: Tx,
  owner: OwnerId,
): Promise<{ domainName: string; shopName: string; place: string; email: string } | undefined> {
  const row = await findSite(db, owner)
  return row && { domainName: row.domainName, shopName: row.shopName, place: addressLine(row), email: row.email }
}

/** What the public pages show of a row, stored or still a draft. */
export async function siteContent(system: System, scope: PublicSite, row: SiteRow): Promise<SiteContent> {
  const [images, gallery, links, hours] = await Promise.all([
    listImages(system.db, scope, imageIds(row)),
    publicGalleryOf(system.db, scope),
    listPublicLinks(system, scope),
    findHours(system.db, scope),
  ])
  const isShown = (id: string) => !row.hiddenLinks.includes(id)
  const street = isShown('address') ? { shopAddress: row.shopAddress, zip: row.zip } : { shopAddress: '', zip: '' }
  const place = { ...street, city: row.city, state: row.state }
  const palette = readablePalette(row)
  const sections = sectionsOf(row, system.now())
  const inFlash = (one: PublicGalleryItem) => one.flash !== null && sections.shown.includes('flash')
  const [works, flash] = [gallery.filter((one) => !inFlash(one)), gallery.filter(inFlash)]
  return {
    domainName: row.domainName,
    address: siteAddress(system.config, row.domainName),
    base: system.config.sitesDomain === undefined ? `/s/${row.domainName}` : '',
    name: row.name,
    shopName: row.shopName,
    about: row.about,
    email: isShown('email') ? row.email : '',
    phone: isShown('phone') ? row.phone : '',
    place: { ...place, line: addressLine(place), map: isShown('address') ? mapLink(place) : undefined },
    layout: row.layout,
    palette,
    fonts: row.palette && { heading: sitePalettes[row.palette].heading, text: sitePalettes[row.palette].text },
    logo: picture(images, row.logoImageId),
    plate: logoPlate(images.find((one) => one.id === row.logoImageId)?.lightness, palette),
    background: picture(images, row.backgroundImageId),
    profile: picture(images, row.profileImageId),
    gallery: works.map(publicWork),
    flash: flash.flatMap((one) => (one.flash ? { ...publicWork(one), ...one.flash, id: one.token } : [])),
    share: sharePictureOf([...(sections.shown.includes('work') ? works : []), ...flash], palette),
    links: links.filter((link) => isShown(link.id)),
    sections,
    weekly: hours.weekly,
    takesBookings: hours.takesBookings,
    updatedAt: row.updatedAt,
  }
}

const publicWork = ({ altText, webp, jpeg, video }: PublicGalleryItem): PublicWork => ({
  alt: altText,
  webp,
  plain: jpeg,
  video,
})

/** Guest spots go when their last day is over everywhere on earth. */
function sectionsOf(row: SiteRow, now: Date): SiteSections {
  const sections = row.sections ?? emptySections
  const lastDayOnEarth = new Date(now.getTime() - 12 * 3_600_000).toISOString().slice(0, 10)
  return { ...sections, guestSpots: sections.guestSpots.filter((spot) => spot.to >= lastDayOnEarth) }
}

function picture(images: readonly SiteImageRow[], id: string | null): PublicPicture | undefined {
  const image = images.find((one) => one.id === id)
  return image && sitePictureView(image)
}

/** Every site that stands open, with when it last changed. */
export async function listSites(system: System): Promise<{ address: string; updatedAt: Date }[]> {
  // More than one list may hold by its rules.
  const open = await listOpenSites(system.db, everyoneScope(), 50_000)
  return open.map((one) => ({ address: siteAddress(system.config, one.domainName), updatedAt: one.updatedAt }))
}

/** The artist's plan no longer includes the site: from now on the site says where they are, for a while. */
export async function closeSiteOf(system: System, tx: Tx, { owner }: { owner: OwnerId }): Promise<void> {
  await closeSite(tx, owner, system.now())
}

/** Keeps the date from which a site counts as closed; a hook is quicker, this finds what no hook tells of. */
export async function settleSites(system: System): Promise<void> {
  await settleClosedSites(system.db, everyoneScope(), system.now())
}

/** Where a site of this name lives, for slices that link to it. */
export function linkToSite(system: Pick<System, 'config'>, domainName: string): string {
  return siteAddress(system.config, domainName)
}
