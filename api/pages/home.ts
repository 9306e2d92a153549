import type { SiteSection } from '@flashsheet/contracts/website/limits'
import type { SiteLayout } from '@flashsheet/contracts/site-design'
import { html, raw } from 'hono/html'
import type { PublicPicture, SiteContent } from '../features/website/service/public-site.ts'
import { contactDetails, isReachable } from './contact.ts'
import { flash } from './flash.ts'
import { aftercare, guestSpots, hours, paragraphs, questions, section, services } from './home-sections.ts'
import { pictureElement, sitePage } from './layout.ts'
import { describeSite, linkPreview, structuredData } from './meta.ts'
import type { Html, Rendered } from './rendered.ts'
import { pictureRatio, work } from './work.ts'

/** The home page of an artist's site. */
export function homePage(site: SiteContent): Rendered {
  const { title, description } = describeSite(site)
  return sitePage(site, {
    title,
    description,
    enlarges: site.gallery.length + site.flash.length > 0,
    head: html`<link rel="canonical" href="${site.address}">${linkPreview(site)}<script type="application/ld+json">${raw(structuredData(site))}</script>`,
    main: html`${hero(site)}${sections(site)}`,
  })
}

/** The picture beside the name, in the layout `portrait`. */
const portraitOf = (site: SiteContent): PublicPicture | undefined =>
  site.layout === 'portrait' ? (site.profile ?? site.background) : undefined

/** The wide picture, unless it is already beside the name. */
const bannerOf = (site: SiteContent): PublicPicture | undefined =>
  site.layout === 'portrait' && !site.profile ? undefined : site.background

/** Where the banner is, relative to the first section. */
const bannerPlace: Record<SiteLayout, 'above' | 'below'> = { gallery: 'above', portrait: 'above', flash: 'below' }

/** Name, place and buttons come before any picture, so that every screen shows them without scrolling. */
function hero(site: SiteContent): Html {
  const where = [site.shopName, site.place.town].filter(Boolean).join('\u{a0}· ')
  const portrait = portraitOf(site)
  const showsWork = site.gallery.length > 0
  const words = html`<div class="name">${where ? html`<p class="where"><bdi>${where}</bdi></p>` : ''}
<h1${site.name.length > 18 ? raw(' class="long"') : ''}><bdi>${site.name}</bdi></h1>
${site.takesBookings || showsWork ? html`<div class="actions">${site.takesBookings ? html`<a class="button" href="${site.base}/book">Book</a>` : ''}${showsWork ? html`<a class="button quiet" href="#work">See the work</a>` : ''}</div>` : ''}</div>`
  const isAbove = bannerPlace[site.layout] === 'above'
  return html`<div class="wide hero ${site.layout}">
${words}${portrait ? html`<div class="face">${pictureElement({ ...portrait, alt: site.profile ? site.name : '' }, { sizes: '(min-width: 76rem) 34rem, (min-width: 48rem) 45vw, 100vw', first: true })}</div>` : ''}
</div>${isAbove ? banner(site, !portrait) : ''}`
}

function banner(site: SiteContent, first: boolean): Html | '' {
  const picture = bannerOf(site)
  return picture
    ? html`<div class="banner">${pictureElement({ ...picture, alt: '' }, { sizes: bannerSizes(picture), first })}</div>`
    : ''
}

/** The `sizes` of the banner, which is as wide as the screen, or as wide as its height requires (site.css, .banner). */
function bannerSizes(picture: PublicPicture): string {
  const ratio = pictureRatio(picture)
  return `(min-width: 48rem) max(100vw, calc(${ratio} * min(60svh, 50vw))), max(100vw, calc(${ratio} * min(50svh, 80vw)))`
}

/** The sections that are on and not empty, in the artist's order. */
function sections(site: SiteContent): Html {
  const hasPortrait = site.profile !== undefined && site.layout !== 'portrait'
  // Without a picture before it, the first tile is the largest contentful paint.
  const isFirst = portraitOf(site) === undefined && (bannerPlace[site.layout] === 'below' || !bannerOf(site))
  const parts: Record<SiteSection, () => Html | ''> = {
    work: () => (site.gallery.length > 0 ? work(site, isFirst) : ''),
    flash: () => flash(site),
    services: () => services(site),
    about: () => (site.about || hasPortrait ? about(site, hasPortrait) : ''),
    guestSpots: () => guestSpots(site),
    hours: () => hours(site),
    questions: () => questions(site),
    aftercare: () => aftercare(site),
    // On an otherwise empty page this section would only repeat the button in the hero.
    book: () =>
      site.takesBookings &&
      (site.gallery.length + site.flash.length > 0 || site.about !== '' || site.profile !== undefined)
        ? booking(site)
        : '',
    contact: () => (isReachable(site) ? section('contact', 'Contact', contactDetails(site, 3)) : ''),
  }
  const [first, ...others] = site.sections.shown.map((id) => parts[id]()).filter((part) => part !== '')
  const below = bannerPlace[site.layout] === 'below' ? banner(site, site.gallery.length === 0) : ''
  return html`${first ?? ''}${below}${others}`
}

function booking(site: SiteContent): Html {
  return html`<section class="book" id="book"><div class="wide"><h2>Book</h2>
<p class="lead">Pick a day and a free time, and tell <bdi>${site.name}</bdi> what you have in mind.</p>
<a class="button" href="${site.base}/book">See free times</a></div></section>`
}

function about(site: SiteContent, hasPortrait: boolean): Html {
  const words = html`<div class="words">${paragraphs(site.about)}</div>`
  return html`<section class="about" id="about"><div class="wide"><h2>About</h2>
${
  hasPortrait && site.profile
    ? html`<div class="pair"><div class="likeness">${pictureElement({ ...site.profile, alt: site.name }, { sizes: '(min-width: 76rem) 440px, (min-width: 48rem) 38vw, min(100vw, 26rem)' })}</div>${words}</div>`
    : words
}
</div></section>`
}
