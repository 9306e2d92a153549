import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isSignature, newToken, seal, sealedPrefix, sign, unseal } from './crypto.ts'

const key = Buffer.from('k'.repeat(48))
const later = Buffer.from('n'.repeat(48))
const keys = { secretKey: key }
const rotated = { secretKey: later, secretKeyOld: key }

/** A value in version 1, which was not bound to its place. */
function sealVersion1(secretKey: Uint8Array, plain: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(
    'aes-256-gcm',
    Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(0), 'tokens-1', 32)),
    nonce,
  )
  return `1.${nonce.toString('base64url')}.${Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')}`
}

test('unseals a token only with its key, in its place and unchanged', () => {
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
  // A value of version 2 cannot be passed off as one of version 1.
  expect(() => unseal(keys, 'row 1', `1.${sealed.split('.').slice(2).join('.')}`)).toThrow()
  // A shortened authentication tag could be guessed.
  const [, name, nonce, body = ''] = sealed.split('.')
  expect(() =>
    unseal(keys, 'row 1', `2.${name}.${nonce}.${Buffer.from(body, 'base64url').subarray(-4).toString('base64url')}`),
  ).toThrow()
})

test('unseals with both keys during a rotation, and seals with the new one', () => {
  const before = seal(keys, 'row 1', 'secret token')
  expect(unseal(rotated, 'row 1', before)).toBe('secret token')
  expect(before.startsWith(sealedPrefix(rotated))).toBe(false)
  const after = seal(rotated, 'row 1', 'secret token')
  expect(after.startsWith(sealedPrefix(rotated))).toBe(true)
  expect(unseal({ secretKey: later }, 'row 1', after)).toBe('secret token')
  expect(() => unseal(keys, 'row 1', after)).toThrow(/another key/)
  // The first step of a rotation: the next key can unseal, but does not seal.
  expect(unseal({ secretKey: key, secretKeyOld: later }, 'row 1', after)).toBe('secret token')
  expect(isSignature(rotated, 'files', 'a', sign(keys, 'files', 'a'))).toBe(true)
  expect(isSignature(keys, 'files', 'a', sign(rotated, 'files', 'a'))).toBe(false)
})

test('unseals values of version 1 with either key', () => {
  expect(unseal(keys, 'row 1', sealVersion1(key, 'old token'))).toBe('old token')
  expect(unseal(rotated, 'row 1', sealVersion1(key, 'old token'))).toBe('old token')
  expect(() => unseal({ secretKey: later }, 'row 1', sealVersion1(key, 'old token'))).toThrow()
})

test('accepts a signature only for its purpose and text', () => {
  const signature = sign(keys, 'files', 'a')
  expect(isSignature(keys, 'files', 'a', signature)).toBe(true)
  expect(isSignature(keys, 'files', 'b', signature)).toBe(false)
  expect(isSignature(keys, 'forms', 'a', signature)).toBe(false)
  expect(isSignature(keys, 'files', 'a', '')).toBe(false)
})

test('makes unique tokens of 128 bits', () => {
  const tokens = new Set(Array.from({ length: 1000 }, () => newToken()))
  expect(tokens.size).toBe(1000)
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(16)
})
