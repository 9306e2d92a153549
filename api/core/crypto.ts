import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'

/** A new secret of 128 random bits for a link or a state, URL-safe (design 3). */
export function newToken(): string {
  return randomBytes(16).toString('base64url')
}

/** Lower-case hex SHA-256; how tokens are stored. */
export function sha256(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex')
}

const derived = new WeakMap<Uint8Array, Map<string, KeyObject>>()

/** A key of 32 bytes for one purpose, so that a secret used for one thing opens nothing else. Derived once: each publishing step opens a token. */
function keyFor(secretKey: Uint8Array, purpose: string): KeyObject {
  const known = derived.get(secretKey) ?? new Map<string, KeyObject>()
  derived.set(secretKey, known)
  const key = known.get(purpose) ?? createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(0), purpose, 32)))
  known.set(purpose, key)
  return key
}

/** The id of today's key; stored with each sealed value so that a later key can live beside it. */
const currentKeyId = '1'

/** Encrypts a network token with AES-256-GCM: `<key id>.<nonce>.<cipher+tag>` (design 4). */
export function seal(secretKey: Uint8Array, plain: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(secretKey, `tokens-${currentKeyId}`), nonce)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${currentKeyId}.${nonce.toString('base64url')}.${body.toString('base64url')}`
}

/** Opens what `seal` made. Throws when the key is another or the value was changed. */
export function unseal(secretKey: Uint8Array, sealed: string): string {
  const [keyId, nonce, body] = sealed.split('.')
  if (!keyId || !nonce || !body) throw new Error('a sealed value is malformed')
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secretKey, `tokens-${keyId}`), Buffer.from(nonce, 'base64url'))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
}

/** URL-safe HMAC-SHA256 of `text` for one purpose. */
export function sign(secretKey: Uint8Array, purpose: string, text: string): string {
  return createHmac('sha256', keyFor(secretKey, purpose)).update(text).digest('base64url')
}

/** Compares in constant time. */
export function isSignature(secretKey: Uint8Array, purpose: string, text: string, signature: string): boolean {
  const expected = Buffer.from(sign(secretKey, purpose, text))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
