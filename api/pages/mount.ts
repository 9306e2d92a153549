import type { Hono } from 'hono'
import { ClientDisconnected } from '../core/body.ts'
import type { System } from '../core/context.ts'
import { anonymousCtx } from '../core/request-ctx.ts'
import { sharedOwner } from '../core/response-cache.ts'
import type { HttpContext, HttpEnv } from '../core/rest.ts'
import { listSites, siteAddress, visitSite, type FoundAddress } from '../features/website/service/public-site.ts'
import { assetAt, assetsPath } from './assets.ts'
import { maxListedSites, robots, sitemapIndex } from './feeds.ts'
import {
  failedPage,
  goneSitePage,
  hiddenSitePage,
  holdingPage,
  missingPage,
  movedSitePage,
  unknownSitePage,
  refusedPage,
} from './notices.ts'
import { pageCacheMs, pageKey, toCachedPage, transportHeaders, type CachedPage } from './cached-page.ts'
import type { Rendered } from './rendered.ts'
import { serveSharePicture, isSharePicture } from './share-picture.ts'
import { sitePages } from './site-pages.ts'
import { isCanonical, siteRequest, type SiteRequest } from './site-request.ts'
import { writePage } from './serve-cached-page.ts'

/** The form of a site's name; other names are not looked up in the database. */
const possibleName = /^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/

/** Adds the artists' public sites to the app, before any session middleware. */
export function mountSites(app: Hono<HttpEnv>, system: System): void {
  const { sitesDomain, publicUrl } = system.config
  // A form that was opened before its site was renamed is redirected to another host; browsers check that host too.
  const formHosts = sitesDomain === undefined ? '' : siteAddress(system, '*')
  const withHeaders = (page: Rendered) => toCachedPage(page, transportHeaders(publicUrl), formHosts)

  app.use('*', async (c, next) => {
    const request = siteRequest(system.config, c.req.header('host') ?? '', c.req.path)
    if (!request) return await next()
    try {
      return await answer(request, c)
    } catch (error) {
      if (error instanceof ClientDisconnected) throw error
      return writePage(
        c,
        withHeaders(
          failedPage(system.log, error, { method: c.req.method, path: c.req.path, host: c.req.header('host') }),
        ),
      )
    }
  })

  app.get(`${assetsPath}/*`, async (c, next) => {
    const asset = assetAt(c.req.path)
    if (!asset) return await next()
    return c.body(asset.bytes, 200, {
      'content-type': asset.type,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
  app.get('/robots.txt', (c) => writePage(c, withHeaders(robots(publicUrl))))
  app.get('/sitemap.xml', async (c) =>
    writePage(
      c,
      await system.responses.get('sitemap', pageCacheMs, async () => ({
        owner: sharedOwner,
        value: withHeaders(sitemapIndex(publicUrl, await listSites(system, maxListedSites))),
      })),
    ),
  )

  async function answer(request: SiteRequest, c: HttpContext): Promise<Response> {
    const { domainName, path } = request
    const isReading = c.req.method === 'GET' || c.req.method === 'HEAD'
    const { search } = new URL(c.req.url)
    const write = (page: Rendered) => writePage(c, withQuery(withHeaders(page), search))
    if (!possibleName.test(domainName)) return write(unknownSitePage())
    // Redirects only to plain paths, since browsers take some others (`//host`) for another host.
    if (isReading && !isCanonical(system.config, request, c.req.path) && /^[\w./-]*$/.test(path)) {
      const site = sitesDomain === undefined ? `/s/${domainName}` : siteAddress(system, domainName)
      return c.redirect(`${request.isOwnHost ? '' : site}${path && `/${path}`}${search}` || '/', 301)
    }
    if (isReading && isSharePicture(path)) {
      const found = await visitSite(system, domainName)
      const picture = await serveSharePicture(system, c, found, path)
      // The page of a closed site may have status 200, which a preview would take for the picture.
      return picture ?? write(found.state === 'moved' ? closedPage(found, path) : unknownSitePage())
    }
    const page = sitePages.find(
      (one) => one.path === path && ('fixed' in one ? isReading : one.method === (isReading ? 'GET' : c.req.method)),
    )
    if (page && 'live' in page) {
      const found = await visitSite(system, domainName)
      if (found.state !== 'open') return write(closedPage(found, path, isReading))
      const answered = await page.live({ ctx: anonymousCtx(system, c), scope: found.scope, site: found.content, c })
      return answered instanceof Response ? answered : writePage(c, { ...withHeaders(answered), etag: '' })
    }
    if (!isReading) {
      const found = await visitSite(system, domainName)
      if (found.state === 'moved') return write(closedPage(found, path))
      return write({ ...refusedPage(405, 'This page accepts no data'), headers: { allow: 'GET, HEAD' } })
    }
    const cached = await system.responses.get(pageKey(domainName, path), pageCacheMs, async () => {
      const found = await visitSite(system, domainName)
      // Unknown paths are not cached, whatever the state of the site.
      const owner = !page || found.state === 'none' || found.state === 'moved' ? undefined : found.owner
      if (found.state !== 'open') return { owner, value: withHeaders(closedPage(found, path)) }
      return { owner, value: withHeaders(page ? page.fixed(found.content) : missingPage(found.content)) }
    })
    return writePage(c, withQuery(cached, search))
  }
}

/** A redirect with the query of the request, which the page cache does not distinguish. */
function withQuery(page: CachedPage, search: string): CachedPage {
  const { location } = page.headers
  return location === undefined ? page : { ...page, headers: { ...page.headers, location: location + search } }
}

function closedPage(found: FoundAddress, path: string, isReading = true): Rendered {
  if (found.state === 'moved') return movedSitePage(`${found.address}${path && `/${encodeURI(path)}`}`)
  if (found.state === 'holding') return holdingPage(found.content, isReading)
  if (found.state === 'gone') return goneSitePage()
  return found.state === 'hidden' ? hiddenSitePage(isReading) : unknownSitePage()
}
