import { expect, test } from 'vitest'
import { isSignature, newToken, seal, sign, unseal } from './crypto.ts'

const key = Buffer.from('k'.repeat(48))

test('a sealed token opens with its key only, and not when changed', () => {
  const sealed = seal(key, 'secret token')
  expect(sealed).not.toContain('secret')
  expect(unseal(key, sealed)).toBe('secret token')
  expect(seal(key, 'secret token')).not.toBe(sealed)
  expect(() => unseal(Buffer.from('x'.repeat(48)), sealed)).toThrow()
  const last = sealed.at(-1) === 'A' ? 'B' : 'A'
  expect(() => unseal(key, sealed.slice(0, -2) + last + sealed.at(-1))).toThrow()
  expect(() => unseal(key, 'nonsense')).toThrow(/malformed/)
})

test('a signature holds for its purpose and text only', () => {
  const signature = sign(key, 'files', 'a')
  expect(isSignature(key, 'files', 'a', signature)).toBe(true)
  expect(isSignature(key, 'files', 'b', signature)).toBe(false)
  expect(isSignature(key, 'forms', 'a', signature)).toBe(false)
  expect(isSignature(key, 'files', 'a', '')).toBe(false)
})

test('tokens carry 128 bits and do not repeat', () => {
  const tokens = new Set(Array.from({ length: 1000 }, () => newToken()))
  expect(tokens.size).toBe(1000)
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(16)
})
