import { videoFixture, picture } from '@flashsheet/sandbox/fixtures/videos'
import { padded } from '@flashsheet/sandbox/fixtures/raw-sends'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { heldMs } from '../../../testing/posting.ts'
import {
  outcomeOf,
  runsUnderSandboxFault,
  failuresUnderRequestFault,
  postedOnce,
  representativeFaults,
  unsavedIds,
} from '../../../testing/worker-faults.ts'
import {
  uniqueText,
  sha256,
  startNetworkFixture,
  type Step,
  type NetworkFixture,
} from '../../../testing/network-fixture.ts'

let fixture: NetworkFixture
let jpegs: Buffer[]
const small = videoFixture('portrait-5s.mp4')
/** Bytes of a part. */
const part = 4_194_304
beforeAll(async () => {
  fixture = await startNetworkFixture('linkedin')
  jpegs = await Promise.all(Array.from({ length: 10 }, async (_, salt) => await picture(900, 700, salt)))
})
afterAll(async () => await fixture.stop())

const pictures = (count: number) => jpegs.slice(0, count).map((bytes) => fixture.picture(bytes, 900, 700))
const images = (count: number) => async () => {
  const text = uniqueText('Flash sheet')
  return { target: await fixture.target({ message: text, media: pictures(count) }), text }
}
const video = (bytes: Buffer) => async () => {
  const text = uniqueText('Time lapse')
  return { target: await fixture.target({ title: 'Koi', message: text, media: [fixture.video(bytes)] }), text }
}
const idsOf = ({ answer, headers }: Extract<Step, { kind: 'call' }>) => {
  const value = (answer as { value?: { image?: string; video?: string; uploadUrl?: string } } | undefined)?.value
  return [value?.image, value?.video, value?.uploadUrl, headers['etag']?.replaceAll('"', ''), headers['x-restli-id']]
}
const creating = { method: 'POST', path: '/rest/posts' }

describe('refused before a request to LinkedIn', () => {
  test.each([
    ['a video of less than 3 seconds', { durationMs: 2999 }, 'LinkedIn takes videos of 3 seconds or more.'],
    ['a video of less than 75 KB', { bytes: 74_999 }, 'LinkedIn takes videos of 75 KB or more.'],
  ])('%s', async (_what, facts, sentence) => {
    const target = await fixture.run(await fixture.target({ media: [{ ...fixture.video(small), ...facts }] }))
    expect(target).toMatchObject({ phase: 'failed', errorMessage: sentence })
    expect(fixture.calls('', 'POST')).toEqual([])
  })
})

describe('posting', () => {
  test.each([1, 2, 10])('%s picture(s) arrive byte for byte, with text and address', async (count) => {
    const message = uniqueText(String.raw`(healed) [5 h] {a|b} <3 *bold* ~x~ @quill a_b \o/ #flash #fine_line 🖤`)
    const target = await fixture.run(await fixture.target({ message, title: 'not shown', media: pictures(count) }))
    const posts = await fixture.posts(message)
    expect(posts.map((post) => post.media.map((one) => one.sha256))).toEqual([jpegs.slice(0, count).map(sha256)])
    expect(target).toMatchObject({
      phase: 'posted',
      remoteId: posts[0]?.id,
      permalink: posts[0]?.permalink,
      refusals: [],
    })
    expect(target.permalink).toMatch(/^https:\/\/www\.linkedin\.com\/feed\/update\/urn:li:share:\d+\/$/)
    expect(unsavedIds(fixture.steps, idsOf)).toEqual([])
  })

  test.each([
    ['one part', small, 1],
    ['three parts', padded(small, 2 * part + 1), 3],
    ['two parts, to the byte', padded(small, 2 * part), 2],
  ])('a video of %s: byte for byte, with its title', async (_what, bytes, parts) => {
    const { target, text } = await video(bytes)()
    await fixture.run(target)
    const posts = await fixture.posts(text)
    expect(posts.map((post) => [post.title, post.media[0]?.sha256])).toEqual([['Koi', sha256(bytes)]])
    expect(target).toMatchObject({
      phase: 'posted',
      remoteId: posts[0]?.id,
      permalink: posts[0]?.permalink,
      refusals: [],
    })
    expect(target.permalink).toContain('urn:li:ugcPost:')
    expect(fixture.calls('/dms-uploads/', 'PUT')).toHaveLength(parts)
    expect(unsavedIds(fixture.steps, idsOf)).toEqual([])
    expect(Math.max(...target.progress)).toBe(100)
  })

  test('uses a title without a caption as the text, and accepts a post without text', async () => {
    const title = uniqueText('Only a title')
    const target = await fixture.run(await fixture.target({ title, media: pictures(1) }))
    expect(await outcomeOf(fixture, target, title)).toBe(postedOnce)
    expect(await fixture.run(await fixture.target({ media: pictures(1) }))).toMatchObject({ phase: 'posted' })
  })

  test('a caption that is too long once its symbols are escaped is cut', async () => {
    const text = uniqueText('Ornaments')
    const message = `${text} ${'_'.repeat(2000)}`
    const target = await fixture.run(await fixture.target({ message, media: pictures(1) }))
    expect(target).toMatchObject({ phase: 'posted', refusals: [] })
    const post = (await fixture.posts()).find((one) => one.text.startsWith(text))
    expect(post?.text).toMatch(/_{1400,1499}…$/)
  })
})

