import { characters } from '@flashsheet/contracts/characters'
import { weekdayNames } from '@flashsheet/contracts/time'
import { html } from 'hono/html'
import type { PublicPicture, SiteContent } from '../features/website/service/public-site.ts'
import { hasContactSection } from './contact.ts'
import type { Html } from './rendered.ts'

/** Title and description for search engines. */
export function describeSite(site: SiteContent): { title: string; description: string } {
  const { fullName } = site
  const { town } = site.place
  const title = `${fullName} · ${town ? `Tattoos in ${town}` : 'Tattoo artist'}`
  const about = site.about.replaceAll(/\s+/g, ' ').trim()
  const description =
    about === '' ? `${fullName}: ${town ? `tattoos in ${town}. ` : ''}See the work and get in touch.` : cut(about, 155)
  return { title, description }
}

/** Cuts after a word or, if that is too long, after a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const short = text.slice(0, characters.segment(text).containing(length)?.index)
  const space = short.lastIndexOf(' ')
  return `${space > length / 2 ? short.slice(0, space) : short}…`
}

const absolute = (site: SiteContent, url: string) => new URL(url, `${site.address}/`).toString()

type PreviewPicture = PublicPicture['plain'][number] & { alt?: string }

/** The share picture; for a site without visible work one of its other pictures. */
function previewPicture(site: SiteContent): PreviewPicture | undefined {
  if (site.share) {
    const { fileName, width, height } = site.share
    return { url: `${site.address}/${fileName}`, width, height, alt: `Tattoos by ${site.fullName}` }
  }
  const picture = site.background ?? site.profile ?? site.logo
  return picture?.plain.findLast((file) => file.width <= 1280) ?? picture?.plain[0]
}

/** Open Graph tags, for link previews in messengers. */
export function linkPreview(site: SiteContent): Html {
  const { title, description } = describeSite(site)
  const picture = previewPicture(site)
  return html`<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${site.address}">
<meta property="og:site_name" content="${site.shopName || site.name}">
${
  picture
    ? html`<meta property="og:image" content="${absolute(site, picture.url)}">
<meta property="og:image:width" content="${picture.width}">
<meta property="og:image:height" content="${picture.height}">
${picture.alt ? html`<meta property="og:image:alt" content="${picture.alt}">` : ''}
<meta name="twitter:card" content="summary_large_image">`
    : html`<meta name="twitter:card" content="summary">`
}`
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Empty if the site does not show its hours. */
function openingHours({ weekly, sections }: SiteContent): object {
  if (!weekly || !sections.shown.includes('hours')) return {}
  const specification = weekly.flatMap((day, at) =>
    day
      ? [
          {
            '@type': 'OpeningHoursSpecification',
            dayOfWeek: weekdayNames[at],
            opens: clock(day.from),
            closes: clock(day.to),
          },
        ]
      : [],
  )
  return specification.length > 0 ? { openingHoursSpecification: specification } : {}
}

/** JSON-LD: a TattooParlor if the site has an address; otherwise a Person, since a TattooParlor requires one. */
export function structuredData(site: SiteContent): string {
  const pictures = [site.background, site.profile, ...[...site.gallery, ...site.flash].filter((one) => !one.video)]
    .flatMap((one) => one?.plain.at(-1) ?? [])
    .slice(0, 6)
  const shared = {
    '@context': 'https://schema.org',
    '@id': `${site.address}#artist`,
    url: site.address,
    description: describeSite(site).description,
    ...(pictures.length > 0 && { image: pictures.map((file) => absolute(site, file.url)) }),
    ...(hasContactSection(site) && {
      ...(site.email && { email: site.email }),
      ...(site.phone && { telephone: site.phone }),
      ...(site.links.length > 0 && { sameAs: site.links.map((link) => link.url) }),
    }),
  }
  const { shopAddress, city, state, zip, town } = site.place
  const data =
    shopAddress && city
      ? {
          ...shared,
          '@type': 'TattooParlor',
          name: site.shopName || site.name,
          address: {
            '@type': 'PostalAddress',
            streetAddress: shopAddress,
            addressLocality: city,
            addressRegion: state,
            postalCode: zip,
          },
          ...openingHours(site),
          ...(site.shopName && { employee: { '@type': 'Person', name: site.name, jobTitle: 'Tattoo artist' } }),
          ...(site.logo?.plain.at(-1) && { logo: absolute(site, site.logo.plain.at(-1)?.url ?? '') }),
        }
      : {
          ...shared,
          '@type': 'Person',
          name: site.name,
          jobTitle: 'Tattoo artist',
          ...(site.shopName && { worksFor: { '@type': 'TattooParlor', name: site.shopName } }),
          ...(city && { workLocation: { '@type': 'Place', name: town } }),
        }
  // Prevents `</script>` in a value from ending the element.
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
