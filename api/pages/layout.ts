import { contrast, type Palette } from '@flashsheet/contracts/palette'
import { html, raw } from 'hono/html'
import * as fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PublicPicture, SiteContent } from '../features/website/service/public-site.ts'
import { isReachable } from './contact.ts'
import { enlargeUrl } from './assets.ts'
import { textOf, type Html, type Rendered } from './rendered.ts'

const css = fs
  .readFileSync(fileURLToPath(new URL('site.css', import.meta.url)), 'utf8')
  .replaceAll(/\/\*.*?\*\//gs, '')
  .split('\n')
  .map((line) => line.trim())
  .join('')
  .replaceAll(/(?<!\s)\s+(?=[{};,])|(?<=[{};,])\s+/g, '')
  .replaceAll(': ', ':')

/** Default colours, for pages without a known artist. */
export const plainPalette: Palette = {
  background: '#151210',
  text: '#f2eadd',
  muted: '#b0a494',
  accent: '#ff8a78',
  button: '#cc382d',
  onButton: '#ffffff',
  hover: '#b32d23',
  onHover: '#ffffff',
  line: '#38312b',
}

function styleOf(palette: Palette): string {
  const names = {
    background: 'background',
    text: 'text',
    muted: 'muted',
    accent: 'accent',
    button: 'button',
    onButton: 'on-button',
    hover: 'hover',
    onHover: 'on-hover',
    line: 'line',
  } as const
  const isDark = contrast(palette.background, '#ffffff') > contrast(palette.background, '#000000')
  const tokens = Object.entries(names).map(([key, name]) => `--${name}:${palette[key as keyof Palette]}`)
  return `:root{color-scheme:${isDark ? 'dark' : 'light'};${tokens.join(';')}}${css}`
}

type Page = {
  palette: Palette
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
  hidden?: boolean
}

/** The frame of every public page: one style element, at most one script file, nothing from third parties. */
export function layout(page: Page): Rendered {
  const style = styleOf(page.palette)
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
${page.description ? html`<meta name="description" content="${page.description}">` : ''}
${page.hidden ? raw('<meta name="robots" content="noindex">') : ''}
<meta name="theme-color" content="${page.palette.background}">
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
export function sitePage(site: SiteContent, page: Omit<Page, 'palette' | 'body'> & { main: Html }): Rendered {
  return layout({
    ...page,
    palette: site.palette,
    head: html`${iconLink(site)}${page.head ?? ''}`,
    body: html`<a class="skip" href="#main">Skip to the content</a>
<header class="wide top">
${brand(site, site.base || '/')}
<nav aria-label="Site"><ul>
${site.gallery.length > 0 ? html`<li><a href="${site.base || '/'}#work">Work</a></li>` : ''}
${site.about ? html`<li><a href="${site.base || '/'}#about">About</a></li>` : ''}
${isReachable(site) ? html`<li><a href="${site.base || '/'}#contact">Contact</a></li>` : ''}
${site.takesBookings ? html`<li><a class="button" href="${site.base}/book">Book</a></li>` : ''}
</ul></nav>
</header>
<main id="main">
${page.main}
</main>
<footer><div class="wide">© ${site.shopName ? `${site.name}, ${site.shopName}` : site.name}</div></footer>`,
  })
}

/** The site's name, linked to its home page. */
export function brand(site: SiteContent, home: string): Html {
  const name = site.shopName || site.name
  return html`<a class="brand" href="${home}">${site.logo ? pictureElement({ ...site.logo, alt: name }, { sizes: '192px', eager: true }) : name}</a>`
}

export function iconLink(site: SiteContent): Html {
  const icon = site.logo?.plain.find((file) => file.width >= 96) ?? site.logo?.plain.at(-1)
  return icon
    ? html`<link rel="icon" href="${icon.url}">`
    : html`<link rel="icon" type="image/svg+xml" href="${site.base}/favicon.svg">`
}

/** A picture in WebP with a JPEG or PNG fallback, lazy unless `eager`. */
export function pictureElement(
  picture: PublicPicture,
  look: { sizes: string; eager?: boolean; first?: boolean },
): Html {
  const set = (files: PublicPicture['webp']) => files.map((file) => `${file.url} ${file.width}w`).join(', ')
  const largest = picture.plain.at(-1)
  if (!largest) return html``
  const src = picture.plain.find((file) => file.width >= 640) ?? largest
  const loading = look.first ? raw('fetchpriority="high"') : look.eager ? '' : raw('loading="lazy" decoding="async"')
  return html`<picture><source type="image/webp" srcset="${set(picture.webp)}" sizes="${look.sizes}"><img src="${src.url}" srcset="${set(picture.plain)}" sizes="${look.sizes}" width="${largest.width}" height="${largest.height}" alt="${picture.alt}" ${loading}></picture>`
}
