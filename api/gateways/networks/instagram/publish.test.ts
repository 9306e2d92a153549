import { videoFixture, picture } from '@flashsheet/sandbox/fixtures/videos'
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
import { classifyInstagram } from './errors.ts'
import { networkError } from '../refusal.ts'

let fixture: NetworkFixture
let jpegs: Buffer[]
beforeAll(async () => {
  fixture = await startNetworkFixture('instagram')
  jpegs = await Promise.all(Array.from({ length: 10 }, async (_, salt) => await picture(800, 1000, salt)))
})
afterAll(async () => await fixture.stop())

const pictures = (count: number) => jpegs.slice(0, count).map((bytes) => fixture.picture(bytes, 800, 1000))
/** Runs `work` while containers are ready at once, so that their status is current until a scripted delay. */
const withInstantProcessing = async (work: () => Promise<void>) => {
  await fixture.control('POST', '/limits', { processingMs: 0 })
  try {
    await work()
  } finally {
    await fixture.control('POST', '/limits', { processingMs: 20 })
  }
}
const images = (count: number) => async () => {
  const text = uniqueText('Flash sheet')
  return { target: await fixture.target({ message: text, media: pictures(count) }), text }
}
const reel = async () => {
  const text = uniqueText('Time lapse')
  return {
    target: await fixture.target({ message: text, media: [fixture.video(videoFixture('portrait-5s.mp4'))] }),
    text,
  }
}
const idsOf = ({ method, status, answer }: Extract<Step, { kind: 'call' }>) =>
  method === 'POST' && status === 200 ? [(answer as { id?: string }).id] : []

describe('refused before a request to Instagram', () => {
  test.each([
    ['a video of more than 300 MB', { bytes: 300_000_001 }, 'Instagram takes videos of up to 300 MB.'],
    ['a video of less than 3 seconds', { durationMs: 2999 }, 'Instagram takes videos of 3 seconds or more.'],
  ])('%s', async (_what, facts, sentence) => {
    const target = await fixture.run(
      await fixture.target({ media: [{ ...fixture.video(videoFixture('portrait-5s.mp4')), ...facts }] }),
    )
    expect(target).toMatchObject({ phase: 'failed', errorMessage: sentence })
    expect(fixture.calls('', 'POST')).toEqual([])
  })

  test('makes no container while the account has no allowance', async () => {
    const { target, text } = await images(1)()
    const used = { data: [{ quota_usage: 50, config: { quota_total: 50, quota_duration: 86_400 } }] }
    await fixture.fault('status', { path: 'content_publishing_limit', status: 200, body: used })
    await fixture.run(target)
    expect(target.waitedMs).toBeGreaterThan(0)
    expect(target.refusals).toEqual([])
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(fixture.calls('/media').filter((call) => call.path.endsWith('/media'))).toHaveLength(1)
  })
})

