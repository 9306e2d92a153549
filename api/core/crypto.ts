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

/** A 32-byte key for one purpose. Cached, since each publishing step unseals a token. */
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

/** The format of sealed values. Version 1 was not bound to a place and did not name its key. */
const sealVersion = '2'

/** The id of a key, which does not reveal it. Values sealed with another key are found by it. */
const keyId = (secretKey: Uint8Array): string => sign({ secretKey }, 'key-name', '').slice(0, 8)

/** The prefix of every value sealed with the current key. */
export const sealedPrefix = (keys: Keys): string => `${sealVersion}.${keyId(keys.secretKey)}.`

/**
 * Encrypts a network token with AES-256-GCM: `2.<key id>.<nonce>.<cipher+tag>`. `place` is the row and column that store
 * the value (associated data of RFC 5116): moved to another place, it cannot be unsealed.
 */
export function seal(keys: Keys, place: string, plain: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(keys.secretKey, `tokens-${sealVersion}`), nonce)
  cipher.setAAD(Buffer.from(place, 'utf8'))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${sealedPrefix(keys)}${nonce.toString('base64url')}.${body.toString('base64url')}`
}

/** Decrypts a value that was sealed for this place, or in version 1. Throws when no key fits, or it was changed or moved. */
export function unseal(keys: Keys, place: string, sealed: string): string {
  const [version, ...rest] = sealed.split('.')
  const [nonce, body] = rest.slice(-2)
  if (!version || !nonce || !body || rest.length !== (version === sealVersion ? 3 : 2))
    throw new Error('a sealed value is malformed')
  const candidates = version === sealVersion ? keysOf(keys).filter((key) => keyId(key) === rest[0]) : keysOf(keys)
  let failure: unknown = new Error('a sealed value is of another key')
  for (const key of candidates) {
    try {
      return decrypt(keyFor(key, `tokens-${version}`), version === sealVersion ? place : undefined, nonce, body)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function decrypt(key: KeyObject, place: string | undefined, nonce: string, body: string): string {
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
  if (place !== undefined) decipher.setAAD(Buffer.from(place, 'utf8'))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
}

/** URL-safe HMAC-SHA256 of `text` for one purpose, with the current key. */
export function sign(keys: Keys, purpose: string, text: string): string {
  return createHmac('sha256', keyFor(keys.secretKey, purpose)).update(text).digest('base64url')
}

/** Six digits derived by HMAC from `text` for one purpose, with the current key. */
export function shortCode(keys: Keys, purpose: string, text: string): string {
  // 48 bits: the bias of the remainder is negligible for a million codes.
  const bits = Buffer.from(sign(keys, purpose, text), 'base64url').readUIntBE(0, 6)
  return String(bits % 1_000_000).padStart(6, '0')
}

/** Whether `make` gives `value`, with the current or the previous key. Compares in constant time. */
const isMadeBy =
  (make: typeof sign) =>
  (keys: Keys, purpose: string, text: string, value: string): boolean => {
    const given = Buffer.from(value)
    return keysOf(keys).some((secretKey) => {
      const expected = Buffer.from(make({ secretKey }, purpose, text))
      return expected.length === given.length && timingSafeEqual(expected, given)
    })
  }

/** Whether `shortCode` made a code. */
export const isShortCode = isMadeBy(shortCode)
/** Whether `sign` made a signature. */
export const isSignature = isMadeBy(sign)
