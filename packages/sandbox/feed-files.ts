import * as fs from 'node:fs'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import type { SandboxContext } from './context.ts'
import { drawPortrait } from './portrait.ts'

/** `/wall/media/<blob>` with byte ranges, for players that seek, and `/wall/portrait/<name>`. */
export function feedFiles(sandbox: SandboxContext): Hono {
  const app = new Hono()

  app.get('/wall/media/:blob', async (c) => {
    const blob = c.req.param('blob')
    if (!/^[0-9a-f]{64}$/.test(blob) || !fs.existsSync(sandbox.blobPath(blob))) return c.text('No such file', 404)
    const { type, bytes } = await sandbox.inspect(blob)
    const headers: Record<string, string> = {
      'content-type': /^(image\/(jpeg|png|webp|gif)|video\/)/.test(type) ? type : 'application/octet-stream',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      etag: `"${blob}"`,
    }
    if (c.req.header('if-none-match') === headers['etag']) return c.body(null, 304, headers)
    const range = rangeOf(c.req.header('range'), bytes)
    if (range === 'impossible') return c.body(null, 416, { ...headers, 'content-range': `bytes */${bytes}` })
    const [first, last] = range ?? [0, bytes - 1]
    headers['content-length'] = String(last - first + 1)
    if (range) headers['content-range'] = `bytes ${first}-${last}/${bytes}`
    const status = range ? 206 : 200
    if (c.req.method === 'HEAD' || bytes === 0) return c.body(null, status, headers)
    const stream = Readable.toWeb(
      fs.createReadStream(sandbox.blobPath(blob), { start: first, end: last }),
    ) as ReadableStream<Uint8Array>
    return c.body(stream, status, headers)
  })

  app.get('/wall/portrait/:name', async (c) => {
    c.header('content-type', 'image/jpeg')
    c.header('cache-control', 'public, max-age=86400')
    return c.body(new Uint8Array(await drawPortrait(c.req.param('name'))))
  })
  return app
}

/** The address of the profile picture that networks return for a name. */
export function portraitOf(sandbox: Pick<SandboxContext, 'url'>, name: string): string {
  return `${sandbox.url}/wall/portrait/${encodeURIComponent(name)}`
}

/** The first letter or digit of the first and the last word. */
export function initials(name: string): string {
  const letters = name.split(/[\s._]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  const ends = letters.length > 1 ? [letters[0], letters.at(-1)] : letters
  return ends.join('').toUpperCase() || '?'
}

/** The requested range of a file. Undefined: the whole file, also for several ranges, which a server may ignore. */
function rangeOf(header: string | undefined, bytes: number): [number, number] | 'impossible' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const first = match[1] === '' ? Math.max(0, bytes - Number(match[2])) : Number(match[1])
  const last = match[1] === '' || match[2] === '' ? bytes - 1 : Math.min(Number(match[2]), bytes - 1)
  return first > last || first >= bytes ? 'impossible' : [first, last]
}
