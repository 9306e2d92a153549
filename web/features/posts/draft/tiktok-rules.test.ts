import { expect, test } from 'vitest'
import { creator } from '../../social/account-fixture.ts'
import { noTiktokChoice, tiktokOptions, withoutDisallowed } from './tiktok-rules.ts'

const all = {
  ...noTiktokChoice,
  privacyLevel: 'PUBLIC_TO_EVERYONE',
  allowComment: true,
  allowDuet: true,
  allowStitch: true,
}
test.each([
  ['comments', { commentDisabled: true }, { ...all, allowComment: false }],
  ['duets', { duetDisabled: true }, { ...all, allowDuet: false }],
  ['stitches', { stitchDisabled: true }, { ...all, allowStitch: false }],
  ['this audience', { privacyLevels: ['SELF_ONLY' as const] }, { ...all, privacyLevel: null }],
  ['nothing', {}, all],
])('takes back a choice that TikTok does not allow the creator: %s', (_what, more, expected) => {
  expect(withoutDisallowed(all, { ...creator, ...more })).toEqual(expected)
})

test('sends what is advertised only if the artist discloses it', () => {
  const choice = { ...all, yourBrand: true, brandedContent: true }
  expect(tiktokOptions({ ...choice, discloses: false })).toMatchObject({ yourBrand: false, brandedContent: false })
  expect(tiktokOptions({ ...choice, discloses: true })).toMatchObject({ yourBrand: true, brandedContent: true })
})
