import { createHash, createPrivateKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { SignJWT } from 'jose'
import type { SandboxContext } from '../../context.ts'
import { googleState } from '../google-grants.ts'

function keyOf(sandbox: SandboxContext): JsonWebKey & { kid: string } {
  const { keys } = googleState(sandbox)
  if (!Object.keys(keys).length) {
    const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
    const kid = createHash('sha1').update(jwk.n!).digest('hex')
    keys[kid] = jwk
  }
  const [kid, jwk] = Object.entries(keys)[0]!
  return { ...jwk, kid }
}

/** The public key, as `https://www.googleapis.com/oauth2/v3/certs` answers it. */
export function certs(sandbox: SandboxContext) {
  const { kid, n, e } = keyOf(sandbox)
  return { keys: [{ kty: 'RSA', alg: 'RS256', use: 'sig', kid, n, e }] }
}

/** Signs an id token that expires after an hour. */
export async function signIdToken(sandbox: SandboxContext, claims: Record<string, unknown>): Promise<string> {
  const jwk = keyOf(sandbox)
  const now = Math.floor(sandbox.now() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: jwk.kid, typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(now + 3600)
    .sign(createPrivateKey({ key: jwk, format: 'jwk' }))
}
