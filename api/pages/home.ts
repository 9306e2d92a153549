import { html, raw } from 'hono/html'
import type { PublicWork, SiteContent } from '../features/website/service/public-site.ts'
import { bookingSection } from './booking/booking-section.ts'
import { contactWays, isReachable } from './contact.ts'
import { pictureElement, sitePage } from './layout.ts'
import { describeSite, linkPreview, structuredData } from './meta.ts'
import type { Html, Rendered } from './rendered.ts'

/** The home page of an artist's site. */
export function homePage(site: SiteContent): Rendered {
  const { title, description } = describeSite(site)
  // On an otherwise empty page this would repeat the same button.
  const says = site.gallery.length > 0 || site.about !== '' || site.profile !== undefined
  return sitePage(site, {
    title,
    description,
    enlarges: site.gallery.length > 0,
    head: html`<link rel="canonical" href="${site.address}">${linkPreview(site)}<script type="application/ld+json">${raw(structuredData(site))}</script>`,
    main: html`${hero(site)}${site.gallery.length > 0 ? work(site) : ''}${site.about || site.profile ? about(site) : ''}${says && site.takesBookings ? bookingSection(site) : ''}${isReachable(site) ? contact(site) : ''}`,
  })
}

function hero(site: SiteContent): Html {
  const where = [site.shopName, [site.place.city, site.place.state].filter(Boolean).join(', ')]
    .filter(Boolean)
    .join(' · ')
  return html`${site.background ? html`<div class="banner">${pictureElement({ ...site.background, alt: '' }, { sizes: bannerSizes(site.background), first: true })}</div>` : ''}
<div class="wide hero">
${where ? html`<p class="where">${where}</p>` : ''}
<h1${site.name.length > 18 ? raw(' class="long"') : ''}>${site.name}</h1>
${site.takesBookings || site.gallery.length > 0 ? html`<div class="actions">${site.takesBookings ? html`<a class="button" href="${site.base}/book">Book</a>` : ''}${site.gallery.length > 0 ? html`<a class="button quiet" href="#work">See the work</a>` : ''}</div>` : ''}
</div>`
}

/** The `sizes` of the banner, which is as wide as the screen, or as wide as its height requires (site.css, .banner). */
function bannerSizes(picture: { plain: { width: number; height: number }[] }): string {
  const ratio = ratioOf(picture)
  return `(min-width: 48rem) max(100vw, calc(${ratio} * min(68svh, 56vw))), max(100vw, calc(${ratio} * min(58svh, 110vw)))`
}

const ratioOf = (picture: { plain: { width: number; height: number }[] }) => {
  const largest = picture.plain.at(-1)
  return largest ? Math.round((largest.width / largest.height) * 1000) / 1000 : 1
}

/** Columns on a wide screen: few pictures are shown large. */
const columnsFor = (count: number): 1 | 2 | 3 => (count === 1 ? 1 : count === 2 || count === 4 ? 2 : 3)
const columnWidths = {
  1: ['640px', 'min(40rem, calc(100vw - 4rem))'],
  2: ['568px', 'calc((100vw - 5rem) / 2)'],
  3: ['373px', 'calc((100vw - 6rem) / 3)'],
} as const

/** The `sizes` of a tile. A square crop of a wide picture is drawn wider than the tile (site.css, .sheet). */
function tileSizes(one: PublicWork, index: number, count: number): string {
  const ratio = Math.max(1, ratioOf(one))
  const times = (length: string) => (ratio === 1 ? length : `calc(${ratio} * ${length})`)
  const [wide, narrower] = columnWidths[columnsFor(count)]
  return `(min-width: 76rem) ${times(wide)}, (min-width: 48rem) ${times(narrower)}, ${times(index === 0 && count % 2 === 1 ? '100vw' : '50vw')}`
}

function work(site: SiteContent): Html {
  const columns = { 1: ' one', 2: ' two', 3: '' }[columnsFor(site.gallery.length)]
  return html`<section id="work"><div class="wide"><h2>Work</h2></div>
<div class="sheet-frame"><ul class="sheet${columns}">${site.gallery.map((one, i) => html`<li>${tile(site, one, i)}</li>`)}</ul></div></section>`
}

function tile(site: SiteContent, one: PublicWork, index: number): Html {
  const largest = one.plain.at(-1)
  const alt = one.alt || `Work by ${site.name}, ${index + 1} of ${site.gallery.length}`
  if (one.film) {
    return html`<video controls playsinline preload="none" poster="${largest?.url ?? ''}" aria-label="${alt}"><source src="${one.film.url}" type="${one.film.type}"></video>`
  }
  // Without a banner the first picture is the largest contentful paint.
  const first = index === 0 && !site.background
  return html`<a href="${largest?.url ?? ''}" data-words="${one.alt}">${pictureElement({ ...one, alt }, { sizes: tileSizes(one, index, site.gallery.length), first })}</a>`
}

function contact(site: SiteContent): Html {
  return html`<section id="contact"><div class="wide"><h2>Contact</h2>${contactWays(site, 3)}</div></section>`
}

function about(site: SiteContent): Html {
  const paragraphs = site.about
    .split(/\n\s*\n/)
    .map((text) => text.trim())
    .filter(Boolean)
  const words = html`<div class="words">${paragraphs.map((text) => html`<p>${text.split('\n').map((line, i) => html`${i > 0 ? raw('<br>') : ''}${line}`)}</p>`)}</div>`
  return html`<section class="about" id="about"><div class="wide"><h2>About</h2>
${
  site.profile
    ? html`<div class="pair"><div class="portrait">${pictureElement({ ...site.profile, alt: site.name }, { sizes: '(min-width: 76rem) 440px, (min-width: 48rem) 38vw, min(100vw, 26rem)' })}</div>${words}</div>`
    : words
}
</div></section>`
}
