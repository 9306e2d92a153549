import { postMessages } from '@flashsheet/contracts/posts/messages'
import { videoFixture, remuxedVideo } from '@flashsheet/sandbox/fixtures/videos'
import { padded } from '@flashsheet/sandbox/fixtures/raw-sends'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
import { classifyTiktok } from './errors.ts'

const everyone = {
  tiktok: {
    privacyLevel: 'PUBLIC_TO_EVERYONE',
    allowComment: true,
    allowDuet: false,
    allowStitch: false,
    yourBrand: false,
    brandedContent: false,
  },
} as const
const chunk = 10_485_760

let fixture: NetworkFixture
let other: NetworkFixture
const small = videoFixture('portrait-5s.mp4')
/** Two chunks, the second longer than the first. */
const large = padded(small, 22_000_001)
beforeAll(async () => {
  fixture = await startNetworkFixture('tiktok')
  // A private account that allows neither duet nor stitch.
  other = await startNetworkFixture('tiktok', { as: '-000MarlowNeedleR3fYtz80hPqJe6s' })
})
afterAll(async () => {
  await fixture.stop()
  await other.stop()
})

const make = (bytes: Buffer) => async () => {
  const text = uniqueText('Healed #blackwork')
  return { target: await fixture.target({ message: text, options: everyone, media: [fixture.video(bytes)] }), text }
}
const idsOf = ({ answer }: Extract<Step, { kind: 'call' }>) => {
  const data = (answer as { data?: { publish_id?: string; upload_url?: string } } | undefined)?.data
  return [data?.publish_id, data?.upload_url]
}
/** The post_info of a request log entry. */
const postInfo = async (on: NetworkFixture) => {
  const requests = await on.control<
    { path: string; body: { post_info?: Record<string, unknown>; source_info?: Record<string, unknown> } }[]
  >('GET', '/requests?service=tiktok')
  return requests.filter((request) => request.path.includes('video/init')).at(-1)?.body
}

/** The outcome is unknown to the product, and no post exists. */
const failedUnclear = `failed (${postMessages.unclear('TikTok')}), 0 there`

describe('refused', () => {
  test('pictures', async () => {
    const target = await fixture.run(await fixture.target({ media: [fixture.picture(small, 1, 1)] }))
    expect(target).toMatchObject({ phase: 'failed', errorMessage: 'TikTok takes videos only.' })
  })

  test('a video longer than this creator may post', async () => {
    const target = await other.run(await other.target({ media: [other.video(small, { durationMs: 180_001 })] }))
    expect(target).toMatchObject({
      phase: 'failed',
      errorMessage: 'TikTok: this account takes videos of up to 180 seconds.',
    })
  })

  test('a privacy level that is no longer offered', async () => {
    const target = await other.run(await other.target({ options: everyone, media: [other.video(small)] }))
    expect(target).toMatchObject({
      phase: 'failed',
      errorMessage: 'TikTok: this account no longer offers the chosen privacy. Please choose again.',
    })
    expect(other.calls('video/init')).toEqual([])
  })

  test.each([
    ['spam_risk_too_many_posts', 'TikTok takes no more posts from this account today.', 'posted'],
    ['spam_risk_user_banned_from_posting', 'TikTok has banned this account from posting.', 'failed'],
  ])('a creator who may not post: %s', async (code, sentence, end) => {
    const { target } = await make(small)()
    await fixture.fault('status', {
      path: 'creator_info',
      status: 200,
      body: { data: {}, error: { code, message: 'x', log_id: '1' } },
    })
    await fixture.run(target)
    expect(target.phase).toBe(end)
    expect(target.refusals).toEqual([end === 'failed' ? 'permanent creator_banned' : 'later creator_blocked'])
    expect(target.errorMessage).toBe(end === 'failed' ? sentence : null)
  })

  test('an answer without creator info is retried', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('status', { path: 'creator_info', status: 200, body: 'Back soon' })
    await fixture.run(target)
    expect(target.refusals).toEqual(['retry no_creator_info'])
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
  })

  test.each([
    ['file_format_check_failed', 'TikTok does not take this video format.', 1],
    ['spam_risk_text', 'TikTok refused the video as spam.', 1],
    ['internal', null, 2],
  ])('processing that ends with %s fails the post, or is repeated', async (fail_reason, sentence, inits) => {
    const { target, text } = await make(small)()
    await fixture.fault('processing-fails', { path: 'video/init', body: { fail_reason } })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(
      sentence === null ? postedOnce : `failed (${sentence}), 0 there`,
    )
    expect(fixture.calls('video/init')).toHaveLength(inits)
  })
})

