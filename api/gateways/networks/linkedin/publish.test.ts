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
  ownWords,
  sha256,
  startNetworkFixture,
  type Step,
  type NetworkFixture,
} from '../../../testing/network-fixture.ts'

let stage: NetworkFixture
let jpegs: Buffer[]
const small = videoFixture('portrait-5s.mp4')
/** Bytes of a part. */
const part = 4_194_304
beforeAll(async () => {
  stage = await startNetworkFixture('linkedin')
  jpegs = await Promise.all(Array.from({ length: 10 }, async (_, salt) => await picture(900, 700, salt)))
})
afterAll(async () => await stage.stop())

const calls = (method: string, part: string) =>
  stage.story.flatMap((scene) =>
    scene.kind === 'call' && scene.method === method && scene.path.includes(part) ? [scene] : [],
  )
const pictures = (count: number) => jpegs.slice(0, count).map((bytes) => stage.picture(bytes, 900, 700))
const images = (count: number) => async () => {
  const text = ownWords('Flash sheet')
  return { target: await stage.target({ message: text, media: pictures(count) }), text }
}
const video = (bytes: Buffer) => async () => {
  const text = ownWords('Time lapse')
  return { target: await stage.target({ title: 'Koi', message: text, media: [stage.video(bytes)] }), text }
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
    const target = await stage.run(await stage.target({ media: [{ ...stage.video(small), ...facts }] }))
    expect(target).toMatchObject({ phase: 'failed', errorMessage: sentence })
    expect(calls('POST', '')).toEqual([])
  })
})

describe('posting', () => {
  test.each([1, 2, 10])('%s picture(s) arrive byte for byte, with text and address', async (count) => {
    const message = ownWords(String.raw`(healed) [5 h] {a|b} <3 *bold* ~x~ @quill a_b \o/ #flash #fine_line 🖤`)
    const target = await stage.run(await stage.target({ message, title: 'not shown', media: pictures(count) }))
    const posts = await stage.posts(message)
    expect(posts.map((post) => post.media.map((one) => one.sha256))).toEqual([jpegs.slice(0, count).map(sha256)])
    expect(target).toMatchObject({
      phase: 'posted',
      remoteId: posts[0]?.id,
      permalink: posts[0]?.permalink,
      refusals: [],
    })
    expect(target.permalink).toMatch(/^https:\/\/www\.linkedin\.com\/feed\/update\/urn:li:share:\d+\/$/)
    expect(unsavedIds(stage.story, idsOf)).toEqual([])
  })

  test.each([
    ['one part', small, 1],
    ['three parts', padded(small, 2 * part + 1), 3],
    ['two parts, to the byte', padded(small, 2 * part), 2],
  ])('a video of %s: byte for byte, with its title', async (_what, bytes, parts) => {
    const { target, text } = await video(bytes)()
    await stage.run(target)
    const posts = await stage.posts(text)
    expect(posts.map((post) => [post.title, post.media[0]?.sha256])).toEqual([['Koi', sha256(bytes)]])
    expect(target).toMatchObject({
      phase: 'posted',
      remoteId: posts[0]?.id,
      permalink: posts[0]?.permalink,
      refusals: [],
    })
    expect(target.permalink).toContain('urn:li:ugcPost:')
    expect(calls('PUT', '/dms-uploads/')).toHaveLength(parts)
    expect(unsavedIds(stage.story, idsOf)).toEqual([])
    expect(Math.max(...target.progress)).toBe(100)
  })

  test('a title without a caption becomes the text, and a post without text is fine', async () => {
    const title = ownWords('Only a title')
    const target = await stage.run(await stage.target({ title, media: pictures(1) }))
    expect(await outcomeOf(stage, target, title)).toBe(postedOnce)
    expect(await stage.run(await stage.target({ media: pictures(1) }))).toMatchObject({ phase: 'posted' })
  })
})

describe('at any request of a run', () => {
  test.each(representativeFaults.linkedin)('$what: posted exactly once', async (harm) => {
    expect(await failuresUnderRequestFault(harm, stage, images(1))).toEqual([])
  })

  test('the worker dies during a video: posted exactly once', async () => {
    expect(
      await failuresUnderRequestFault({ what: '', fault: { kind: 'lost' }, fatal: true }, stage, video(small)),
    ).toEqual([])
  })

  test('an expired token is refreshed', async () => {
    const { outcomes } = await runsUnderSandboxFault('expire-token', stage, video(small))
    expect(outcomes.filter((outcome) => outcome !== postedOnce)).toEqual([])
  })

  test('an expired upload address starts a new upload', async () => {
    const { outcomes } = await runsUnderSandboxFault('lose-session', stage, images(2))
    expect(outcomes.filter((outcome) => outcome !== postedOnce)).toEqual([])
  })

  test('failed processing ends with its reason, and nothing is posted', async () => {
    const { outcomes, problems } = await runsUnderSandboxFault('processing-fails', stage, video(small))
    expect(problems).toEqual([])
    expect(outcomes).toContain('failed (LinkedIn could not process this video.), 0 there')
  })
})

