import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { buildWebWhenChanged } from './build-web.ts'

const dist = fileURLToPath(new URL('../web/dist', import.meta.url))

type Manifest = Record<string, { file: string; imports?: string[] }>

/** The maximum of gzipped script bytes that a page loads before it is interactive, and its routes. */
const budgets: Record<string, { maxBytes: number; routes: string[] }> = {
  '/': { maxBytes: 130_000, routes: ['_public', '_public/index'] },
  '/new-post': { maxBytes: 220_000, routes: ['_app', '_app/_subscriber', '_app/_subscriber/new-post'] },
}

/** The maximum of compressed bytes and files that a prerendered page loads before the first paint, fonts included. */
const beforePaint = { maxBytes: 72_000, maxFiles: 4 }

/** What a browser requests as soon as it has parsed this page. Templates and lazy resources wait for the first paint. */
function requestedBeforePaint(html: string): string[] {
  const eager = html.replaceAll(
    /<template\b[^]*?<\/template>|<picture>(?:(?!<\/picture>)[^])*loading="lazy"[^]*?<\/picture>/g,
    '',
  )
  const tags = eager.matchAll(/<(?:link|script|img|source)\b[^>]*>/g)
  return [...tags].flatMap(([tag]) =>
    tag.includes('loading="lazy"') || /rel="(?:icon|canonical)"/.test(tag)
      ? []
      : (/\s(?:src|href|srcset)="\/([^"\s]+)/i.exec(tag)?.[1] ?? []),
  )
}

/** A sentence for each prerendered page over the limit. */
function pagesOverPaintLimit(): string[] {
  const pages = fs
    .readdirSync(path.join(dist, 'pages'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
  return pages.flatMap((page) => {
    const html = fs.readFileSync(path.join(dist, 'pages', page), 'utf8')
    const files = requestedBeforePaint(html)
    const packed = (bytes: Buffer) => brotliCompressSync(bytes).length
    const total =
      packed(Buffer.from(html)) + files.reduce((sum, file) => sum + packed(fs.readFileSync(path.join(dist, file))), 0)
    return total <= beforePaint.maxBytes && files.length <= beforePaint.maxFiles
      ? []
      : [
          `${page} takes ${total} bytes before it can be read (at most ${beforePaint.maxBytes}) and ${files.length} files (at most ${beforePaint.maxFiles}): ${files.join(', ')}. Styles, scripts and fonts that the first paint does not need load after it (scripts/prerender.ts).`,
        ]
  })
}

/** Every chunk that these routes load, entry included. */
function scriptsOf(manifest: Manifest, routes: readonly string[]): string[] {
  const keys = ['index.html', ...routes.map((route) => `routes/${route}.tsx?tsr-split=component`)]
  const seen = new Set<string>()
  const add = (key: string) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no ${key}: scripts/sizes.ts names a route that does not exist.`)
    if (seen.has(key)) return
    seen.add(key)
    for (const next of chunk.imports ?? []) add(next)
  }
  for (const key of keys) add(key)
  return [...new Set([...seen].map((key) => manifest[key]?.file ?? ''))]
}

/** Import cycles among chunks, whose order of execution is undefined (web/chunks.ts). */
function importCycles(manifest: Manifest): string[] {
  const found: string[] = []
  const finished = new Set<string>()
  const walk = (key: string, way: string[]) => {
    if (way.includes(key))
      found.push([...way.slice(way.indexOf(key)), key].map((one) => manifest[one]?.file).join(' → '))
    else if (!finished.has(key)) {
      for (const next of manifest[key]?.imports ?? []) walk(next, [...way, key])
      finished.add(key)
    }
  }
  for (const key of Object.keys(manifest)) walk(key, [])
  return found
}

/** A sentence for each page over its budget and for each import cycle. */
async function overBudget(): Promise<string[]> {
  await buildWebWhenChanged()
  const manifest = JSON.parse(fs.readFileSync(path.join(dist, 'manifest.json'), 'utf8')) as Manifest
  const oversized = Object.entries(budgets).flatMap(([page, { maxBytes, routes }]) => {
    const files = scriptsOf(manifest, routes).map((file) => ({
      file,
      bytes: gzipSync(fs.readFileSync(path.join(dist, file))).length,
    }))
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total <= maxBytes) return []
    const largest = [...files].sort((a, b) => b.bytes - a.bytes).slice(0, 5)
    return [
      `${page} loads ${total} bytes of scripts (gzip), ${total - maxBytes} too many. Largest: ${largest.map(({ file, bytes }) => `${file} ${bytes}`).join(', ')}. Often a route file imports a schema or a screen's code by value (every route file is loaded with the first page), or a screen what it could load later (web/ui/lazy-component.tsx).`,
    ]
  })
  return [
    ...oversized,
    ...pagesOverPaintLimit(),
    ...importCycles(manifest).map(
      (cycle) =>
        `Scripts import each other in a cycle: ${cycle}. Two groups of web/chunks.ts depend on each other; move the modules that both need.`,
    ),
  ]
}

if (import.meta.main) {
  const problems = await overBudget()
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
}
