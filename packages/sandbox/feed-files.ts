import * as fs from 'node:fs'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { SandboxContext } from './context.ts'
import { drawPortrait } from './portrait.ts'

/** `/wall/media/<blob>` with byte ranges, for players that seek, and `/wall/portrait/<name>`. */
export function feedFiles(sandbox: SandboxContext): Hono {
  const app = new Hono()

  app.get('/wall/media/:blob', async (c, next) => {
    const blob = c.req.param('blob')
    if (!/^[0-9a-f]{64}$/.test(blob) || !fs.existsSync(sandbox.blobPath(blob))) return c.text('No such file', 404)
    const { type } = await sandbox.inspect(blob)
    c.header('accept-ranges', 'bytes')
    c.header('cache-control', 'private, max-age=31536000, immutable')
    c.header('x-content-type-options', 'nosniff')
    c.header('etag', `"${blob}"`)
    if (c.req.header('if-none-match') === `"${blob}"`) return c.body(null, 304)
    const file = await serveStatic({ path: sandbox.blobPath(blob) })(c, next)
    // Stored without an extension, by which the type of a static file would be guessed.
    if (/^(image\/(jpeg|png|webp|gif)|video\/)/.test(type)) file?.headers.set('content-type', type)
    return file
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
