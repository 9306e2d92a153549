import { expect, test } from 'vitest'
import { handleOf } from './page-handle.tsx'

test('writes a handle once with its @, and a LinkedIn page by its address', () => {
  expect([
    handleOf('instagram', 'mara.ink'),
    handleOf('youtube', '@marafilms'),
    handleOf('linkedin', 'mara-tattoo'),
  ]).toEqual(['@mara.ink', '@marafilms', 'linkedin.com/company/mara-tattoo'])
})

test('is null without a username', () => {
  expect([handleOf('tiktok', null), handleOf('facebook', ''), handleOf('youtube', '@')]).toEqual([null, null, null])
})
