import type { Platform } from '@flashsheet/contracts/social'
import { film, picture } from '@flashsheet/sandbox/fixtures/films'
import { padded } from '@flashsheet/sandbox/fixtures/raw-sends'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endsUnder, harms, lostTo, once, type Make } from '../../testing/harm.ts'
import { ownWords, startStage, type Stage } from '../../testing/network-stage.ts'

const upright = film('portrait-5s.mp4')
const wide = film('landscape-5s.mp4')
const everyone = { tiktok: { privacyLevel: 'PUBLIC_TO_EVERYONE', allowComment: false, allowDuet: false, allowStitch: false, yourBrand: false, brandedContent: false } } as const

/** What each network is given; several pieces of a video where it travels in pieces. */
const walks: [Platform, string, number | Buffer][] = [
  ['facebook', 'one picture', 1],
  ['facebook', 'three pictures', 3],
  ['facebook', 'an upright video', upright],
  ['facebook', 'a wide video', wide],
  ['instagram', 'one picture', 1],
  ['instagram', 'three pictures', 3],
  ['instagram', 'a video', upright],
  ['tiktok', 'a video in one chunk', upright],
  ['tiktok', 'a video in two chunks', padded(upright, 22_000_001)],
  ['youtube', 'a video in one chunk', wide],
  ['youtube', 'a video in three chunks', padded(wide, 22_000_001)],
  ['linkedin', 'one picture', 1],
  ['linkedin', 'three pictures', 3],
  ['linkedin', 'a video in one part', upright],
  ['linkedin', 'a video in three parts', padded(upright, 9_000_001)],
]
/** What networks lose by themselves, where the sandbox can script it. */
const losses: Partial<Record<Platform, string[]>> = {
  instagram: ['expire-container'],
  tiktok: ['expire-token', 'lose-session'],
  youtube: ['expire-token', 'lose-session'],
  linkedin: ['expire-token', 'lose-session'],
}

describe.each(walks)('%s, %s: at any request', (platform, _what, media) => {
  let stage: Stage
  let jpegs: Buffer[]
  beforeAll(async () => {
    stage = await startStage(platform)
    jpegs = await Promise.all([1, 2, 3].map(async (salt) => await picture(1000, 1000, salt)))
  })
  afterAll(async () => await stage.stop())

  const make: Make = async () => {
    const text = ownWords('Flash')
    const files =
      typeof media === 'number'
        ? jpegs.slice(0, media).map((bytes) => stage.picture(bytes, 1000, 1000))
        : [stage.video(media, media === wide ? { width: 960, height: 540 } : {})]
    return { target: await stage.target({ title: text, message: text, options: everyone, media: files }), text }
  }

  test.each(harms)('$what: posted all the same, once', { timeout: 300_000 }, async (harm) => {
    expect(await lostTo(harm, stage, make)).toEqual([])
  })

  test.each(losses[platform] ?? [])('%s: posted all the same, once', { timeout: 300_000 }, async (kind) => {
    const { ends } = await endsUnder(kind, stage, make)
    expect(ends.filter((end) => end !== once)).toEqual([])
  })

  test('processing that fails: posted once, or failed with a reason and nothing there', { timeout: 300_000 }, async () => {
    const { problems } = await endsUnder('processing-fails', stage, make)
    expect(problems).toEqual([])
  })

  test('a log-in withdrawn: posted once, or failed with a reason', { timeout: 300_000 }, async () => {
    const { problems } = await endsUnder('revoke-token', stage, make, { afterEach: async () => await stage.reconnect() })
    expect(problems).toEqual([])
  })
})
