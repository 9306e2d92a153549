import type { SiteSection } from '@flashsheet/contracts/website/limits'
import { html, raw } from 'hono/html'
import type { PublicPicture, SiteContent } from '../features/website/service/public-site.ts'
import { hasContactSection } from './contact.ts'
import { enlargeUrl } from './assets.ts'
import { textOf, type Html, type Rendered } from './rendered.ts'
import { fontLinks, styleOf, type SiteTheme } from './site-style.ts'

type Page = {
  theme: SiteTheme
  title: string
  /** For search engines and link previews. */
  description?: string
  /** More elements for the head. */
  head?: Html | ''
  body: Html
  status?: number
  /** Loads the script that enlarges pictures. */
  enlarges?: boolean
  /** Adds noindex. */
  isNoindex?: boolean
}

/** The HTML document of every public page: one style element, at most one script file, nothing from third parties. */
export function layout(page: Page): Rendered {
  const style = styleOf(page.theme)
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
${page.description ? html`<meta name="description" content="${page.description}">` : ''}
${page.isNoindex ? raw('<meta name="robots" content="noindex">') : ''}
<meta name="theme-color" content="${page.theme.palette.background}">
${fontLinks(page.theme)}
${page.head ?? ''}
<style>${raw(style)}</style>
${page.enlarges ? html`<script type="module" src="${enlargeUrl}"></script>` : ''}
</head>
<body>
${page.body}
</body>
</html>
`
  return { status: page.status ?? 200, type: 'text/html; charset=utf-8', body: textOf(body), style }
}

/** A page of an artist's site: header with the name and links to the other pages, `main`, and a footer. */
export function sitePage(site: SiteContent, page: Omit<Page, 'theme' | 'body'> & { main: Html }): Rendered {
  const shows = (id: SiteSection) => site.sections.shown.includes(id)
  return layout({
    ...page,
    theme: site,
    head: html`${iconLink(site)}${page.head ?? ''}`,
    body: html`<a class="skip" href="#main">Skip to the content</a>
<header class="wide top">
${brand(site, site.home)}
<nav aria-label="Site"><ul>
${site.gallery.length > 0 ? html`<li><a href="${site.home}#work">Work</a></li>` : ''}
${shows('about') && site.about ? html`<li><a href="${site.home}#about">About</a></li>` : ''}
${hasContactSection(site) ? html`<li><a href="${site.home}#contact">Contact</a></li>` : ''}
${site.takesBookings ? html`<li><a class="button" href="${site.base}/book">Book</a></li>` : ''}
</ul></nav>
</header>
<main id="main">
${page.main}
</main>
<footer><div class="wide">© <bdi>${site.fullName}</bdi></div></footer>`,
  })
}

/** The site's name, linked to its home page. */
export function brand(site: SiteContent, home: string): Html {
  const name = site.shopName || site.name
  return html`<a class="${site.logo && site.plate !== null ? 'brand plated' : 'brand'}" href="${home}">${site.logo ? pictureElement({ ...site.logo, alt: name }, { sizes: '192px', eager: true }) : html`<span><bdi>${name}</bdi></span>`}</a>`
}

export function iconLink(site: SiteContent): Html {
  const icon = site.logo?.plain.find((file) => file.width >= 96) ?? site.logo?.plain.at(-1)
  return icon
    ? html`<link rel="icon" href="${icon.url}">`
    : html`<link rel="icon" type="image/svg+xml" href="${site.base}/favicon.svg">`
}

/** A picture in WebP with a JPEG or PNG fallback. It loads lazily, unless it is `eager` or the `first` of the page. */
export function pictureElement(
  picture: PublicPicture,
  options: { sizes: string; eager?: boolean; first?: boolean },
): Html {
  const set = (files: PublicPicture['webp']) => files.map((file) => `${file.url} ${file.width}w`).join(', ')
  const largest = picture.plain.at(-1)
  if (!largest) return html``
  const src = picture.plain.find((file) => file.width >= 640) ?? largest
  const loading = options.first
    ? raw('fetchpriority="high"')
    : options.eager
      ? ''
      : raw('loading="lazy" decoding="async"')
  return html`<picture><source type="image/webp" srcset="${set(picture.webp)}" sizes="${options.sizes}"><img src="${src.url}" srcset="${set(picture.plain)}" sizes="${options.sizes}" width="${largest.width}" height="${largest.height}" alt="${picture.alt}" ${loading}></picture>`
}
