import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono } from 'hono'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { HttpContext, HttpEnv } from './rest.ts'

const builtWeb = fileURLToPath(new URL('../../web/dist', import.meta.url))
const compress = promisify(brotliCompress)

/** What scripts/prerender.ts writes: the patterns of all addresses, of those that begin with the signed-in frame, and the pages made at build. */
type Routes = { patterns: string[]; framed: string[]; pages: string[] }

type Page = { html: string; packed: Buffer; etag: string }

/**
 * The door to the built web app: its files, the pages made at build, and for every other address of the app the shell: with a grey frame
 * for signed-in screens, else empty.
 * What is no address of the app answers 404, with the app's own page for it.
 */
export function serveBuiltWeb(app: Hono<HttpEnv>, publicUrl: string): void {
  const read = async (file: string): Promise<Page | undefined> => {
    const text = await fs.promises.readFile(path.join(builtWeb, file), 'utf8').catch(() => undefined)
    if (text === undefined) return undefined
    const html = text.replaceAll('%PUBLIC_URL%', publicUrl)
    return {
      html,
      packed: await compress(html),
      etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`,
    }
  }
  // Read at the first request and kept: a new build comes with a new process.
  const kept = new Map<string, Promise<Page | undefined>>()
  const page = async (file: string) => {
    const found = kept.get(file) ?? read(file)
    kept.set(file, found)
    const answer = await found
    if (!answer) kept.delete(file)
    return answer
  }
  const routes = (): Routes => {
    try {
      return JSON.parse(fs.readFileSync(path.join(builtWeb, 'routes.json'), 'utf8')) as Routes
    } catch {
      return { patterns: [], framed: [], pages: [] }
    }
  }
  const known = routes()
  const pages = new Set(known.pages)
  // Where pages were made at build, a pattern stands for those alone.
  const addresses = known.patterns.map(addressOf).filter((address) => !known.pages.some((made) => address.test(made)))
  const framed = known.framed.map(addressOf)
  const isAddress = (pathname: string) =>
    known.patterns.length === 0 ||
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
  // What the app itself has for search engines; /sitemap.xml names it beside the artists' sites.
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
    // With a query the page may have more to say than was known at build.
    const made =
      pages.has(at) && !c.req.url.includes('?')
        ? await page(`pages/${at === '/' ? 'index' : at.slice(1)}.html`)
        : undefined
    const shell = framed.some((address) => address.test(at)) ? 'frame.html' : 'index.html'
    const html = made ?? (await page(shell))
    if (!html) return c.text('The web app is not built yet. Run npm start.', 503)
    return answer(c, html, isAddress(at) ? 200 : 404, 'text/html; charset=utf-8')
  })
  // A form that is sent before its page is hydrated: nothing is lost but the typing, and no password gets into an address.
  app.post('*', (c) => (isAddress(c.req.path) ? c.redirect(c.req.path, 303) : c.notFound()))
}

/** `/blog/$slug` stands for any one step of a path. */
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
  if (!/\bbr\b/.test(c.req.header('accept-encoding') ?? '')) return c.body(page.html, status)
  c.header('content-encoding', 'br')
  return c.body(new Uint8Array(page.packed), status)
}
