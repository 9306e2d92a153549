import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { fingerprint, headersOf, type Rendered } from './rendered.ts'

/** A rendered page with its headers, in every encoding that was requested so far. */
export type CachedPage = {
  status: number
  headers: Record<string, string>
  etag: string
  bytes: (encoding: Encoding) => Uint8Array<ArrayBuffer>
}
export type Encoding = 'identity' | 'gzip' | 'br'

/** The maximum age of a cached page, in case a live hint is lost. */
export const pageCacheMs = 60_000
/** The live topics that a public page depends on. */
export const pageTopics: readonly string[] = ['website', 'media', 'social', 'subscription']

/** The key of a site's page in the response cache. */
export const pageKey = (domainName: string, path: string) => `page ${domainName}/${path}`

/** HSTS, on https. */
export const transportHeaders = (publicUrl: string): Record<string, string> =>
  publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}

/** Prepares a page for caching, with additional headers. `formHosts`: see `headersOf`. */
export function toCachedPage(page: Rendered, headers: Record<string, string> = {}, formHosts = ''): CachedPage {
  const plain = new Uint8Array(Buffer.from(page.body, 'utf8'))
  const encoded = new Map<Encoding, Uint8Array<ArrayBuffer>>([['identity', plain]])
  return {
    status: page.status,
    headers: { ...headersOf(page, { formHosts }), ...headers },
    etag: fingerprint(plain),
    bytes(encoding) {
      let bytes = encoded.get(encoding)
      if (!bytes) {
        bytes = new Uint8Array(
          encoding === 'br'
            ? brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
            : gzipSync(plain),
        )
        encoded.set(encoding, bytes)
      }
      return bytes
    },
  }
}