describe('at any request of a run', () => {
  test.each(representativeFaults.linkedin)('$what: posted exactly once', async (fault) => {
    expect(await failuresUnderRequestFault(fault, fixture, images(1))).toEqual([])
  })

  test('the worker dies during a video: posted exactly once', async () => {
    expect(
      await failuresUnderRequestFault({ what: '', fault: { kind: 'lost' }, fatal: true }, fixture, video(small)),
    ).toEqual([])
  })

  test('an expired token is refreshed', async () => {
    const { outcomes } = await runsUnderSandboxFault('expire-token', fixture, video(small))
    expect(outcomes.filter((outcome) => outcome !== postedOnce)).toEqual([])
  })

  test('an expired upload address starts a new upload', async () => {
    const { outcomes } = await runsUnderSandboxFault('lose-session', fixture, images(2))
    expect(outcomes.filter((outcome) => outcome !== postedOnce)).toEqual([])
  })

  test('failed processing ends with its reason, and nothing is posted', async () => {
    const { outcomes, problems } = await runsUnderSandboxFault('processing-fails', fixture, video(small))
    expect(problems).toEqual([])
    expect(outcomes).toContain('failed (LinkedIn could not process this video.), 0 there')
  })
})

describe('uploads', () => {
  test('an image whose upload lost its answer is not sent again', async () => {
    const { target, text } = await images(2)()
    await fixture.fault('drop-after-commit', { method: 'PUT', skip: 1 })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect([fixture.calls('initializeUpload', 'POST').length, fixture.calls('/dms-uploads/', 'PUT').length]).toEqual([
      2, 2,
    ])
  })

  test('a finalize whose answer was lost is not repeated, and no part is sent again', async () => {
    const { target, text } = await video(small)()
    await fixture.fault('drop-after-commit', { path: 'finalizeUpload' })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect([fixture.calls('finalizeUpload', 'POST').length, fixture.calls('/dms-uploads/', 'PUT').length]).toEqual([
      1, 1,
    ])
  })

  test.each([403, 404, 410])(
    'a part’s address that answers %s does not mean an expired token: the upload starts again',
    async (status) => {
      const { target, text } = await video(small)()
      await fixture.fault('status', { method: 'PUT', path: '/dms-uploads/', status })
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
      expect(target.refusals).toEqual(['retry upload_url_gone'])
      expect(fixture.calls('initializeUpload', 'POST')).toHaveLength(2)
    },
  )

  test.each([
    ['still waits for its bytes', { status: 200, body: { status: 'WAITING_UPLOAD' } }],
    ['is not known any more', { status: 404 }],
  ])('a finalize that is refused while the video %s starts a new upload', async (_what, said) => {
    const { target, text } = await video(small)()
    await fixture.fault('status', {
      method: 'POST',
      path: 'finalizeUpload',
      status: 400,
      body: { status: 400, code: 'INVALID_VALUE_FOR_FIELD', message: 'no such upload' },
    })
    await fixture.fault('status', { method: 'GET', path: '/rest/videos/', ...said })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['retry upload_lost'])
    expect(fixture.calls('initializeUpload', 'POST')).toHaveLength(2)
  })

  test('a finalize that succeeded while the status lags is sent once more, and no new upload starts', async () => {
    const { target, text } = await video(small)()
    await fixture.fault('drop-after-commit', { path: 'finalizeUpload' })
    await fixture.fault('status', {
      method: 'GET',
      path: '/rest/videos/',
      status: 200,
      body: { status: 'WAITING_UPLOAD' },
    })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect([fixture.calls('finalizeUpload', 'POST').length, fixture.calls('initializeUpload', 'POST').length]).toEqual([
      2, 1,
    ])
  })

  test.each([403, 404])('a status that answers %s is replaced by a fixed wait', async (status) => {
    const { target, text } = await video(small)()
    await fixture.fault('status', { method: 'GET', path: '/rest/videos/', status, times: 1 })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
  })
})