describe('posting', () => {
  test.each([
    ['one chunk', small, 1],
    ['one chunk of just under two', padded(small, 2 * chunk - 1), 1],
    ['two chunks', large, 2],
    ['two chunks, to the byte', padded(small, 2 * chunk), 2],
  ])('%s: byte for byte, with its caption', async (_what, bytes, puts) => {
    const message = uniqueText('Healed <3 #blackwork @quill 🖤')
    const target = await fixture.run(
      await fixture.target({ message, title: 'not shown', options: everyone, media: [fixture.video(bytes)] }),
    )
    const posts = await fixture.posts(message)
    expect(posts.map((post) => post.media[0]?.sha256)).toEqual([sha256(bytes)])
    expect(target).toMatchObject({ phase: 'posted', refusals: [] })
    expect(fixture.calls('/video/?upload_id')).toHaveLength(puts)
    expect(unsavedIds(fixture.steps, idsOf)).toEqual([])
    expect(Math.max(...target.progress)).toBe(100)
  })

  test('adds the id and address of a public post when TikTok reports them', async () => {
    const { target, text } = await make(small)()
    await fixture.run(target)
    const [post] = await fixture.posts(text)
    let seen = await fixture.reconcilePosted(target)
    for (let n = 0; n < 50 && seen.state === 'working'; n++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      seen = await fixture.reconcilePosted(target)
    }
    const permalink = `https://www.tiktok.com/@tidewater.ink/video/${post?.id}`
    expect(
      target.remoteId === null ? seen : { ...seen, remoteId: target.remoteId, permalink: target.permalink },
    ).toEqual({ state: 'settled', remoteId: post?.id, permalink })
    expect(post?.permalink).toBe(permalink)
  })

  test("the artist's choices are sent, as far as the creator allows them", async () => {
    const options = {
      tiktok: {
        privacyLevel: 'FOLLOWER_OF_CREATOR',
        allowComment: true,
        allowDuet: true,
        allowStitch: true,
        yourBrand: true,
        brandedContent: true,
      },
    } as const
    const message = uniqueText('Collab')
    const target = await other.run(await other.target({ message, options, media: [other.video(small)] }))
    expect(await outcomeOf(other, target, message)).toBe(postedOnce)
    expect(await postInfo(other)).toEqual({
      post_info: {
        title: message,
        privacy_level: 'FOLLOWER_OF_CREATOR',
        disable_comment: false,
        disable_duet: true,
        disable_stitch: true,
        brand_content_toggle: true,
        brand_organic_toggle: true,
      },
      source_info: {
        source: 'FILE_UPLOAD',
        video_size: small.byteLength,
        chunk_size: small.byteLength,
        total_chunk_count: 1,
      },
    })
  })

  test('uses the narrowest visibility without choices, and waits for no id', async () => {
    const title = uniqueText('Only a title')
    const target = await fixture.run(await fixture.target({ title, media: [fixture.video(small)] }))
    expect(await outcomeOf(fixture, target, title)).toBe(postedOnce)
    expect((await postInfo(fixture))?.post_info).toMatchObject({
      title,
      privacy_level: 'SELF_ONLY',
      disable_comment: true,
      disable_duet: true,
      disable_stitch: true,
    })
    expect(await fixture.reconcilePosted(target)).toEqual({ state: 'settled' })
  })

  test('a video with another frame rate is refused by TikTok itself', async () => {
    const target = await fixture.run(
      await fixture.target({ media: [fixture.video(await remuxedVideo('portrait-5s.mp4', { fps: 10, seconds: 3 }))] }),
    )
    expect(target).toMatchObject({ phase: 'failed', errorMessage: 'TikTok takes 23 to 60 frames a second.' })
  })
})

describe('at any request of a run', () => {
  const isChunk = ({ method }: { method: string }) => method === 'PUT'

  test.each(representativeFaults.tiktok)('$what: posted exactly once', async (fault) => {
    expect(await failuresUnderRequestFault(fault, fixture, make(small))).toEqual([])
  })

  test('the worker dies while it sends chunks: posted exactly once', async () => {
    // The other requests are those of one chunk, above.
    const fault = { what: '', fault: { kind: 'lost' }, fatal: true } as const
    expect(await failuresUnderRequestFault(fault, fixture, make(large), isChunk)).toEqual([])
  })

  test('an expired token is refreshed', async () => {
    const { outcomes } = await runsUnderSandboxFault('expire-token', fixture, make(small))
    expect(outcomes.filter((outcome) => outcome !== postedOnce)).toEqual([])
  })

  test('a lost upload address starts a new upload, unless the last bytes may have arrived', async () => {
    const { outcomes: ofChunks } = await runsUnderSandboxFault('lose-session', fixture, make(large), { only: isChunk })
    expect(ofChunks).toContain(postedOnce)
    const { outcomes } = await runsUnderSandboxFault('lose-session', fixture, make(small))
    expect([...ofChunks, ...outcomes].filter((outcome) => outcome !== postedOnce && outcome !== failedUnclear)).toEqual(
      [],
    )
  })
})

