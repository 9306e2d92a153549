import { contrast, type Branding, type Palette, readableControl } from '@flashsheet/contracts/palette'
import { opens } from '@flashsheet/contracts/plans'
import { type SitePaletteId, sitePalettes } from '@flashsheet/contracts/site-design'
import { siteLimits } from '@flashsheet/contracts/website/limits'
import type { PictureOwner, SiteState } from './queries/sites.ts'

/** The colours that a choice of design brings: those of a palette that the site did not have yet. */
export function paletteColors(
  before: { palette: SitePaletteId | null },
  chosen: { palette: SitePaletteId | null } | undefined,
): Branding | undefined {
  const palette = chosen?.palette
  return palette && palette !== before.palette ? sitePalettes[palette].colors : undefined
}

/**
 * The ground that a logo gets where the site's background would hide it; null where it shows by itself. The site's own
 * text colour where that is enough, else white or black, one of which always is.
 */
export function logoPlate(lightness: number | null | undefined, palette: Palette): string | null {
  if (lightness === null || lightness === undefined) return null
  const tone = `#${lightness.toString(16).padStart(2, '0').repeat(3)}`
  const shows = (ground: string) => contrast(tone, ground) >= readableControl
  if (shows(palette.background)) return null
  return [palette.text, '#ffffff'].find(shows) ?? '#000000'
}

export type Visibility = 'open' | 'hidden' | 'holding' | 'gone'

/**
 * What a visitor gets of a site: the site while the plan includes one; after that a page that says where the artist is, for 30
 * days; then nothing. What its artist hid, or an artist staff deactivated, is hidden.
 */
export function visibility({ site, isActive, plan, status }: SiteState, now: Date): Visibility {
  if (!site.published || !isActive) return 'hidden'
  if (opens(plan && status && { plan, status }, 'publicSite')) return 'open'
  const closedFor = now.getTime() - (site.closedAt ?? now).getTime()
  return closedFor < siteLimits.holdingDays * 86_400_000 ? 'holding' : 'gone'
}

/**
 * How a picture of a site or gallery is answered: to everybody while the site stands open, else to its artist alone, who
 * prepares it. Undefined: to nobody.
 */
export function pictureCaching(owner: PictureOwner, asker: string | undefined, now: Date): string | undefined {
  // Bytes behind an address never change; whether they are public does. After a day whoever keeps them asks again.
  if (owner.site && visibility(owner.site, now) === 'open') return 'public, max-age=86400, must-revalidate'
  return owner.userId === asker ? 'private, no-cache' : undefined
}

/** Where a site lives: below the app's own address or, with SITES_DOMAIN, at a host of its own. No trailing slash. */
export function siteAddress(
  config: { publicUrl: string; sitesDomain: string | undefined },
  domainName: string,
): string {
  if (config.sitesDomain === undefined) return `${config.publicUrl}/s/${domainName}`
  const { protocol, port } = new URL(config.publicUrl)
  return `${protocol}//${domainName}.${config.sitesDomain}${port === '' ? '' : `:${port}`}`
}

/** A link to the place on a map, from what the artist typed; undefined without a street or a city. */
export function mapLink(place: { shopAddress: string; city: string; state: string; zip: string }): string | undefined {
  if (!place.shopAddress && !place.city) return undefined
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(addressLine(place))}`
}

/** One line, as it is written on an envelope in the US. */
export function addressLine(place: { shopAddress: string; city: string; state: string; zip: string }): string {
  const region = [place.state, place.zip].filter(Boolean).join(' ')
  return [place.shopAddress, place.city, region].filter(Boolean).join(', ')
}
