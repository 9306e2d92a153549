import { createHash } from 'node:crypto'

/** Schemes that do not open an app on the artist's device, or would run in our page. */
const refusedSchemes = new Set(
  'javascript data vbscript blob file filesystem about view-source http ftp ws wss mailto tel sms'
    .split(' ')
    .map((scheme) => `${scheme}:`),
)
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a browser may be redirected there: https, loopback, or an app's own scheme, without fragment and password. */
export function isAllowedRedirect(address: string): boolean {
  if (!URL.canParse(address) || address.includes('#')) return false
  const { protocol, hostname, username, password } = new URL(address)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return true
  if (protocol === 'http:') return loopback.has(hostname)
  return !refusedSchemes.has(protocol)
}

/**
 * Whether a program registered exactly this address. The port of a loopback address is not compared, since a program on
 * the artist's machine takes any free one (RFC 8252, section 7.3).
 */
export function isRegisteredRedirect(registered: readonly string[], requested: string): boolean {
  if (registered.includes(requested)) return true
  const withoutPort = withoutLoopbackPort(requested)
  return withoutPort !== undefined && registered.some((address) => withoutLoopbackPort(address) === withoutPort)
}

function withoutLoopbackPort(address: string): string | undefined {
  if (!isAllowedRedirect(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== 'http:') return undefined
  url.port = ''
  return url.href
}

/** What the artist is shown of an address: the host, or the scheme of an app. */
export function hostOf(address: string): string {
  const { protocol, host } = new URL(address)
  return ['https:', 'http:'].includes(protocol) ? host : protocol.slice(0, -1)
}

/** Adds the non-empty parameters to an address. */
export function withParams(address: string, params: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(params)) if (value !== '') url.searchParams.set(name, value)
  return url.href
}

/** Whether a text is a challenge of S256: a SHA-256 in base64url (RFC 7636). */
export const isChallenge = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** Whether the challenge was derived from this verifier. */
export function matchesChallenge(verifier: string, challenge: string): boolean {
  return /^[\w.~-]{43,128}$/.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge
}