test("waits a minute when TikTok's limit of calls is reached", async () => {
  const { target, text } = await make(small)()
  const body = { data: {}, error: { code: 'rate_limit_exceeded', message: 'x', log_id: 'l' } }
  await fixture.fault('status', { path: 'video/init', status: 429, body })
  await fixture.run(target)
  expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
  expect(target.refusals).toEqual(['later rate_limit_exceeded (l)'])
  const now = new Date()
  expect(
    classifyTiktok({ status: 429, headers: new Headers(), body, irreversible: false, now }).verdict.retryAt,
  ).toEqual(new Date(now.getTime() + 60_000))
})

test('an upload that failed with a revoked token starts again once there is another', async () => {
  const { target, text } = await make(large)()
  await fixture.fault('drop', { method: 'PUT', skip: 1 })
  await fixture.fault('revoke-token', { path: 'status/fetch' })
  await fixture.run(target)
  expect(target.phase).toBe('failed')
  await fixture.reconnect()
  await fixture.retry(target)
  await fixture.run(target)
  expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
})

describe('the last chunk', () => {
  /** Makes this many status requests answer as if the last chunk had not arrived. */
  const lags = async (times: number, uploaded_bytes = 0) =>
    await fixture.fault('status', {
      path: 'status/fetch',
      times,
      status: 200,
      body: { data: { status: 'PROCESSING_UPLOAD', uploaded_bytes }, error: { code: 'ok', message: '', log_id: '1' } },
    })

  test('was accepted, and the status lags: nothing is sent again, and no new upload starts', async () => {
    const { target, text } = await make(small)()
    await lags(60)
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect([fixture.calls('/video/?upload_id').length, fixture.calls('video/init').length, target.refusals]).toEqual([
      1,
      1,
      [],
    ])
  })

  test('is answered by the page of an outage: it is sent once more', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('status', { method: 'PUT', status: 200, body: 'Back soon' })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect([fixture.calls('/video/?upload_id').length, fixture.calls('video/init').length]).toEqual([2, 1])
  })

  test('loses its answer and the status lags for twenty minutes: it is sent once more, which makes no second video', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop-after-commit', { method: 'PUT' })
    await lags(16)
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect([fixture.calls('/video/?upload_id').length, fixture.calls('video/init').length]).toEqual([2, 1])
  })

  test('had some of its bytes counted: these are not sent again', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop-after-commit', { method: 'PUT' })
    await lags(16, 5)
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(fixture.calls('/video/?upload_id')).toHaveLength(1)
  })

  test('loses its answer: only the status decides, and nothing is sent again', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop-after-commit', { method: 'PUT' })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['unknown unreachable'])
    expect(fixture.calls('/video/?upload_id')).toHaveLength(1)
  })

  test('was not sent because the worker died: the next worker sends only this chunk', async () => {
    const { target, text } = await make(large)()
    fixture.disturb(4, { kind: 'refused' }, true)
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(fixture.calls('/video/?upload_id')).toHaveLength(3)
  })

  test('loses its answer, and the status has counted all of its bytes: it is awaited', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop-after-commit', { method: 'PUT' })
    await lags(60, small.length)
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
  })

  test('loses its answer, and TikTok does not know the publish id yet: no new upload starts', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop-after-commit', { method: 'PUT' })
    await fixture.fault('status', {
      path: 'status/fetch',
      times: 4,
      status: 400,
      body: { error: { code: 'invalid_publish_id' } },
    })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(fixture.calls('video/init')).toHaveLength(1)
  })

  test('loses its upload address: only FAILED allows another init, so the result is unclear', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('lose-session', { method: 'PUT' })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(failedUnclear)
    expect(target.refusals).toEqual(['unknown upload_url_gone'])
    expect(fixture.calls('video/init')).toHaveLength(1)
  })

  test('arrived although its address answers 404: no new upload starts', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('status-after-commit', { method: 'PUT', status: 403 })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(fixture.calls('video/init')).toHaveLength(1)
  })

  test('finds that TikTok has fewer bytes than recorded: the missing ones are sent', async () => {
    const { target, text } = await make(large)()
    // The first chunk is answered as stored, though it never arrived.
    await fixture.fault('status', { method: 'PUT', status: 206 })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['retry last_chunk_refused'])
  })

  test('retries later at an address that keeps refusing a chunk', async () => {
    const { target, text } = await make(large)()
    await fixture.fault('status', {
      method: 'PUT',
      status: 416,
      times: 3,
      headers: { 'content-range': `bytes */${large.byteLength}` },
    })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(Array.from({ length: 3 }, () => 'retry chunk_refused'))
  })

  test('does not use an address near the end of its hour', async () => {
    const { target, text } = await make(large)()
    await fixture.fault('status', { method: 'PUT', status: 429, headers: { 'retry-after': '3400' } })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['later http_429', 'retry upload_url_expired'])
    expect(fixture.calls('video/init')).toHaveLength(2)
  })
})
