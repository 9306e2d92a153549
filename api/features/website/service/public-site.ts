import { readablePalette } from '@flashsheet/contracts/palette'
import { sitePalettes } from '@flashsheet/contracts/site-design'
import { emptySections, type Flash, type SiteSections } from '@flashsheet/contracts/website/schema'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { everyoneScope, publicSiteScope, type OwnerId, type PublicSite } from '../../../core/scope.ts'
import { listPublicLinks } from '../../social/service/public-links.ts'
import {
  findHours,
  findSuccessorName,
  findSite,
  findSiteByName,
  findSiteState,
  listImages,
  listOpenSites,
  setClosedAt,
  updateClosedSites,
  type SiteImageRow,
  type SiteRow,
} from '../queries/sites.ts'
import { addressLine, logoPlate, mapLink, visibility } from '../rules.ts'
import { imageIds, sitePictureView, type PublicPicture, type PublicWork } from '../view.ts'
import { publicGalleryOf } from './gallery.ts'
import { sharePictureOf } from './share-picture.ts'

export type { PublicPicture, PublicWork }

/** A piece of flash. The link to book it contains its token. */
export type PublicFlash = PublicWork & Flash

/** Everything the public pages show of an artist. */
export type SiteContent = Awaited<ReturnType<typeof siteContent>>

/** A site's address: a path of the app or, with SITES_DOMAIN, a host of its own. No trailing slash. */
export function siteAddress(
  { config: { publicUrl, sitesDomain } }: Pick<System, 'config'>,
  domainName: string,
): string {
  if (sitesDomain === undefined) return `${publicUrl}/s/${domainName}`
  const { protocol, port } = new URL(publicUrl)
  return `${protocol}//${domainName}.${sitesDomain}${port && `:${port}`}`
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
    return name === undefined ? { state: 'none' } : { state: 'moved', address: siteAddress(system, name) }
  }
  const owner = found.userId
  const state = visibility(found, system.now())
  if (state === 'hidden' || state === 'gone') return { state, owner }
  const scope = publicSiteScope(owner)
  return { state, owner, scope, content: await siteContent(system, scope, found) }
}

/** The scope of an open site, without reading its content; undefined for any other name. */
export async function openSite(
  system: Pick<System, 'now'> & { db: Tx },
  domainName: string,
): Promise<PublicSite | undefined> {
  const found = await findSiteState(system.db, everyoneScope(), domainName.toLowerCase())
  return found && visibility(found, system.now()) === 'open' ? publicSiteScope(found.userId) : undefined
}

/** An artist's site, open or not; undefined before it is first saved. */
export async function siteOf(db: Tx, owner: OwnerId) {
  const row = await findSite(db, owner)
  const contactOf = (site: SiteRow) => ({ place: addressLine(site), email: site.email })
  return (
    row && {
      domainName: row.domainName,
      shopName: row.shopName,
      contact: contactOf(row),
      /** What visitors may see of it. */
      publicContact: contactOf(withoutHidden(row)),
    }
  )
}

/** A site without the contact details that its artist hides from visitors. */
function withoutHidden(row: SiteRow): SiteRow {
  const shown = (id: string, text: string) => (row.hiddenLinks.includes(id) ? '' : text)
  return {
    ...row,
    email: shown('email', row.email),
    phone: shown('phone', row.phone),
    shopAddress: shown('address', row.shopAddress),
    zip: shown('address', row.zip),
  }
}

/** The content that public pages show of a site, stored or a draft. */
export async function siteContent(system: System, scope: PublicSite, row: SiteRow) {
  const [images, gallery, links, { weekly, takesBookings }] = await Promise.all([
    listImages(system.db, scope, imageIds(row)),
    publicGalleryOf(system.db, scope),
    listPublicLinks(system, scope),
    findHours(system.db, scope),
  ])
  const { domainName, name, shopName, about, email, phone, shopAddress, city, state, zip, layout, updatedAt } =
    withoutHidden(row)
  const isShown = (id: string) => !row.hiddenLinks.includes(id)
  const place = { shopAddress, zip, city, state }
  const palette = readablePalette(row)
  const sections = sectionsOf(row, system.now())
  const isShownAsFlash = (one: PublicWork) => one.flash !== null && sections.shown.includes('flash')
  const flash = gallery.filter(isShownAsFlash)
  const works = sections.shown.includes('work') ? gallery.filter((one) => !isShownAsFlash(one)) : []
  const base = system.config.sitesDomain === undefined ? `/s/${domainName}` : ''
  return {
    domainName,
    /** Absolute, without a trailing slash. */
    address: siteAddress(system, domainName),
    /** The prefix of the site's relative links: '' at a host of its own, otherwise /s/<domainName>. */
    base,
    /** The path of the home page. */
    home: base || '/',
    name,
    shopName,
    /** The name of the artist and, if there is one, of the studio. */
    fullName: shopName ? `${name}, ${shopName}` : name,
    about,
    email,
    phone,
    place: {
      ...place,
      town: [city, state].filter(Boolean).join(', '),
      map: isShown('address') ? mapLink(place) : undefined,
    },
    layout,
    palette,
    /** The font families of the palette; null: the visitor's default fonts. */
    fonts: row.palette && sitePalettes[row.palette],
    logo: picture(images, row.logoImageId),
    /** The colour behind the logo, if it needs one for contrast. */
    plate: logoPlate(images.find((one) => one.id === row.logoImageId)?.lightness, palette),
    background: picture(images, row.backgroundImageId),
    profile: picture(images, row.profileImageId),
    /** The works that visitors see; empty while their section is off. */
    gallery: works,
    /** The flash of the gallery if it is a section of its own, which `gallery` then lacks; empty while that section is off. */
    flash: flash.flatMap((one): PublicFlash | [] => (one.flash ? { ...one, ...one.flash } : [])),
    /** The picture for link previews; undefined without any work. */
    share: sharePictureOf([...works, ...flash], palette),
    links: links.filter((link) => isShown(link.id)),
    sections,
    /** The artist's hours, Sunday first; null: none were set. */
    weekly,
    /** Whether the site links to its booking form. */
    takesBookings,
    updatedAt,
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

/** The addresses of at most `limit` open sites, and when each last changed. */
export async function listSites(system: System, limit: number): Promise<{ address: string; updatedAt: Date }[]> {
  const open = await listOpenSites(system.db, everyoneScope(), limit)
  return open.map((one) => ({ address: siteAddress(system, one.domainName), updatedAt: one.updatedAt }))
}

/** For the hook of a subscription that no longer includes a site: records since when the site is closed. */
export async function handleStudioClosed(system: System, tx: Tx, { owner }: { owner: OwnerId }): Promise<void> {
  await setClosedAt(tx, owner, system.now())
}

/** For the hook of a subscription that includes a site again. */
export async function handleStudioOpened(_system: System, tx: Tx, { owner }: { owner: OwnerId }): Promise<void> {
  await setClosedAt(tx, owner, null)
}

/** Updates since when sites are closed. Hooks do this at once for most changes; this finds the others. */
export async function reconcileClosedSites(system: System): Promise<void> {
  await updateClosedSites(system.db, everyoneScope(), system.now())
}
