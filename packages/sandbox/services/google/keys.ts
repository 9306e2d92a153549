import { createHash } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose'
import type { SandboxContext } from '../../context.ts'
import { googleState } from '../google-grants.ts'

const pendingKeys = new WeakMap<SandboxContext, Promise<void>>()

async function keyOf(sandbox: SandboxContext): Promise<JWK & { kid: string }> {
  if (!Object.keys(googleState(sandbox).keys).length) {
    // Two concurrent first requests must not generate two keys.
    const pending = pendingKeys.get(sandbox) ?? makeKey(sandbox)
    pendingKeys.set(sandbox, pending)
    await pending
    pendingKeys.delete(sandbox)
  }
  const [kid, jwk] = Object.entries(googleState(sandbox).keys)[0]!
  return { ...jwk, kid }
}

async function makeKey(sandbox: SandboxContext): Promise<void> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  const texts = Object.entries(jwk).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const kid = createHash('sha1')
    .update(jwk.n ?? '')
    .digest('hex')
  googleState(sandbox).keys[kid] = Object.fromEntries(texts)
}

/** The public key, as `https://www.googleapis.com/oauth2/v3/certs` answers it. */
export async function certs(sandbox: SandboxContext): Promise<{ keys: JWK[] }> {
  const { kid, n, e } = await keyOf(sandbox)
  return { keys: [{ kty: 'RSA', alg: 'RS256', use: 'sig', kid, n: n!, e: e! }] }
}

/** Signs an id token that expires after an hour. */
export async function signIdToken(sandbox: SandboxContext, claims: Record<string, unknown>): Promise<string> {
  const jwk = await keyOf(sandbox)
  const now = Math.floor(sandbox.now() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: jwk.kid, typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(now + 3600)
    .sign(await importJWK({ ...jwk, kty: 'RSA' }, 'RS256'))
}
