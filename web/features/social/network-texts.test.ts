import { type Platform, platforms } from '@flashsheet/contracts/networks'
import { expect, test } from 'vitest'
import { connectTexts, disconnectTexts } from './network-texts.ts'

/** Words that the requirements of each network must contain. */
const wanted: Record<Platform, string[]> = {
  facebook: ['Business Page', 'Admin access', 'Business Manager'],
  instagram: ['Business or Creator', 'wait 24 hours'],
  tiktok: ['Business or Creator', 'right account'],
  youtube: ['Google account with a linked channel'],
  linkedin: ['Business account', 'Admin access', 'Business Manager'],
}

test.each(platforms)('%s lists its requirements, one per line', (platform) => {
  const { requirements, body } = connectTexts[platform]
  expect(body).not.toBe('')
  expect(requirements).toHaveLength(wanted[platform].length)
  wanted[platform].forEach((words, at) => expect(requirements[at]).toContain(words))
})

test.each(platforms)('disconnecting %s names the consequences', (platform) => {
  const { title, consequences } = disconnectTexts(platform)
  expect(title).toMatch(/^Disconnect this \w+ (Page|page|account|channel)\?$/)
  expect(consequences.map((one) => one.toLowerCase()).join(' ')).toMatch(
    /scheduled posts .* will be deleted.* information from former posts is removed.* cannot be undone/,
  )
})
