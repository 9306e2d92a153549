import { createHash } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose'
import type { World } from '../../world.ts'
import { googleState } from '../google-grants.ts'

const making = new WeakMap<World, Promise<void>>()

async function keyOf(world: World): Promise<JWK & { kid: string }> {
  if (!Object.keys(googleState(world).keys).length) {
    // two first requests at once must not make two keys
    const made = making.get(world) ?? makeKey(world)
    making.set(world, made)
    await made
    making.delete(world)
  }
  const [kid, jwk] = Object.entries(googleState(world).keys)[0]!
  return { ...jwk, kid }
}

async function makeKey(world: World): Promise<void> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  const texts = Object.entries(jwk).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const kid = createHash('sha1')
    .update(jwk.n ?? '')
    .digest('hex')
  googleState(world).keys[kid] = Object.fromEntries(texts)
}

/** The public half, as `https://www.googleapis.com/oauth2/v3/certs` shows it. */
export async function certs(world: World): Promise<{ keys: JWK[] }> {
  const { kid, n, e } = await keyOf(world)
  return { keys: [{ kty: 'RSA', alg: 'RS256', use: 'sig', kid, n: n!, e: e! }] }
}

/** Signs an id token that is good for one hour. */
export async function signIdToken(world: World, claims: Record<string, unknown>): Promise<string> {
  const jwk = await keyOf(world)
  const now = Math.floor(world.now() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: jwk.kid, typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(now + 3600)
    .sign(await importJWK({ ...jwk, kty: 'RSA' }, 'RS256'))
}
