import type { html } from 'hono/html'
import { createHash } from 'node:crypto'

/** What a template answers. */
export type Html = ReturnType<typeof html>

/** The text of a template; ours are never asynchronous. */
export function textOf(made: Html): string {
  if (made instanceof Promise) throw new Error('a template waits for something')
  return made.toString()
}

/** A page's answer, independent of the request. */
export type Rendered = {
  status: number
  type: string
  body: string
  /** The content of the page's only style element; the CSP allows exactly this text by its hash. */
  style?: string
  headers?: Record<string, string>
}

const sha = (text: string) => createHash('sha256').update(text).digest('base64')

/**
 * The headers of every public page: no cookie, no third party, only our own scripts. `framedBy` is 'self' for the
 * builder's preview only. `formHosts`: other hosts that the answer to a form may redirect to.
 */
export function headersOf(
  page: Rendered,
  { framedBy = "'none'", formHosts = '' }: { framedBy?: "'self'" | "'none'"; formHosts?: string } = {},
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "img-src 'self'",
    "media-src 'self'",
    "font-src 'self'",
    "script-src 'self'",
    // Page checkers such as Lighthouse fetch robots.txt from within the page.
    "connect-src 'self'",
    `style-src ${page.style === undefined ? "'none'" : `'sha256-${sha(page.style)}'`}`,
    `form-action 'self'${formHosts && ` ${formHosts}`}`,
    "base-uri 'none'",
    `frame-ancestors ${framedBy}`,
  ].join('; ')
  return {
    'content-type': page.type,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': framedBy === "'self'" ? 'SAMEORIGIN' : 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    ...page.headers,
  }
}

/** A short hash for an ETag or a file name. */
export function fingerprint(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
}
