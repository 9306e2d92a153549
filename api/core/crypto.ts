import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

/** A new secret of 128 random bits for a link or a state, URL-safe. */
export function newToken(): string {
  return randomBytes(16).toString('base64url')
}

/** Lower-case hex SHA-256; how tokens are stored. */
export function sha256(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex')
}

const derived = new WeakMap<Uint8Array, Map<string, KeyObject>>()

/** A 32-byte key for one purpose. Cached, since each publishing step opens a token. */
function keyFor(secretKey: Uint8Array, purpose: string): KeyObject {
  const known = derived.get(secretKey) ?? new Map<string, KeyObject>()
  derived.set(secretKey, known)
  const key =
    known.get(purpose) ?? createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(0), purpose, 32)))
  known.set(purpose, key)
  return key
}

/** The current key and, during a rotation, the previous one: values are read with either and written with the current one. */
export type Keys = { secretKey: Uint8Array; secretKeyOld?: Uint8Array | undefined }

const keysOf = (keys: Keys): Uint8Array[] =>
  keys.secretKeyOld ? [keys.secretKey, keys.secretKeyOld] : [keys.secretKey]

/** How a value is sealed; the first kind (`1`) was bound to nothing and did not name its key. */
const kind = '2'

/** An id of a key that does not reveal it, so that values of another key are found by prefix. */
const nameOf = (secretKey: Uint8Array): string => sign({ secretKey }, 'key-name', '').slice(0, 8)

/** The prefix of every value sealed with the current key. */
export const sealedPrefix = (keys: Keys): string => `${kind}.${nameOf(keys.secretKey)}.`

/**
 * Encrypts a network token with AES-256-GCM: `2.<key's name>.<nonce>.<cipher+tag>`. `place` is the row and column it is kept in: moved
 * to another one, it does not open (associated data of RFC 5116).
 */
export function seal(keys: Keys, place: string, plain: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(keys.secretKey, `tokens-${kind}`), nonce)
  cipher.setAAD(Buffer.from(place, 'utf8'))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${sealedPrefix(keys)}${nonce.toString('base64url')}.${body.toString('base64url')}`
}

/** Opens what `seal` made for this place, or what was sealed before values were bound. Throws when no key opens it, or it was changed or moved. */
export function unseal(keys: Keys, place: string, sealed: string): string {
  const [version, ...rest] = sealed.split('.')
  const [nonce, body] = rest.slice(-2)
  if (!version || !nonce || !body || rest.length !== (version === kind ? 3 : 2))
    throw new Error('a sealed value is malformed')
  const fitting = version === kind ? keysOf(keys).filter((key) => nameOf(key) === rest[0]) : keysOf(keys)
  let failure: unknown = new Error('a sealed value is of another key')
  for (const key of fitting) {
    try {
      return opened(keyFor(key, `tokens-${version}`), version === kind ? place : undefined, nonce, body)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function opened(key: KeyObject, place: string | undefined, nonce: string, body: string): string {
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
  if (place !== undefined) decipher.setAAD(Buffer.from(place, 'utf8'))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
}

/** URL-safe HMAC-SHA256 of `text` for one purpose, with the key in use. */
export function sign(keys: Keys, purpose: string, text: string): string {
  return createHmac('sha256', keyFor(keys.secretKey, purpose)).update(text).digest('base64url')
}

/** Six digits derived by HMAC from `text` for one purpose, with the key in use. */
export function shortCode(keys: Keys, purpose: string, text: string): string {
  // 48 bits: the bias of the remainder is negligible for a million codes.
  const bits = Buffer.from(sign(keys, purpose, text), 'base64url').readUIntBE(0, 6)
  return String(bits % 1_000_000).padStart(6, '0')
}

/** Compares in constant time; accepts the previous key too. */
export function isShortCode(keys: Keys, purpose: string, text: string, code: string): boolean {
  const given = Buffer.from(code)
  return keysOf(keys).some((secretKey) => {
    const expected = Buffer.from(shortCode({ secretKey }, purpose, text))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
}

/** Compares in constant time; accepts the previous key too. */
export function isSignature(keys: Keys, purpose: string, text: string, signature: string): boolean {
  const given = Buffer.from(signature)
  return keysOf(keys).some((secretKey) => {
    const expected = Buffer.from(sign({ secretKey }, purpose, text))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
}
