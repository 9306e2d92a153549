import { createHash } from 'node:crypto'

/** Schemes that are no app on somebody's device, or would run in our page. */
const refusedSchemes = new Set(
  'javascript data vbscript blob file filesystem about view-source http ftp ws wss mailto tel sms'
    .split(' ')
    .map((scheme) => `${scheme}:`),
)
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a person may be led back there: https, a program on their own machine, or an app's own scheme; no fragment, no password. */
export function isAllowedRedirect(address: string): boolean {
  if (!URL.canParse(address) || address.includes('#')) return false
  const { protocol, hostname, username, password } = new URL(address)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return true
  if (protocol === 'http:') return loopback.has(hostname)
  return !refusedSchemes.has(protocol)
}

/**
 * Whether a program named this address, letter by letter. One on the person's own machine takes whatever port is free
 * (RFC 8252, section 7.3).
 */
export function isNamedRedirect(named: readonly string[], asked: string): boolean {
  if (named.includes(asked)) return true
  const withoutPort = withoutLoopbackPort(asked)
  return withoutPort !== undefined && named.some((address) => withoutLoopbackPort(address) === withoutPort)
}

function withoutLoopbackPort(address: string): string | undefined {
  if (!isAllowedRedirect(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== 'http:') return undefined
  url.port = ''
  return url.href
}

/** What a person is told of an address. */
export function hostOf(address: string): string {
  const { protocol, host } = new URL(address)
  return ['https:', 'http:'].includes(protocol) ? host : protocol.slice(0, -1)
}

/** The address with these parameters beside those it has. */
export function withParams(address: string, params: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(params)) if (value !== '') url.searchParams.set(name, value)
  return url.href
}

const base64url = /^[\w-]{43}$/

/** A challenge of S256 is a SHA-256 in base 64 (RFC 7636). */
export const isChallenge = (text: string): boolean => base64url.test(text)

/** Whether this verifier is the one that the challenge was made of. */
export function matchesChallenge(verifier: string, challenge: string): boolean {
  return /^[\w.~-]{43,128}$/.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge
}
