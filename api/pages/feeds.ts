import { html } from 'hono/html'
import type { SiteContent } from '../features/website/service/public-site.ts'
import { textOf, type Html, type Rendered } from './rendered.ts'

const xml = (body: Html): Rendered => ({
  status: 200,
  type: 'application/xml; charset=utf-8',
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${textOf(body)}`,
})

/** The site's sitemap: its pages and pictures. */
export function siteSitemap(site: SiteContent): Rendered {
  const pictures = [...site.gallery, ...site.flash].flatMap((one) => (one.video ? [] : (one.plain.at(-1) ?? [])))
  return xml(
    html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>${site.address}</loc><lastmod>${site.updatedAt.toISOString()}</lastmod>${pictures.map((file) => html`<image:image><image:loc>${new URL(file.url, `${site.address}/`).toString()}</image:loc></image:image>`)}</url>${site.takesBookings ? html`<url><loc>${site.address}/book</loc></url>` : ''}</urlset>`,
  )
}

/** A sitemap index may name 50,000 sitemaps; search engines refuse a longer one whole. One is the app's own. */
export const maxListedSites = 49_999

/** The sitemap index: the app's own pages and every site's sitemap. */
export function sitemapIndex(publicUrl: string, sites: readonly { address: string; updatedAt: Date }[]): Rendered {
  return xml(
    html`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${publicUrl}/pages.xml</loc></sitemap>${sites.map((site) => html`<sitemap><loc>${site.address}/sitemap.xml</loc><lastmod>${site.updatedAt.toISOString()}</lastmod></sitemap>`)}</sitemapindex>`,
  )
}

export function robots(address: string): Rendered {
  return {
    status: 200,
    type: 'text/plain; charset=utf-8',
    body: `User-agent: *\nAllow: /\nSitemap: ${address}/sitemap.xml\n`,
  }
}

/** A favicon for a site without a logo: the artist's first letter in their colours. */
export function siteIcon(site: SiteContent): Rendered {
  const letter = String.fromCodePoint((site.shopName || site.name).trim().codePointAt(0) ?? 32).toUpperCase()
  const { background, text } = site.palette
  return {
    status: 200,
    type: 'image/svg+xml',
    body: textOf(
      html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="${background}"/><text x="32" y="45" font-family="Georgia,serif" font-size="38" text-anchor="middle" fill="${text}">${letter}</text></svg>`,
    ),
  }
}
