import type { Platform } from '@flashsheet/contracts/networks'
import { videoFixture, picture } from '@flashsheet/sandbox/fixtures/videos'
import { padded } from '@flashsheet/sandbox/fixtures/raw-sends'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  outcomeOf,
  runsUnderSandboxFault,
  workerFaults,
  failuresUnderRequestFault,
  postedOnce,
  type MakeTarget,
} from '../../testing/worker-faults.ts'
import { uniqueText, startNetworkFixture, type NetworkFixture } from '../../testing/network-fixture.ts'

const upright = videoFixture('portrait-5s.mp4')
const wide = videoFixture('landscape-5s.mp4')
const everyone = {
  tiktok: {
    privacyLevel: 'PUBLIC_TO_EVERYONE',
    allowComment: false,
    allowDuet: false,
    allowStitch: false,
    yourBrand: false,
    brandedContent: false,
  },
} as const

/** The media for each network, with a video in several pieces if the network receives it in pieces. */
const publications: [Platform, string, number | Buffer][] = [
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
/**
 * The allowed numbers of posts at the network, for a target that ends posted, and for one that fails with a message.
 */
type Ends = 'posted, 1 there' | 'posted, 1 there; or failed with a reason, 0 there'
const posted: Ends = 'posted, 1 there'
const orFailed: Ends = 'posted, 1 there; or failed with a reason, 0 there'

type Row = {
  what: string
  kind: string
  on: readonly Platform[]
  ends: Ends
  /** The account is reconnected after each run. */
  reconnects?: true
}

/**
 * The network's own faults, scripted for each request of a run in turn, and the required end. A failure with an unknown
 * result may leave one post, never two (decision 6).
 */
const rows: readonly Row[] = [
  {
    what: 'the access token expires, and is refreshed',
    kind: 'expire-token',
    on: ['tiktok', 'youtube', 'linkedin'],
    ends: posted,
  },
  {
    what: 'the access token expires, and nothing can refresh it',
    kind: 'expire-token',
    on: ['facebook', 'instagram'],
    ends: orFailed,
    reconnects: true,
  },
  {
    what: 'the log-in is withdrawn, in the middle of polling too',
    kind: 'revoke-token',
    on: ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin'],
    ends: orFailed,
    reconnects: true,
  },
  { what: 'the upload session is lost', kind: 'lose-session', on: ['facebook', 'linkedin'], ends: posted },
  // The session is lost with the last bytes: the result is unknown, and nothing is sent again.
  { what: 'the upload session is lost', kind: 'lose-session', on: ['tiktok', 'youtube'], ends: orFailed },
  { what: 'the container expires', kind: 'expire-container', on: ['facebook', 'instagram'], ends: posted },
  { what: 'a duplicate is named that is a ghost', kind: 'ghost-duplicate', on: ['facebook', 'linkedin'], ends: posted },
  {
    what: 'processing fails',
    kind: 'processing-fails',
    on: ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin'],
    ends: orFailed,
  },
]

/** A long transcoding with many polls. */
const longProcessingMs = 400

describe.each(publications)('%s, %s: at any request', (platform, _what, media) => {
  let fixture: NetworkFixture
  let jpegs: Buffer[]
  beforeAll(async () => {
    fixture = await startNetworkFixture(platform)
    jpegs = await Promise.all([1, 2, 3].map(async (salt) => await picture(1000, 1000, salt)))
  })
  afterAll(async () => await fixture.stop())

  const make: MakeTarget = async () => {
    const text = uniqueText('Flash')
    const files =
      typeof media === 'number'
        ? jpegs.slice(0, media).map((bytes) => fixture.picture(bytes, 1000, 1000))
        : [fixture.video(media, media === wide ? { width: 960, height: 540 } : {})]
    return { target: await fixture.target({ title: text, message: text, options: everyone, media: files }), text }
  }

  test.each(workerFaults)('$what: posted exactly once', { timeout: 300_000 }, async (fault) => {
    expect(await failuresUnderRequestFault(fault, fixture, make)).toEqual([])
  })

  test.each(rows.filter((row) => row.on.includes(platform)))(
    '$what: $ends',
    { timeout: 300_000 },
    async ({ kind, ends: expected, reconnects }) => {
      const { outcomes, problems } = await runsUnderSandboxFault(
        kind,
        fixture,
        make,
        reconnects ? { afterEach: async () => await fixture.reconnect() } : {},
      )
      expect(expected === posted ? outcomes.filter((outcome) => outcome !== postedOnce) : problems).toEqual([])
    },
  )

  test('a long transcoding: posted once', { timeout: 300_000 }, async () => {
    await fixture.control('POST', '/limits', { processingMs: longProcessingMs })
    const { target, text } = await make()
    await fixture.run(target)
    await fixture.control('POST', '/limits', { processingMs: 20 })
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
  })
})
