import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isSignature, newToken, seal, sealedPrefix, sign, unseal } from './crypto.ts'

const key = Buffer.from('k'.repeat(48))
const later = Buffer.from('n'.repeat(48))
const keys = { secretKey: key }
const rotated = { secretKey: later, secretKeyOld: key }

/** As values were sealed before they were bound to their place. */
function sealedBefore(secretKey: Uint8Array, plain: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(
    'aes-256-gcm',
    Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(0), 'tokens-1', 32)),
    nonce,
  )
  return `1.${nonce.toString('base64url')}.${Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')}`
}

test('a sealed token opens with its key and in its place only, and not when changed', () => {
  const sealed = seal(keys, 'row 1', 'secret token')
  expect(sealed).not.toContain('secret')
  expect(unseal(keys, 'row 1', sealed)).toBe('secret token')
  expect(seal(keys, 'row 1', 'secret token')).not.toBe(sealed)
  expect(() => unseal(keys, 'row 2', sealed)).toThrow()
  expect(() => unseal({ secretKey: later }, 'row 1', sealed)).toThrow(/another key/)
  const other = sealed.at(-2) === 'A' ? 'B' : 'A'
  expect(() => unseal(keys, 'row 1', sealed.slice(0, -2) + other + sealed.at(-1))).toThrow()
  for (const nonsense of ['nonsense', '', '2.a.b', '1.a.b.c', '2.a.b.c'])
    expect(() => unseal(keys, 'row 1', nonsense), nonsense).toThrow()
  // Nothing of a bound value opens as one of the former kind.
  expect(() => unseal(keys, 'row 1', `1.${sealed.split('.').slice(2).join('.')}`)).toThrow()
  // A tag of a few bits could be guessed.
  const [, name, nonce, body = ''] = sealed.split('.')
  expect(() =>
    unseal(keys, 'row 1', `2.${name}.${nonce}.${Buffer.from(body, 'base64url').subarray(-4).toString('base64url')}`),
  ).toThrow()
})

test('while the key is being changed, both open and the new one seals', () => {
  const before = seal(keys, 'row 1', 'secret token')
  expect(unseal(rotated, 'row 1', before)).toBe('secret token')
  expect(before.startsWith(sealedPrefix(rotated))).toBe(false)
  const after = seal(rotated, 'row 1', 'secret token')
  expect(after.startsWith(sealedPrefix(rotated))).toBe(true)
  expect(unseal({ secretKey: later }, 'row 1', after)).toBe('secret token')
  expect(() => unseal(keys, 'row 1', after)).toThrow(/another key/)
  // The round before it: the key to come is known, and not written with.
  expect(unseal({ secretKey: key, secretKeyOld: later }, 'row 1', after)).toBe('secret token')
  expect(isSignature(rotated, 'files', 'a', sign(keys, 'files', 'a'))).toBe(true)
  expect(isSignature(keys, 'files', 'a', sign(rotated, 'files', 'a'))).toBe(false)
})

test('what was sealed before values were bound still opens, with either key', () => {
  expect(unseal(keys, 'row 1', sealedBefore(key, 'old token'))).toBe('old token')
  expect(unseal(rotated, 'row 1', sealedBefore(key, 'old token'))).toBe('old token')
  expect(() => unseal({ secretKey: later }, 'row 1', sealedBefore(key, 'old token'))).toThrow()
})

test('a signature holds for its purpose and text only', () => {
  const signature = sign(keys, 'files', 'a')
  expect(isSignature(keys, 'files', 'a', signature)).toBe(true)
  expect(isSignature(keys, 'files', 'b', signature)).toBe(false)
  expect(isSignature(keys, 'forms', 'a', signature)).toBe(false)
  expect(isSignature(keys, 'files', 'a', '')).toBe(false)
})

test('tokens carry 128 bits and do not repeat', () => {
  const tokens = new Set(Array.from({ length: 1000 }, () => newToken()))
  expect(tokens.size).toBe(1000)
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(16)
})
