import type { RequestCtx } from '../core/context.ts'
import type { HttpContext } from '../core/rest.ts'
import type { PublicSite } from '../core/scope.ts'
import type { SiteContent } from '../features/website/service/public-site.ts'
import { robots, siteIcon, siteSitemap } from './feeds.ts'
import { showBooking, showSent, submitBooking } from './booking/book.ts'
import { homePage } from './home.ts'
import type { Rendered } from './rendered.ts'

/** A visitor at an open site, always without a session. */
export type Visit = { ctx: RequestCtx; scope: PublicSite; site: SiteContent; c: HttpContext }

/** A page rendered from the site alone, and cached until data of its artist changes. */
type FixedPage = { path: string; fixed: (site: SiteContent) => Rendered }
/** A page rendered for each request. Its form posts to the same path and works without scripts. */
type LivePage = { path: string; method: 'GET' | 'POST'; live: (visit: Visit) => Promise<Rendered | Response> }
export type SitePage = FixedPage | LivePage

/**
 * The pages of every artist's site, by their path below its address ('' is the home page). To add one, write a file like
 * `home.ts` that calls `sitePage` of `layout.ts`, begin its links with `site.base`, and add a line here. The styles of all
 * pages are in `site.css`. Scripts come from `assets.ts` and are never required.
 */
export const sitePages: readonly SitePage[] = [
  { path: '', fixed: homePage },
  { path: 'book', method: 'GET', live: showBooking },
  { path: 'book', method: 'POST', live: submitBooking },
  { path: 'book/sent', method: 'GET', live: showSent },
  { path: 'sitemap.xml', fixed: siteSitemap },
  { path: 'robots.txt', fixed: (site) => robots(site.address) },
  { path: 'favicon.svg', fixed: siteIcon },
  // Browsers also request this address without a link to it; they accept an SVG by its content type.
  { path: 'favicon.ico', fixed: siteIcon },
]