describe('posting', () => {
  test.each([1, 2, 10])('%s picture(s) arrive byte for byte, with caption and address', async (count) => {
    const message = uniqueText('Swallows <3 & "roses" #flash @quill')
    const target = await fixture.run(await fixture.target({ message, title: 'not shown', media: pictures(count) }))
    const posts = await fixture.posts(message)
    expect(posts.map((post) => post.media.map((one) => one.sha256))).toEqual([jpegs.slice(0, count).map(sha256)])
    expect(target).toMatchObject({
      phase: 'posted',
      remoteId: posts[0]?.id,
      permalink: posts[0]?.permalink,
      refusals: [],
    })
    expect(target.permalink).toMatch(/^https:\/\/www\.instagram\.com\/p\//)
    expect(unsavedIds(fixture.steps, idsOf)).toEqual([])
  })

  test('a video becomes a reel', async () => {
    const { target, text } = await reel()
    await fixture.run(target)
    const posts = await fixture.posts(text)
    expect(posts.map((post) => post.media[0]?.sha256)).toEqual([sha256(videoFixture('portrait-5s.mp4'))])
    expect(target.permalink).toMatch(/^https:\/\/www\.instagram\.com\/reel\//)
    expect(target.permalink).toBe(posts[0]?.permalink)
    expect(unsavedIds(fixture.steps, idsOf)).toEqual([])
  })

  test('uses a title without a caption as the caption, and accepts a post without text', async () => {
    const title = uniqueText('Only a title')
    const target = await fixture.run(await fixture.target({ title, media: pictures(1) }))
    expect(await outcomeOf(fixture, target, title)).toBe(postedOnce)
    expect(await fixture.run(await fixture.target({ media: pictures(1) }))).toMatchObject({ phase: 'posted' })
  })
})

describe('at any request of a run', () => {
  test.each(representativeFaults.instagram)('$what: posted exactly once', async (fault) => {
    expect(await failuresUnderRequestFault(fault, fixture, images(1))).toEqual([])
  })

  test('the worker dies during a carousel: posted exactly once', async () => {
    expect(
      await failuresUnderRequestFault({ what: '', fault: { kind: 'lost' }, fatal: true }, fixture, images(2)),
    ).toEqual([])
  })

  test('an expired container is made again', async () => {
    const { outcomes } = await runsUnderSandboxFault('expire-container', fixture, images(1))
    expect(outcomes.filter((outcome) => outcome !== postedOnce)).toEqual([])
  })

  test('failed processing is repeated, or fails the post with its reason', async () => {
    const passing = await runsUnderSandboxFault('processing-fails', fixture, images(1), {
      body: { error_subcode: 2207001 },
    })
    expect(passing.outcomes.filter((outcome) => outcome !== postedOnce)).toEqual([])
    const { outcomes, problems } = await runsUnderSandboxFault('processing-fails', fixture, reel, {
      body: { error_subcode: 2207026 },
    })
    expect(problems).toEqual([])
    expect(outcomes).toContain('failed (Instagram: The video has a format Instagram does not take.), 0 there')
  })

  test('an expired token posts nothing twice, and asks the artist to reconnect', async () => {
    const { outcomes, problems } = await runsUnderSandboxFault('expire-token', fixture, images(1), {
      afterEach: async () => await fixture.reconnect(),
    })
    expect(problems).toEqual([])
    expect(outcomes.filter((outcome) => outcome.startsWith('failed')).length).toBeGreaterThan(0)
  })
})

describe('the publish call', () => {
  const publishing = { method: 'POST', path: 'media_publish' }
  const graphError = (code: number, error_subcode: number) => ({
    status: 400,
    body: { error: { code, error_subcode, message: 'x' } },
  })

  test('returns the post while the container still reads FINISHED: it counts as posted, and is not repeated', async () => {
    await withInstantProcessing(async () => {
      const { target, text } = await images(1)()
      await fixture.fault('status', {
        method: 'GET',
        path: 'status_code',
        times: 1000,
        status: 200,
        body: { status_code: 'FINISHED', status: 'Finished' },
      })
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
      expect([fixture.calls('media_publish').length, target.remoteId !== null]).toEqual([1, true])
    })
  })

  test('loses its answer while the container is delayed: it is repeated once after two confirmations, and the post is found', async () => {
    await withInstantProcessing(async () => {
      const { target, text } = await images(1)()
      await fixture.fault('drop-after-commit', publishing)
      await fixture.fault('status', {
        method: 'GET',
        path: 'status_code',
        times: 1000,
        status: 200,
        body: { status_code: 'FINISHED', status: 'Finished' },
      })
      // The list does not show the post yet either.
      await fixture.fault('status', { method: 'GET', path: '/media\\?', times: 12, status: 200, body: { data: [] } })
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
      expect(fixture.calls('media_publish')).toHaveLength(2)
    })
  })

  test('is answered by the page of an outage: the same container is published once more', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('status', { ...publishing, status: 200, body: 'Back soon' })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(fixture.calls('media_publish')).toHaveLength(2)
  })

  test('is blocked as spam although the post is live: confirm finds the post', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('status-after-commit', { ...publishing, ...graphError(4, 2207051) })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.remoteId).not.toBeNull()
  })

  test('is blocked as spam and the post is not live: the retry waits', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('status', { ...publishing, ...graphError(4, 2207051) })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['unknown 4/2207051', 'later blocked'])
  })

  test('a missing container is retried twice, then made again', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('status', { ...publishing, ...graphError(24, 2207008), times: 3 })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect([
      fixture.calls('/media').filter((call) => call.path.endsWith('/media')).length,
      fixture.calls('media_publish').length,
    ]).toEqual([2, 4])
  })

  test('loses its answer while the container is delayed, and the list is longer than is read: that proves nothing', async () => {
    await withInstantProcessing(async () => {
      const { target, text } = await images(1)()
      await fixture.fault('drop-after-commit', publishing)
      await fixture.fault('status', {
        method: 'GET',
        path: 'status_code',
        times: 1000,
        status: 200,
        body: { status_code: 'FINISHED', status: 'Finished' },
      })
      await fixture.fault('status', {
        method: 'GET',
        path: '/media\\?',
        times: 10,
        status: 200,
        body: { data: [], paging: { cursors: { after: '1' }, next: '1' } },
      })
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
      expect(target.refusals).toEqual(['unknown unreachable', 'retry list_too_long'])
    })
  })

  test('an earlier post with the same caption is not mistaken for it', async () => {
    await withInstantProcessing(async () => {
      const { target: first, text } = await images(1)()
      await fixture.run(first)
      const target = await fixture.target({ message: text, media: pictures(1) })
      target.firstPublishAt = new Date(Date.now() + 120 * 60_000)
      await fixture.fault('drop', publishing)
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toBe('posted, 2 there')
    })
  })

  test('a container that is published after the confirmation is not published again', async () => {
    await withInstantProcessing(async () => {
      const { target, text } = await images(1)()
      await fixture.fault('drop-after-commit', publishing)
      // The list does not show the post yet either, and only the preparation of a repetition reads PUBLISHED.
      await fixture.fault('status', { method: 'GET', path: '/media\\?', times: 12, status: 200, body: { data: [] } })
      await fixture.fault('status', {
        path: 'status_code',
        skip: 1,
        times: 7,
        status: 200,
        body: { status_code: 'FINISHED', status: 'Finished' },
      })
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
      expect(fixture.calls('media_publish')).toHaveLength(1)
    })
  })

  const containerMissing = {
    path: 'status_code',
    skip: 1,
    times: 100,
    status: 400,
    body: { error: { code: 100, error_subcode: 33, message: 'x' } },
  }

  test('a container that has expired: the post itself is searched', async () => {
    await withInstantProcessing(async () => {
      const { target, text } = await images(1)()
      await fixture.fault('drop-after-commit', publishing)
      await fixture.fault('status', containerMissing)
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
      expect(target.remoteId).not.toBeNull()
      expect(target.refusals).toEqual(['unknown unreachable'])
    })
  })

  test('a container and a post that are both missing: the result is unclear, and no reconnecting is asked for', async () => {
    await withInstantProcessing(async () => {
      const { target, text } = await images(1)()
      await fixture.fault('drop', publishing)
      await fixture.fault('status', containerMissing)
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toMatch(/^failed \(Instagram never said .*\), 0 there$/)
      expect(fixture.calls('media_publish')).toHaveLength(1)
    })
  })

  test.each([-1, -2])('an internal error (%s), whatever its subcode, is retried', async (code) => {
    const { target, text } = await images(1)()
    await fixture.fault('status', {
      method: 'POST',
      path: '/media',
      status: 400,
      body: { error: { code, message: 'x' } },
    })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual([`retry ${code}`])
  })

  test('a file that Instagram cannot fetch is named as the reason of the wait', () => {
    const { body, status } = graphError(9004, 2207052)
    const refusal = { status, body, headers: new Headers(), irreversible: false, now: new Date() }
    const { code, verdict } = classifyInstagram(refusal)
    expect(networkError('instagram', code, verdict, false)).toMatchObject({
      class: 'retry',
      idsLapsed: true,
      message: 'Instagram could not fetch the file from us. We try again.',
    })
  })

  test('attributes neither of two posts with the same caption to the target, which still counts as posted', async () => {
    const { target, text } = await images(1)()
    await fixture.run(target)
    await fixture.remove(target)
    const second = await fixture.target({ message: text, media: pictures(1) })
    await fixture.fault('drop-after-commit', publishing)
    await fixture.run(second)
    expect(second).toMatchObject({ phase: 'posted', remoteId: null, permalink: null })
    expect(await fixture.posts(text)).toHaveLength(2)
    expect(await fixture.reconcilePosted(second)).toEqual({ state: 'working' })
  })

  test('a post that is found late gets its address then', async () => {
    const { target, text } = await images(1)()
    await fixture.fault('drop-after-commit', publishing)
    await fixture.fault('status', { method: 'GET', path: '/media\\?fields', status: 500 })
    await fixture.run(target)
    expect(target).toMatchObject({ phase: 'posted', remoteId: null })
    const [post] = await fixture.posts(text)
    expect(await fixture.reconcilePosted(target)).toEqual({
      state: 'settled',
      remoteId: post?.id,
      permalink: post?.permalink,
    })
  })
})
