import { randomBytes } from 'node:crypto'
import type { System } from '../../../core/context.ts'
import { isSignature, sign } from '../../../core/crypto.ts'
import type { PublicSite } from '../../../core/scope.ts'

/** A form sent faster than this was filled in by a program. */
const minimumMs = 3000
/** A form older than this is shown again with its content. */
const maximumMs = 2 * 3_600_000
const purpose = 'booking-form'

/**
 * A form's token: its site, its time and a nonce, signed, so that programs cannot make one. A form that is shown again
 * keeps the token that was sent; if that is too old, the new one may be sent at once, since the fields are filled in.
 */
export function formTokenFor(system: System, site: PublicSite, sent = ''): string {
  const { state, name } = readFormToken(system, site, sent)
  if (state !== 'stale') return sent
  const issuedMs = system.now().getTime() - (name === '' ? 0 : minimumMs)
  const text = `${issuedMs.toString(36)}.${randomBytes(9).toString('base64url')}`
  return `${text}.${sign(system.config, purpose, `${site} ${text}`)}`
}

/** The state of a token: `tooFast` was sent faster than people type, `stale` is too old or, without a name, invalid. */
export function readFormToken(
  system: System,
  site: PublicSite,
  token: string,
): { state: 'valid' | 'tooFast' | 'stale'; name: string } {
  const [issued = '', name = '', signature = ''] = token.split('.')
  if (!isSignature(system.config, purpose, `${site} ${issued}.${name}`, signature)) return { state: 'stale', name: '' }
  const ageMs = system.now().getTime() - Number.parseInt(issued, 36)
  if (ageMs > maximumMs) return { state: 'stale', name }
  return { state: ageMs < minimumMs ? 'tooFast' : 'valid', name }
}

/** The name of the honeypot field, different for each site. */
export function honeypotName(system: System, site: PublicSite): string {
  return `q${sign(system.config, 'booking-trap', site)
    .replaceAll(/[^a-z]/gi, '')
    .toLowerCase()
    .slice(0, 9)}`
}
