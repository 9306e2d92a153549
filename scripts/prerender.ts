import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { criticalCss } from './critical-css.ts'

/**
 * The second half of building the web app: writes the prerendered pages (`dist/pages/login.html`), the list of routes
 * (`dist/routes.json`), and a Brotli copy of each compressible file. URLs in a page's head begin with `%PUBLIC_URL%`,
 * which the server replaces.
 */
const dist = fileURLToPath(new URL('../web/dist', import.meta.url))
const manifest = JSON.parse(fs.readFileSync(path.join(dist, 'manifest.json'), 'utf8')) as Record<
  string,
  { file: string; imports?: string[] }
>
const contentHash = (bytes: string) => createHash('sha256').update(bytes).digest('base64url').slice(0, 8)

/** The script that runs before the first paint, without comments. Its file has a content hash in its name. */
const themeScript = fs.readFileSync(path.join(dist, 'theme.js'), 'utf8').replaceAll(/^\s*\/\/.*\n/gm, '')
const themeFile = `assets/theme-${contentHash(themeScript)}.js`
fs.writeFileSync(path.join(dist, themeFile), themeScript)
fs.rmSync(path.join(dist, 'theme.js'))
const shell = fs.readFileSync(path.join(dist, 'index.html'), 'utf8').replace('/theme.js', `/${themeFile}`)
fs.writeFileSync(path.join(dist, 'index.html'), shell)

/** The exports of web/prerender.tsx, once built. */
type Prerendered = {
  pages: string[]
  patterns: () => string[]
  prerender: (page: string) => Promise<{ head: string; body: string; routeIds: string[] }>
  framed: () => string[]
  frame: () => string
  feed: () => string
}
const { pages, patterns, prerender, framed, frame, feed } = (await import(
  pathToFileURL(path.join(process.argv[2] ?? '', 'prerender.js')).href
)) as Prerendered

/** Preloads the chunks of a page's routes, so that it hydrates after one round trip. */
function linksOf(routeIds: string[]): string {
  const links = new Set<string>()
  const seen = new Set<string>()
  const add = (key: string) => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) return
    seen.add(key)
    links.add(`<link rel="modulepreload" crossorigin href="/${chunk.file}">`)
    for (const key of chunk.imports ?? []) add(key)
  }
  for (const key of Object.keys(manifest)) {
    const [, file] = /^routes\/(.+)\.tsx\?/.exec(key) ?? []
    if (file !== undefined && routeIds.includes(`/${file.replaceAll('.', '/').replace(/(^|\/)index$/, '$1')}`)) add(key)
  }
  return [...links].filter((link) => !shell.includes(link)).join('')
}

const [sheetLink = '', sheet = ''] = /<link rel="stylesheet"[^>]* href="\/([^"]+)">/.exec(shell) ?? []
const css = fs.readFileSync(path.join(dist, sheet), 'utf8')

/**
 * Critical CSS in place of the whole style sheet, which is in a template that browsers do not load;
 * public/theme.js activates it after the first paint. With `scriptsWait` the template contains the scripts too.
 */
function withCriticalCss(html: string, scriptsWait: boolean): string {
  const own = criticalCss(css, html)
  const file = `assets/first-${contentHash(own)}.css`
  fs.writeFileSync(path.join(dist, file), own)
  const scripts = /\s*(?:<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>)/g
  const afterPaint = [
    sheetLink.replace('<link', '<link id="styles"'),
    ...(scriptsWait ? (html.match(scripts) ?? []).map((tag) => tag.trim()) : []),
  ].join('')
  return (scriptsWait ? html.replaceAll(scripts, '') : html)
    .replace(sheetLink, sheetLink.replace(sheet, file))
    .replace('</body>', `<template id="after-paint">${afterPaint}</template></body>`)
}

fs.mkdirSync(path.join(dist, 'pages'), { recursive: true })
for (const page of pages) {
  const { head, body, routeIds } = await prerender(page)
  const canonical = `<link rel="canonical" href="%PUBLIC_URL%${page}">`
  const own = (pattern: RegExp, html: string) => (pattern.test(head) ? html.replace(pattern, '') : html)
  const html = own(/\s*<meta\s+name="description"[^>]*>/, own(/\s*<title>[^<]*<\/title>/, shell))
    .replace('</head>', `${head}${canonical}${linksOf(routeIds)}</head>`)
    .replace('<div id="root"></div>', `<div id="root" data-page="${page}">${body}</div>`)
  const file = path.join(dist, 'pages', `${page === '/' ? 'index' : page.slice(1)}.html`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, withCriticalCss(html, true))
}
fs.writeFileSync(path.join(dist, 'pages', 'blog.xml'), feed())
// The grey frame has no text to read, so its scripts are requested at once, with lower priority than its styles.
const framedShell = shell
  .replace('</head>', `${linksOf(['/_app', '/_app/_subscriber'])}</head>`)
  .replace('<div id="root"></div>', `<div id="root" data-frame="">${frame()}</div>`)
const lowPriority = (html: string) =>
  html.replaceAll(/<(?=script type="module"|link rel="modulepreload")(\w+)/g, '<$1 fetchpriority="low"')
fs.writeFileSync(path.join(dist, 'frame.html'), lowPriority(withCriticalCss(framedShell, false)))
fs.writeFileSync(path.join(dist, 'routes.json'), JSON.stringify({ patterns: patterns(), framed: framed(), pages }))

for (const entry of fs.readdirSync(path.join(dist, 'assets'))) {
  const file = path.join(dist, 'assets', entry)
  const bytes = fs.readFileSync(file)
  // Fonts and pictures are compressed already, and tiny files gain nothing.
  if (!/\.(?:js|css|svg)$/.test(entry) || bytes.length < 1024) continue
  fs.writeFileSync(
    `${file}.br`,
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  )
}

// Garbage collection timers of the query caches would keep this process running for a minute.
process.exit(0)
