import { Readable } from 'node:stream'
import type { SignedInCtx, System } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import type { HttpContext } from '../../../core/rest.ts'
import { findItem, type MediaRow } from '../queries/items.ts'
import { parseRange } from '../rules/range.ts'
import { openSigned } from './sign.ts'

/** A stored object and its response headers. */
export type Stored = { key: string; contentType: string; etag: string; cacheControl: string; fileName?: string }

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Serves a file of an item to its owner. Throws notFound, also for another artist's item. */
export async function serveOwn(ctx: SignedInCtx, c: HttpContext): Promise<Response> {
  const id = c.req.param('id') ?? ''
  const item = uuid.test(id) ? await findItem(ctx.db, ctx.owner, id) : undefined
  const stored = item && storedForm(item, c.req.param('form') ?? '')
  if (!stored) throw notFound()
  return await serveStored(ctx, c, stored)
}

/** Serves the stored object of a signed address. Throws notFound when the address is invalid or expired. */
export async function serveSigned(system: System, c: HttpContext): Promise<Response> {
  const opened = openSigned(system, c.req.param('token') ?? '')
  if (!opened) throw notFound()
  return await serveStored(system, c, {
    ...opened,
    etag: `"${opened.key.replaceAll('/', '-')}"`,
    cacheControl: 'private, max-age=3600',
  })
}

function storedForm(item: MediaRow, form: string): Stored | undefined {
  // An item's bytes never change, so its id serves as an ETag. A new thumbnail gets a new address.
  const cacheControl = 'private, max-age=31536000, immutable'
  const original = {
    key: item.originalKey,
    contentType: item.mimeType,
    etag: `"${item.id}"`,
    cacheControl,
    fileName: item.fileName,
  }
  if (form === 'original') return original
  if (form === 'thumbnail')
    return {
      key: item.thumbnailKey,
      contentType: 'image/webp',
      etag: `"${item.thumbnailKey.split('/').at(-1)}"`,
      cacheControl,
    }
  if (form !== 'display') return undefined
  if (item.displayKey === null) return original
  const contentType = item.displayKey.endsWith('.png') ? 'image/png' : 'image/jpeg'
  return { key: item.displayKey, contentType, etag: `"${item.id}-display"`, cacheControl, fileName: item.fileName }
}

/** Answers GET and HEAD, with ranges and conditional requests (RFC 9110). Throws notFound for a deleted object. */
export async function serveStored(system: System, c: HttpContext, stored: Stored): Promise<Response> {
  const { storage } = system.gateways
  const size = await storage.size(stored.key)
  if (size === undefined) throw notFound()
  const headers: Record<string, string> = {
    'content-type': stored.contentType,
    'cache-control': stored.cacheControl,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    etag: stored.etag,
    ...(stored.fileName === undefined
      ? {}
      : { 'content-disposition': `inline; filename*=UTF-8''${encodeFileName(stored.fileName)}` }),
  }
  if (matches(c.req.header('if-none-match'), stored.etag)) return c.body(null, 304, headers)
  const ifRange = c.req.header('if-range')
  const range = ifRange === undefined || ifRange === stored.etag ? parseRange(c.req.header('range'), size) : undefined
  if (range === 'unsatisfiable') return c.body(null, 416, { ...headers, 'content-range': `bytes */${size}` })
  headers['content-length'] = String(range ? range.end - range.start + 1 : size)
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${size}`
  const status = range ? 206 : 200
  if (c.req.method === 'HEAD' || size === 0) return c.body(null, status, headers)
  const source = await storage.read(stored.key, range)
  return c.body(Readable.toWeb(source) as ReadableStream<Uint8Array>, status, headers)
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((entry) => entry.trim() === '*' || entry.trim().replace(/^W\//, '') === etag)
}

function encodeFileName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