describe('uploads', () => {
  test('an image whose answer was lost is not sent twice', async () => {
    const { target, text } = await images(2)()
    await stage.fault('drop-after-commit', { method: 'PUT', skip: 1 })
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
    expect([calls('POST', 'initializeUpload').length, calls('PUT', '/dms-uploads/').length]).toEqual([2, 2])
  })

  test('a finalize whose answer was lost is not repeated, nor are parts sent again', async () => {
    const { target, text } = await video(small)()
    await stage.fault('drop-after-commit', { path: 'finalizeUpload' })
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
    expect([calls('POST', 'finalizeUpload').length, calls('PUT', '/dms-uploads/').length]).toEqual([1, 1])
  })

  test.each([403, 404, 410])(
    'a part’s address that answers %s does not mean an expired token: the upload starts again',
    async (status) => {
      const { target, text } = await video(small)()
      await stage.fault('status', { method: 'PUT', path: '/dms-uploads/', status })
      await stage.run(target)
      expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
      expect(target.refusals).toEqual(['retry upload_url_gone'])
      expect(calls('POST', 'initializeUpload')).toHaveLength(2)
    },
  )

  test.each([
    ['still waits for its bytes', { status: 200, body: { status: 'WAITING_UPLOAD' } }],
    ['is not known any more', { status: 404 }],
  ])('a finalize that is refused while the video %s: the upload was lost, and starts again', async (_what, said) => {
    const { target, text } = await video(small)()
    await stage.fault('status', {
      method: 'POST',
      path: 'finalizeUpload',
      status: 400,
      body: { status: 400, code: 'INVALID_VALUE_FOR_FIELD', message: 'no such upload' },
    })
    await stage.fault('status', { method: 'GET', path: '/rest/videos/', ...said })
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['retry upload_lost'])
    expect(calls('POST', 'initializeUpload')).toHaveLength(2)
  })

  test('a finalize that succeeded though the status lags', async () => {
    const { target, text } = await video(small)()
    await stage.fault('drop-after-commit', { path: 'finalizeUpload' })
    await stage.fault('status', {
      method: 'GET',
      path: '/rest/videos/',
      status: 200,
      body: { status: 'WAITING_UPLOAD' },
    })
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
    expect([calls('POST', 'finalizeUpload').length, calls('POST', 'initializeUpload').length]).toEqual([2, 1])
  })

  test.each([403, 404])('a status that answers %s is waited for by time', async (status) => {
    const { target, text } = await video(small)()
    await stage.fault('status', { method: 'GET', path: '/rest/videos/', status, times: 1 })
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
  })
})

describe('the create call', () => {
  test('loses its answer and the list never shows the post: the refused repetition names the post, which has our upload', async () => {
    const { target, text } = await images(1)()
    await stage.fault('drop-after-commit', creating)
    await stage.fault('status', { method: 'GET', path: 'q=author', times: 1000, status: 200, body: { elements: [] } })
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['unknown unreachable', 'unknown DUPLICATE_POST'])
    expect([calls('POST', '/rest/posts').length, target.remoteId]).toEqual([2, (await stage.posts(text))[0]?.id])
  })

  test('loses its answer, and the list lags: the post is found by its media', async () => {
    // Listed at once, except in tests that script a delay: no test depends on speed.
    await stage.control('POST', '/limits', { processingMs: 0 })
    try {
      const { target, text } = await images(2)()
      await stage.fault('drop-after-commit', creating)
      await stage.fault('status', { method: 'GET', path: 'q=author', status: 200, body: { elements: [] } })
      await stage.run(target)
      expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
      expect(target.permalink).toContain('urn:li:share:')
      expect([calls('POST', '/rest/posts').length, calls('GET', 'q=author').length]).toEqual([1, 2])
    } finally {
      await stage.control('POST', '/limits', { processingMs: 20 })
    }
  })

  test('loses its answer, and a hundred and twenty other posts follow: it is found behind them', async () => {
    const { target, text } = await images(1)()
    await stage.fault('drop-after-commit', creating)
    // Held until the others are there, so that none of the waits for it is used up meanwhile.
    await stage.fault('slow', { method: 'GET', path: 'q=author', delayMs: heldMs })
    const walked = stage.run(target)
    const isHeld = async () => (await stage.control<{ fired: number }[]>('GET', '/faults')).at(-1)?.fired === 1
    await expect.poll(isHeld).toBe(true)
    const other = (n: number) => ({
      author: `urn:li:organization:${stage.page.pageId}`,
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
        async (_, n) => await stage.callAsOtherApp('/api.linkedin.com/rest/posts', other(n), versions),
      ),
    )
    expect(new Set(answers)).toEqual(new Set([201]))
    await stage.control('DELETE', '/faults')
    await walked
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
    expect(calls('POST', '/rest/posts')).toHaveLength(1)
  })

  test('never arrived: repeated with the same media, after a wait', async () => {
    const { target, text } = await images(1)()
    await stage.fault('drop', creating)
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
    expect([calls('POST', '/rest/posts').length, calls('POST', 'initializeUpload').length]).toEqual([2, 1])
    expect(calls('GET', 'q=author').length).toBeGreaterThan(1)
  })

  test('is refused as the duplicate of a missing post: searched, then repeated', async () => {
    const { target, text } = await images(1)()
    await stage.fault('ghost-duplicate', creating)
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
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
    await stage.fault('status', { ...creating, status, body: { status, ...body } })
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual([refusal])
  })

  test('media that are still processed are waited for', async () => {
    const { target, text } = await images(1)()
    await stage.fault('status', {
      ...creating,
      status: 400,
      body: { status: 400, errorDetails: { inputErrors: [{ code: 'MEDIA_ASSET_PROCESSING' }] } },
    })
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
  })

  test('a post that is created and then fails to publish has failed', async () => {
    const { target, text } = await images(1)()
    await stage.fault('processing-fails', creating)
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe('failed (LinkedIn could not publish the post.), 0 there')
  })

  test('a created post that may not be read stays posted', async () => {
    const { target, text } = await images(1)()
    await stage.fault('status', { method: 'GET', path: '/rest/posts/', status: 403 })
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
  })

  test('an exhausted daily limit waits for midnight', async () => {
    const { target, text } = await images(1)()
    await stage.fault('status', { ...creating, status: 429 })
    await stage.run(target)
    expect(await outcomeOf(stage, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['later http_429'])
    expect(calls('POST', 'initializeUpload')).toHaveLength(1)
  })
})