describe('the create call', () => {
  test.each(['status', 'status-after-commit'] as const)(
    'is answered by the page of an outage (%s): posted exactly once',
    async (kind) => {
      const { target, text } = await images(1)()
      await fixture.fault(kind, { ...creating, status: 200, body: 'Back soon' })
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    },
  )

  test('loses its answer and the list never shows the post: the refused repetition names it', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('drop-after-commit', creating)
    await fixture.fault('status', { method: 'GET', path: 'q=author', times: 1000, status: 200, body: { elements: [] } })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['unknown unreachable', 'unknown DUPLICATE_POST'])
    expect([fixture.calls('/rest/posts', 'POST').length, target.remoteId]).toEqual([
      2,
      (await fixture.posts(text))[0]?.id,
    ])
  })

  test('loses its answer, and the list lags: the post is found by its media', async () => {
    // Listed at once, except in tests that script a delay: no test depends on speed.
    await fixture.control('POST', '/limits', { processingMs: 0 })
    try {
      const { target, text } = await images(2)()
      await fixture.fault('drop-after-commit', creating)
      await fixture.fault('status', { method: 'GET', path: 'q=author', status: 200, body: { elements: [] } })
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
      expect(target.permalink).toContain('urn:li:share:')
      expect([fixture.calls('/rest/posts', 'POST').length, fixture.calls('q=author', 'GET').length]).toEqual([1, 2])
    } finally {
      await fixture.control('POST', '/limits', { processingMs: 20 })
    }
  })

  test('loses its answer, and the list is longer than is read: that proves nothing', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('drop-after-commit', creating)
    const elements = Array.from({ length: 100 }, () => ({ lastModifiedAt: Date.now() + 48 * 3_600_000 }))
    await fixture.fault('status', { method: 'GET', path: 'q=author', times: 40, status: 200, body: { elements } })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['unknown unreachable', 'retry list_too_long'])
  })

  test('loses its answer, and a hundred and twenty other posts follow: the post is found behind them', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('drop-after-commit', creating)
    // The list is held until the other posts exist, so that no wait for it is used up before.
    await fixture.fault('slow', { method: 'GET', path: 'q=author', delayMs: heldMs })
    const walked = fixture.run(target)
    const isHeld = async () => (await fixture.control<{ fired: number }[]>('GET', '/faults')).at(-1)?.fired === 1
    await expect.poll(isHeld).toBe(true)
    const other = (n: number) => ({
      author: `urn:li:organization:${fixture.page.pageId}`,
      commentary: `Another ${n}`,
      visibility: 'PUBLIC',
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
    })
    const versions = { 'linkedin-version': '202609', 'x-restli-protocol-version': '2.0.0' }
    const answers = await Promise.all(
      Array.from(
        { length: 120 },
        async (_, n) => await fixture.callAsOtherApp('/api.linkedin.com/rest/posts', other(n), versions),
      ),
    )
    expect(new Set(answers)).toEqual(new Set([201]))
    await fixture.control('DELETE', '/faults')
    await walked
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(fixture.calls('/rest/posts', 'POST')).toHaveLength(1)
  })

  test('never arrived: repeated with the same media, after a wait', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('drop', creating)
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect([fixture.calls('/rest/posts', 'POST').length, fixture.calls('initializeUpload', 'POST').length]).toEqual([
      2, 1,
    ])
    expect(fixture.calls('q=author', 'GET').length).toBeGreaterThan(1)
  })

  test('is refused as the duplicate of a missing post: it is repeated after a search', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('ghost-duplicate', creating)
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['unknown DUPLICATE_POST'])
  })

  test.each([
    [
      'a lost role or scope, which has no code of its own',
      400,
      { code: 'ILLEGAL_ARGUMENT', message: 'Organization permissions must be used when using organization as author' },
      'reconnect ILLEGAL_ARGUMENT',
    ],
    [
      'a new upload that is not readable everywhere yet',
      403,
      { code: 'FORBIDDEN', message: 'The resource is forbidden' },
      'unknown FORBIDDEN',
    ],
    ['an activity LinkedIn cannot find yet', 400, { message: 'Unable to obtain activity' }, 'unknown http_400'],
  ])('%s: posted exactly once', async (_what, status, body, refusal) => {
    const { target, text } = await images(1)()
    await fixture.fault('status', { ...creating, status, body: { status, ...body } })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual([refusal])
  })

  test.each(['MEDIA_ASSET_WAITING_UPLOAD', 'MEDIA_ASSET_PROCESSING'])(
    'is refused with %s: nothing was posted, so it is repeated soon, without a lookup',
    async (code) => {
      const { target, text } = await images(1)()
      await fixture.fault('status', {
        ...creating,
        status: 400,
        body: { status: 400, errorDetails: { inputErrors: [{ code }] } },
        times: 3,
      })
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
      expect(target.refusals).toEqual(Array.from({ length: 3 }, () => `retry ${code}`))
      expect(fixture.calls('q=author')).toEqual([])
    },
  )

  test('fails a post that was created but not published', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('processing-fails', creating)
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe('failed (LinkedIn could not publish the post.), 0 there')
  })

  test('keeps a created post that may not be read as posted', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('status', { method: 'GET', path: '/rest/posts/', status: 403 })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
  })

  test('waits until midnight (UTC) when the daily limit is reached', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('status', { ...creating, status: 429 })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['later http_429'])
    expect(fixture.calls('initializeUpload', 'POST')).toHaveLength(1)
  })
})
