import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isChallenge, matchesChallenge, withParams } from './rules.ts'

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

test.each([
  ['shorter than 43 characters is refused', 'a'.repeat(42), false],
  ['of 43 characters is accepted', 'a'.repeat(43), true],
  ['of 128 characters is accepted', '-._~'.repeat(32), true],
  ['longer than 128 characters is refused', 'a'.repeat(129), false],
  ['with another character is refused', `${'a'.repeat(43)}+`, false],
])('a verifier %s', (_title, verifier, isAccepted) => {
  expect(matchesChallenge(verifier, challengeOf(verifier))).toBe(isAccepted)
})

test('a challenge has the length of a SHA-256', () => {
  const challenge = challengeOf('a'.repeat(43))
  expect([challenge, challenge.slice(1), `${challenge}A`].map(isChallenge)).toEqual([true, false, false])
})

test('an address gets only the parameters that are not empty', () => {
  expect(withParams('quill://oauth/cb?to=home', { code: 'a b', state: '' })).toBe('quill://oauth/cb?to=home&code=a+b')
})
