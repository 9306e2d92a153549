import { expect, test } from 'vitest'
import { pageIn, postAddress } from './page-address.ts'

test.each([
  ['facebook', 'https://www.facebook.com/inkhouse/posts/%E0%A4%A'],
  ['instagram', 'instagram.com/ink%/p/Cx1'],
  ['tiktok', 'https://www.tiktok.com/@ink%F/video/7301'],
] as const)('an address of %s whose percent-encoding is broken is no address of a post: %s', (platform, address) => {
  expect(postAddress(platform, address)).toBeUndefined()
  expect(pageIn(platform, `https://${address.replace('https://', '')}`)).toBeUndefined()
})

test('an address with encoded characters names its page', () => {
  const address = postAddress('facebook', 'http://www.facebook.com/Caf%C3%A9.Ink/posts/123456789')
  expect(address).toBe('https://www.facebook.com/Caf%C3%A9.Ink/posts/123456789')
  expect(pageIn('facebook', address!)).toBe('café.ink')
})
