import { contrast, type Branding, type Palette, readableControl } from '@flashsheet/contracts/palette'
import { isEntitled } from '@flashsheet/contracts/plans'
import { type SitePaletteId, sitePalettes } from '@flashsheet/contracts/site-design'
import { siteLimits } from '@flashsheet/contracts/website/limits'
import type { PictureOwner, SiteState } from './queries/sites.ts'

/** The colours of a newly chosen palette; undefined if the palette stays the same. */
export function paletteColors(
  current: { palette: SitePaletteId | null },
  chosen: { palette: SitePaletteId | null } | undefined,
): Branding | undefined {
  const palette = chosen?.palette
  return palette && palette !== current.palette ? sitePalettes[palette].colors : undefined
}

/**
 * The colour to put behind a transparent logo that has too little contrast with the site's background; null if it has
 * enough. The site's text colour if that contrasts, otherwise white or black, one of which always does.
 */
export function logoPlate(lightness: number | null | undefined, palette: Palette): string | null {
  if (lightness === null || lightness === undefined) return null
  const tone = `#${lightness.toString(16).padStart(2, '0').repeat(3)}`
  const isReadableOn = (ground: string) => contrast(tone, ground) >= readableControl
  if (isReadableOn(palette.background)) return null
  return [palette.text, '#ffffff'].find(isReadableOn) ?? '#000000'
}

export type Visibility = 'open' | 'hidden' | 'holding' | 'gone'

/**
 * What a visitor sees of a site: `open` while the plan includes one; then, for 30 days, `holding`: a page that says
 * where the artist is; then `gone`. `hidden`: the artist hid it, or staff deactivated the artist.
 */
export function visibility({ published, closedAt, isActive, plan, status }: SiteState, now: Date): Visibility {
  if (!published || !isActive) return 'hidden'
  if (isEntitled(plan && status && { plan, status }, 'publicSite')) return 'open'
  const closedFor = now.getTime() - (closedAt ?? now).getTime()
  return closedFor < siteLimits.holdingDays * 86_400_000 ? 'holding' : 'gone'
}

/**
 * The Cache-Control header of a picture of a site or gallery: public while the site is open, otherwise private for its
 * artist. Undefined: the viewer may not see it.
 */
export function pictureCaching(owner: PictureOwner, viewerId: string | undefined, now: Date): string | undefined {
  // The bytes of an address never change, but whether they are public does, so caches must revalidate after a day.
  if (visibility(owner, now) === 'open') return 'public, max-age=86400, must-revalidate'
  return owner.userId === viewerId ? 'private, no-cache' : undefined
}

/** A link to the place on a map; undefined without a street or a city. */
export function mapLink(place: { shopAddress: string; city: string; state: string; zip: string }): string | undefined {
  if (!place.shopAddress && !place.city) return undefined
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(addressLine(place))}`
}

/** The address in one line, in US format. */
export function addressLine(place: { shopAddress: string; city: string; state: string; zip: string }): string {
  const region = [place.state, place.zip].filter(Boolean).join(' ')
  return [place.shopAddress, place.city, region].filter(Boolean).join(', ')
}
