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
  findSuccessorName,
  findSite,
  findSiteByName,
  findSiteState,
  listImages,
  listOpenSites,
  updateClosedSites,
  type SiteImageRow,
  type SiteRow,
} from '../queries/sites.ts'
import { addressLine, logoPlate, mapLink, siteAddress, visibility } from '../rules.ts'
import { imageIds, sitePictureView, type PublicPicture, type PublicWork } from '../view.ts'
import { publicGalleryOf } from './gallery.ts'
import { sharePictureOf, type SharePicture } from './share-picture.ts'

export type { PublicPicture, PublicWork }

/** A piece of flash. The link to book it contains its token. */
export type PublicFlash = PublicWork & Flash

/** Everything the public pages show of an artist. */
export type SiteContent = {
  domainName: string
  /** Absolute, without a trailing slash. */
  address: string
  /** The prefix of the site's relative links: '' at a host of its own, otherwise /s/<domainName>. */
  base: string
  name: string
  shopName: string
  about: string
  email: string
  phone: string
  place: { shopAddress: string; city: string; state: string; zip: string; line: string; map: string | undefined }
  layout: SiteLayout
  palette: Palette
  /** The font families of the palette; null: the visitor's default fonts. */
  fonts: SiteFonts | null
  logo: PublicPicture | undefined
  /** The colour behind the logo, if it needs one for contrast. */
  plate: string | null
  background: PublicPicture | undefined
  profile: PublicPicture | undefined
  gallery: PublicWork[]
  /**
   * The flash of the gallery if it is a section of its own, which `gallery` then lacks; empty while that section is
   * off.
   */
  flash: PublicFlash[]
  /** The picture for link previews; undefined without any work. */
  share: SharePicture | undefined
  links: PublicLink[]
  sections: SiteSections
  /** The artist's hours, Sunday first; null: none were set. */
  weekly: (DayHours | null)[] | null
  /** Whether the site links to its booking form. */
  takesBookings: boolean
  updatedAt: Date
}

/** What a visitor gets at a domain name. `owner`: a cached page is dropped when something of this artist changes. */
export type FoundAddress =
  | { state: 'none' }
  /** The site has another name now; `address` is its current address. */
  | { state: 'moved'; address: string }
  | { state: 'hidden' | 'gone'; owner: string }
  | { state: 'open' | 'holding'; owner: string; scope: PublicSite; content: SiteContent }

/** Looks up what a visitor gets at a domain name. */
export async function visitSite(system: System, domainName: string): Promise<FoundAddress> {
  const found = await findSiteByName(system.db, everyoneScope(), domainName)
  if (!found) {
    const name = await findSuccessorName(system.db, everyoneScope(), domainName)
    return name === undefined ? { state: 'none' } : { state: 'moved', address: siteAddress(system.config, name) }
  }
  const owner = found.userId
  const state = visibility(found, system.now())
  if (state === 'hidden' || state === 'gone') return { state, owner }
  const scope = publicSiteScope(owner)
  return { state, owner, scope, content: await siteContent(system, scope, found) }
}

/** The scope of an open site, without reading its content; undefined for any other name. */
export async function openSite(system: System, domainName: string): Promise<PublicSite | undefined> {
  const found = await findSiteState(system.db, everyoneScope(), domainName.toLowerCase())
  return found && visibility(found, system.now()) === 'open' ? publicSiteScope(found.userId) : undefined
}

/** An artist's site, open or not; undefined before it is first saved. */
export async function siteOf(
  db: Tx,
  owner: OwnerId,
): Promise<{ domainName: string; shopName: string; place: string; email: string } | undefined> {
  const row = await findSite(db, owner)
  return row && { domainName: row.domainName, shopName: row.shopName, place: addressLine(row), email: row.email }
}

/** The content that public pages show of a site, stored or a draft. */
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
  const isShownAsFlash = (one: PublicWork) => one.flash !== null && sections.shown.includes('flash')
  const [works, flash] = [gallery.filter((one) => !isShownAsFlash(one)), gallery.filter(isShownAsFlash)]
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
    gallery: works,
    flash: flash.flatMap((one) => (one.flash ? { ...one, ...one.flash } : [])),
    share: sharePictureOf([...(sections.shown.includes('work') ? works : []), ...flash], palette),
    links: links.filter((link) => isShown(link.id)),
    sections,
    weekly: hours.weekly,
    takesBookings: hours.takesBookings,
    updatedAt: row.updatedAt,
  }
}

/** Omits guest spots whose last day is over everywhere on earth. */
function sectionsOf(row: SiteRow, now: Date): SiteSections {
  const sections = row.sections ?? emptySections
  const lastDayOnEarth = new Date(now.getTime() - 12 * 3_600_000).toISOString().slice(0, 10)
  return { ...sections, guestSpots: sections.guestSpots.filter((spot) => spot.to >= lastDayOnEarth) }
}

function picture(images: readonly SiteImageRow[], id: string | null): PublicPicture | undefined {
  const image = images.find((one) => one.id === id)
  return image && sitePictureView(image)
}

/** The addresses of open sites, and when each last changed. */
export async function listSites(system: System): Promise<{ address: string; updatedAt: Date }[]> {
  // A sitemap may contain at most 50,000 addresses.
  const open = await listOpenSites(system.db, everyoneScope(), 50_000)
  return open.map((one) => ({ address: siteAddress(system.config, one.domainName), updatedAt: one.updatedAt }))
}

/** For the hook of a subscription that no longer includes a site: records since when the site is closed. */
export async function handleStudioClosed(system: System, tx: Tx, { owner }: { owner: OwnerId }): Promise<void> {
  await closeSite(tx, owner, system.now())
}

/** Updates since when sites are closed. Hooks do this at once for most changes; this finds the others. */
export async function reconcileClosedSites(system: System): Promise<void> {
  await updateClosedSites(system.db, everyoneScope(), system.now())
}

/** The address of a site, for slices that link to it. */
export function linkToSite(system: Pick<System, 'config'>, domainName: string): string {
  return siteAddress(system.config, domainName)
}
