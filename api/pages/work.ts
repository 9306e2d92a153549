import type { SiteLayout } from '@flashsheet/contracts/site-design'
import { html } from 'hono/html'
import type { PublicPicture, PublicWork, SiteContent } from '../features/website/service/public-site.ts'
import { pictureElement } from './layout.ts'
import type { Html } from './rendered.ts'

/** Width by height of a picture. */
export function pictureRatio(picture: Pick<PublicPicture, 'plain'>): number {
  const largest = picture.plain.at(-1)
  return largest ? Math.round((largest.width / largest.height) * 1000) / 1000 : 1
}

/** By columns on a wide screen (site.css, .sheet): the class, and the width of a tile on a wide and a medium screen. */
const sheets = {
  1: { className: ' one', wide: '640px', medium: 'min(40rem, calc(100vw - 4rem))' },
  2: { className: ' two', wide: '568px', medium: 'calc((100vw - 5rem) / 2)' },
  3: { className: '', wide: '373px', medium: 'calc((100vw - 6rem) / 3)' },
  4: { className: ' four', wide: '276px', medium: 'calc((100vw - 7rem) / 4)' },
}
type Columns = keyof typeof sheets

/** How a picture fits into its tile, and the columns on a wide screen. */
const tiles: Record<SiteLayout, { fit: 'cover' | 'contain'; columns: Columns }> = {
  gallery: { fit: 'cover', columns: 3 },
  portrait: { fit: 'cover', columns: 2 },
  // Flash is never cropped.
  flash: { fit: 'contain', columns: 4 },
}

/** Width by height of all tiles: upright if most pictures are, so that little is cropped. */
function tileRatio(gallery: readonly PublicWork[]): 1 | 0.8 {
  const upright = gallery.filter((one) => pictureRatio(one) < 0.9).length
  return upright * 2 > gallery.length ? 0.8 : 1
}

/** Columns on a wide screen; fewer pictures have fewer columns. */
function columnsFor(count: number, layout: SiteLayout): Columns {
  const most = tiles[layout].columns
  if (count === 1) return 1
  // With four columns the last row would have only one picture.
  if (most === 4 && count % 4 === 1 && count % 3 !== 1) return 3
  return count === 2 || (count === 4 && most === 3) ? 2 : count === 3 ? (Math.min(3, most) as Columns) : most
}

/** The `sizes` of a tile. A cropped picture is drawn wider than its tile, an uncropped one may be narrower. */
function tileSizes(one: PublicWork, index: number, site: SiteContent): string {
  const { fit } = tiles[site.layout]
  const count = site.gallery.length
  const isAlone = count === 1 || (fit === 'cover' && index === 0 && count % 2 === 1)
  const relativeRatio = pictureRatio(one) / tileRatio(site.gallery)
  const scale = Math.round((fit === 'cover' ? Math.max(1, relativeRatio) : Math.min(1, relativeRatio)) * 1000) / 1000
  const drawn = (length: string) => (scale === 1 ? length : `calc(${scale} * ${length})`)
  const { wide, medium } = sheets[columnsFor(count, site.layout)]
  return `(min-width: 76rem) ${drawn(wide)}, (min-width: 48rem) ${drawn(medium)}, ${drawn(isAlone ? '100vw' : '50vw')}`
}

/** The gallery. `isFirst`: the page has no picture before it. */
export function work(site: SiteContent, isFirst: boolean): Html {
  const { className } = sheets[columnsFor(site.gallery.length, site.layout)]
  const upright = tileRatio(site.gallery) < 1 ? ' upright' : ''
  return html`<section id="work"><div class="wide"><h2>Work</h2></div>
<div class="sheet-frame"><ul class="sheet ${site.layout}${className}${upright}">${site.gallery.map((one, i) => html`<li>${tile(site, one, i, isFirst && i === 0)}</li>`)}</ul></div></section>`
}

function tile(site: SiteContent, one: PublicWork, index: number, first: boolean): Html {
  const alt = one.alt || `Work by ${site.name}, ${index + 1} of ${site.gallery.length}`
  return workElement(one, { alt, sizes: tileSizes(one, index, site), first })
}

/** A picture that opens enlarged when clicked, or a video with controls. */
export function workElement(one: PublicWork, options: { alt: string; sizes: string; first: boolean }): Html {
  const { alt, ...picture } = options
  const largest = one.plain.at(-1)
  if (one.video) {
    return html`<video controls playsinline preload="none" poster="${largest?.url ?? ''}" aria-label="${alt}"><source src="${one.video.url}" type="${one.video.type}"></video>`
  }
  return html`<a href="${largest?.url ?? ''}" data-words="${one.alt}">${pictureElement({ ...one, alt }, picture)}</a>`
}
