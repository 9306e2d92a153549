import type { RequestCtx } from '../core/context.ts'
import type { HttpContext } from '../core/rest.ts'
import type { PublicSite } from '../core/scope.ts'
import type { SiteContent } from '../features/website/service/public-site.ts'
import { robots, siteIcon, siteSitemap } from './feeds.ts'
import { showBooking, showSent, takeBooking } from './book.ts'
import { homePage } from './home.ts'
import type { Rendered } from './rendered.ts'

/** A visitor at an open site. There is never a session: what a visitor may do here needs none. */
export type Visit = { ctx: RequestCtx; scope: PublicSite; site: SiteContent; c: HttpContext }

/** A page made from the site alone; kept in memory and dropped when something of its artist changes. */
type FixedPage = { path: string; fixed: (site: SiteContent) => Rendered }
/** A page made for each request. A form on it posts to its own path, works without scripts, and answers a page. */
type LivePage = { path: string; method: 'GET' | 'POST'; live: (visit: Visit) => Promise<Rendered | Response> }
export type SitePage = FixedPage | LivePage

/**
 * The pages every artist's site has, by their path below its address ('' is the first). To add one, such as booking: write it in
 * a file of its own beside `home.ts`, with `sitePage` of `layout.ts` around it and `site.base` in front of its links, and add a
 * line here. The styles of all pages are `site.css`; scripts come from `assets.ts` and are never needed to read or to send.
 */
export const sitePages: readonly SitePage[] = [
  { path: '', fixed: homePage },
  { path: 'book', method: 'GET', live: showBooking },
  { path: 'book', method: 'POST', live: takeBooking },
  { path: 'book/sent', method: 'GET', live: showSent },
  { path: 'sitemap.xml', fixed: siteSitemap },
  { path: 'robots.txt', fixed: (site) => robots(site.address) },
  { path: 'favicon.svg', fixed: siteIcon },
  // Asked for by a browser that has no page yet to read the icon's address in; the type is in the answer, not in the name.
  { path: 'favicon.ico', fixed: siteIcon },
]
