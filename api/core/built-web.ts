import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono } from 'hono'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { acceptsEncoding } from './accepts-encoding.ts'
import type { HttpContext, HttpEnv } from './rest.ts'

const builtWeb = fileURLToPath(new URL('../../web/dist', import.meta.url))
const compress = promisify(brotliCompress)

/** Written by scripts/prerender.ts: all route patterns, those that start with the signed-in shell, and the prerendered pages. */
type Routes = { patterns: string[]; framed: string[]; pages: string[] }

type Page = { html: string; brotli: Buffer; etag: string }

/**
 * Serves the built web app: files, prerendered pages, and the shell for every other route (with a skeleton for signed-in screens).
 * Any other address is a 404 with the app's own page.
 */
export function serveBuiltWeb(app: Hono<HttpEnv>, publicUrl: string): void {
  const read = async (file: string): Promise<Page | undefined> => {
    const text = await fs.promises.readFile(path.join(builtWeb, file), 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    const html = text.replaceAll('%PUBLIC_URL%', publicUrl)
    return {
      html,
      brotli: await compress(html),
      etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`,
    }
  }
  // Cached for good, since a new build comes with a new process.
  const cache = new Map<string, Promise<Page | undefined>>()
  const page = async (file: string) => {
    const reading = cache.get(file) ?? read(file)
    cache.set(file, reading)
    const found = await reading
    if (!found) cache.delete(file)
    return found
  }
  const readRoutes = (): Routes => {
    try {
      return JSON.parse(fs.readFileSync(path.join(builtWeb, 'routes.json'), 'utf8')) as Routes
    } catch {
      return { patterns: [], framed: [], pages: [] }
    }
  }
  const routes = readRoutes()
  const pages = new Set(routes.pages)
  // A pattern with prerendered pages matches only these.
  const addresses = routes.patterns.map(addressOf).filter((address) => !routes.pages.some((one) => address.test(one)))
  const framed = routes.framed.map(addressOf)
  const isAddress = (pathname: string) =>
    routes.patterns.length === 0 ||
    pages.has(pathname.replace(/(.)\/$/, '$1')) ||
    addresses.some((address) => address.test(pathname))

  app.use(
    '/assets/*',
    serveStatic({
      root: builtWeb,
      precompressed: true,
      onFound: (_file, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
    }),
  )
  for (const file of ['/favicon.svg', '/favicon.ico', '/apple-touch-icon.png', '/preview.png'])
    app.get(
      file,
      serveStatic({ root: builtWeb, onFound: (_file, c) => c.header('cache-control', 'public, max-age=3600') }),
    )
  // The sitemap of the app itself; /sitemap.xml lists it beside those of the artists' sites.
  app.get('/pages.xml', (c) => {
    const entries = [...pages].map((at) => `<url><loc>${publicUrl}${at}</loc></url>`).join('')
    return c.body(
      `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`,
      200,
      { 'content-type': 'application/xml' },
    )
  })
  app.get('/blog/rss.xml', async (c) => {
    const feed = await page('pages/blog.xml')
    return feed ? answer(c, feed, 200, 'application/rss+xml; charset=utf-8') : c.notFound()
  })
  app.get('*', async (c) => {
    const at = c.req.path.replace(/(.)\/$/, '$1')
    // A query may change the page, so it is not answered with the prerendered one.
    const prerendered =
      pages.has(at) && !c.req.url.includes('?')
        ? await page(`pages/${at === '/' ? 'index' : at.slice(1)}.html`)
        : undefined
    const shell = framed.some((address) => address.test(at)) ? 'frame.html' : 'index.html'
    const found = prerendered ?? (await page(shell))
    if (!found) return c.text('The web app is not built yet. Run npm start.', 503)
    return answer(c, found, isAddress(at) ? 200 : 404, 'text/html; charset=utf-8')
  })
  // A form submitted before hydration is redirected, so that no password ends up in an address.
  app.post('*', (c) => (isAddress(c.req.path) ? c.redirect(c.req.path, 303) : c.notFound()))
}

/** `$slug` in `/blog/$slug` matches one segment. */
function addressOf(pattern: string): RegExp {
  const steps = pattern.split('/').map((step) => (step.startsWith('$') ? '[^/]+' : RegExp.escape(step)))
  return new RegExp(`^${steps.join('/')}/?$`)
}

function answer(c: HttpContext, page: Page, status: 200 | 404, type: string): Response {
  c.header('content-type', type)
  c.header('cache-control', 'no-cache')
  c.header('etag', page.etag)
  c.header('vary', 'accept-encoding')
  if (status === 200 && c.req.header('if-none-match')?.includes(page.etag)) return c.body(null, 304)
  if (!acceptsEncoding(c.req.header('accept-encoding') ?? '', 'br')) return c.body(page.html, status)
  c.header('content-encoding', 'br')
  return c.body(new Uint8Array(page.brotli), status)
}
