import { z } from 'zod'
import type { System } from '../../../core/context.ts'
import { isSignature, sign } from '../../../core/crypto.ts'

const purpose = 'public-file'
const validMs = 86_400_000

const Claim = z.tuple([z.string(), z.string(), z.number()])

/** A public address of one stored object, valid for 24 hours, from which a network fetches it. */
export function signedUrl(system: System, key: string, contentType: string): string {
  const claim = Buffer.from(JSON.stringify([key, contentType, system.now().getTime() + validMs])).toString('base64url')
  return `${system.config.publicUrl}/files/public/${claim}.${sign(system.config, purpose, claim)}`
}

/** The object of a signed address; undefined when it is invalid or expired. */
export function openSigned(system: System, token: string): { key: string; contentType: string } | undefined {
  const [claim, signature, ...rest] = token.split('.')
  if (!claim || !signature || rest.length > 0 || !isSignature(system.config, purpose, claim, signature))
    return undefined
  const [key, contentType, expiresAtMs] = Claim.parse(JSON.parse(Buffer.from(claim, 'base64url').toString('utf8')))
  return system.now().getTime() < expiresAtMs ? { key, contentType } : undefined
}
