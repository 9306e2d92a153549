import { postMessages } from '@flashsheet/contracts/posts/messages'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
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

let fixture: NetworkFixture
const small = videoFixture('landscape-5s.mp4')
const chunk = 8 * 1_048_576
/** Faults at each request of three chunks are in `publish.test-long.ts`. */
const twoChunks = padded(small, chunk + 100_001)
beforeAll(async () => {
  fixture = await startNetworkFixture('youtube')
})
afterAll(async () => await fixture.stop())

const make = (bytes: Buffer) => async () => {
  const text = uniqueText('Three sessions')
  return {
    target: await fixture.target({ title: 'Koi half sleeve', message: text, media: [fixture.video(bytes)] }),
    text,
  }
}
const idsOf = ({ headers, answer, method }: Extract<Step, { kind: 'call' }>) => [
  headers['location'],
  method === 'PUT' ? (answer as { id?: string } | undefined)?.id : undefined,
]
/** The metadata of the last session. */
const metadata = async () => {
  const requests = await fixture.control<
    { method: string; path: string; body: { snippet: { title: string; description: string }; status: unknown } }[]
  >('GET', '/requests?service=youtube')
  return requests.filter((request) => request.method === 'POST' && request.path.startsWith('/upload/')).at(-1)?.body
}

/** The ranges of the chunks that were sent, and of the requests for the progress. */
const sentRanges = async () => {
  const requests = await fixture.control<{ method: string; headers: Record<string, string> }[]>(
    'GET',
    '/requests?service=youtube',
  )
  return requests.filter(({ method }) => method === 'PUT').map(({ headers }) => headers['content-range'])
}

/** The outcome is unknown to the product, and no post exists. */
const failedUnclear = `failed (${postMessages.unclear('YouTube')}), 0 there`

describe('refused', () => {
  test('pictures', async () => {
    const target = await fixture.run(await fixture.target({ media: [fixture.picture(small, 1, 1)] }))
    expect(target).toMatchObject({ phase: 'failed', errorMessage: 'YouTube takes videos only.' })
  })

  test('a used-up quota waits for midnight in California', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('status', {
      method: 'POST',
      status: 403,
      body: { error: { code: 403, errors: [{ reason: 'quotaExceeded' }] } },
    })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['later quotaExceeded'])
  })

  test('a title that YouTube refuses', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('status', {
      method: 'POST',
      status: 400,
      body: { error: { code: 400, errors: [{ reason: 'invalidTitle' }] } },
    })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(
      'failed (YouTube: YouTube does not accept this title.), 0 there',
    )
  })
})

describe('posting', () => {
  test.each([
    ['one chunk', small, 1],
    ['one chunk, to the byte', padded(small, chunk), 1],
    ['three chunks', padded(small, 2 * chunk + 1), 3],
  ])('%s: byte for byte, with title and description', async (_what, bytes, puts) => {
    const message = uniqueText('Three sessions\n#koi')
    const target = await fixture.run(
      await fixture.target({ title: 'Koi half sleeve', message, media: [fixture.video(bytes)] }),
    )
    const posts = await fixture.posts(message)
    expect(posts.map((post) => [post.title, post.media[0]?.sha256])).toEqual([['Koi half sleeve', sha256(bytes)]])
    const permalink = `https://www.youtube.com/watch?v=${posts[0]?.id}`
    expect(target).toMatchObject({ phase: 'posted', remoteId: posts[0]?.id, permalink, refusals: [] })
    expect(posts[0]?.permalink).toBe(permalink)
    expect(fixture.calls('/upload/', 'PUT')).toHaveLength(puts)
    expect(unsavedIds(fixture.steps, idsOf)).toEqual([])
    expect(Math.max(...target.progress)).toBe(100)
  })

  test.each([
    [
      'the first line of the caption',
      { message: '  \nBefore <and> after\nmore' },
      'Before ‹and› after',
      'Before ‹and› after\nmore',
    ],
    ['a placeholder without any text', {}, 'New work', ''],
    [
      'at most 100 characters, none cut in half',
      { message: `${'x'.repeat(99)}🖤🖤` },
      'x'.repeat(99),
      `${'x'.repeat(99)}🖤🖤`,
    ],
    ['angle brackets as similar characters', { title: 'a <3 b', message: '<b>' }, 'a ‹3 b', '‹b›'],
    ['one line', { title: 'a\nb' }, 'a', ''],
  ])('the title: %s', async (_what, words, title, description) => {
    const target = await fixture.run(await fixture.target({ ...words, media: [fixture.video(small)] }))
    expect(target.phase).toBe('posted')
    const sent = await metadata()
    expect([sent?.snippet.title, sent?.snippet.description.trim()]).toEqual([title, description])
  })

  test('a description of more than 5,000 bytes is cut between characters', async () => {
    const message = '刺'.repeat(2200)
    const target = await fixture.run(await fixture.target({ title: 'Long', message, media: [fixture.video(small)] }))
    expect(target.phase).toBe('posted')
    expect((await metadata())?.snippet.description).toBe(`${'刺'.repeat(1665)}…`)
  })

  test("the artist's choices are sent; defaults are public and not for children", async () => {
    const chosen = await fixture.target({
      title: 'Chosen',
      options: { youtube: { privacyStatus: 'unlisted', madeForKids: true } },
      media: [fixture.video(small)],
    })
    expect(await fixture.run(chosen)).toMatchObject({ phase: 'posted' })
    expect((await metadata())?.status).toEqual({ privacyStatus: 'unlisted', selfDeclaredMadeForKids: true })
    await fixture.run(await fixture.target({ title: 'Left', media: [fixture.video(small)] }))
    expect((await metadata())?.status).toEqual({ privacyStatus: 'public', selfDeclaredMadeForKids: false })
  })

  test("an unaudited app's video is posted like any other", async () => {
    const unaudited = await startNetworkFixture('youtube', { clientId: 'unaudited' })
    try {
      expect(
        (await unaudited.run(await unaudited.target({ title: 'Open', media: [unaudited.video(small)] }))).phase,
      ).toBe('posted')
    } finally {
      await unaudited.stop()
    }
  })

  test('a video that YouTube made private against the request counts as failed', async () => {
    const kept = { id: 'keptprivate', status: { uploadStatus: 'uploaded', privacyStatus: 'private' } }
    const answered = async () => {
      await fixture.fault('status-after-commit', { method: 'PUT', status: 201, body: kept })
      await fixture.fault('status', { method: 'GET', path: '/videos', status: 200, body: { items: [kept] } })
    }
    const target = await fixture.target({ title: 'Kept', media: [fixture.video(small)] })
    await answered()
    expect(await fixture.run(target)).toMatchObject({
      phase: 'failed',
      errorMessage: 'YouTube keeps the video private: only you can see it. Change its visibility in YouTube Studio.',
    })
    const own = await fixture.target({
      options: { youtube: { privacyStatus: 'private', madeForKids: false } },
      media: [fixture.video(small)],
    })
    await answered()
    expect((await fixture.run(own)).phase).toBe('posted')
  })

  test('a rejection after the upload is reported', async () => {
    const { target } = await make(small)()
    await fixture.fault('processing-fails', { method: 'POST', body: { rejectionReason: 'duplicate' } })
    await fixture.run(target)
    expect(target.phase).toBe('posted')
    await expect
      .poll(async () => await fixture.reconcilePosted(target))
      .toEqual({
        state: 'rejected',
        code: 'rejected_duplicate',
        message: 'YouTube rejected the video: the same video is there already.',
      })
  })
})

describe('at any request of a run', () => {
  test.each(representativeFaults.youtube)('$what: posted exactly once', async (fault) => {
    expect(await failuresUnderRequestFault(fault, fixture, make(small))).toEqual([])
  })

  test('the worker dies while it sends chunks: posted exactly once', async () => {
    expect(
      await failuresUnderRequestFault({ what: '', fault: { kind: 'short' }, fatal: true }, fixture, make(twoChunks)),
    ).toEqual([])
  })

  test('an expired token is refreshed', async () => {
    const { outcomes } = await runsUnderSandboxFault('expire-token', fixture, make(small))
    expect(outcomes.filter((outcome) => outcome !== postedOnce)).toEqual([])
  })

  test('a lost session starts again, unless its last bytes may have arrived', async () => {
    const { outcomes } = await runsUnderSandboxFault('lose-session', fixture, make(twoChunks))
    expect(outcomes).toContain(postedOnce)
    expect(outcomes.filter((outcome) => outcome !== postedOnce && outcome !== failedUnclear)).toEqual([])
  })
})

describe('an earlier chunk that is answered by the page of an outage', () => {
  test('is sent again: posted exactly once', async () => {
    const { target, text } = await make(twoChunks)()
    await fixture.fault('status', { method: 'PUT', status: 200, body: 'Back soon' })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
  })

  test('fails as unclear if its session is lost then', async () => {
    const { target, text } = await make(twoChunks)()
    await fixture.fault('status', { method: 'PUT', status: 200, body: 'Back soon' })
    await fixture.fault('lose-session', { method: 'PUT' })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(failedUnclear)
  })
})

describe('the last chunk', () => {
  test('ends the session: the upload list is searched, nothing is sent again, and the artist is asked', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('lose-session', { method: 'PUT' })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(failedUnclear)
    expect(target.refusals).toEqual(['unknown session_gone'])
    expect(fixture.calls('/upload/', 'POST')).toHaveLength(1)
    expect(fixture.calls('playlistItems', 'GET').length).toBeGreaterThan(2)
  })

  test('loses its answer and then the session: the upload list counts only once it has caught up', async () => {
    // Listed at once, except in tests that script a delay: no test depends on speed.
    await fixture.control('POST', '/limits', { processingMs: 0 })
    try {
      const { target, text } = await make(small)()
      await fixture.fault('drop-after-commit', { method: 'PUT' })
      await fixture.fault('lose-session', { method: 'PUT', times: 100 })
      await fixture.fault('status', {
        method: 'GET',
        path: 'playlistItems',
        times: 3,
        status: 200,
        body: { items: [] },
      })
      await fixture.run(target)
      expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
      expect(fixture.calls('/upload/', 'POST')).toHaveLength(1)
      expect(fixture.calls('playlistItems', 'GET')).toHaveLength(4)
    } finally {
      await fixture.control('POST', '/limits', { processingMs: 20 })
    }
  })

  test('loses its answer, and the session says that it never arrived before it is lost: nothing is sent again', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop-after-commit', { method: 'PUT' })
    // The second answer has the last bytes sent again.
    await fixture.fault('status', { method: 'PUT', status: 308, times: 2 })
    await fixture.fault('lose-session', { method: 'PUT', times: 100 })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(fixture.calls('/upload/', 'POST')).toHaveLength(1)
  })

  test('loses its answer, and the session has all bytes but no video yet: it is awaited, and nothing is sent again', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop-after-commit', { method: 'PUT' })
    const headers = { range: `bytes=0-${small.length - 1}` }
    await fixture.fault('status', { method: 'PUT', status: 308, headers, times: 3 })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    const [sent, ...probes] = (await sentRanges()).slice(-5)
    expect([sent, new Set(probes)]).toEqual([
      `bytes 0-${small.length - 1}/${small.length}`,
      new Set([`bytes */${small.length}`]),
    ])
    expect(target.refusals).toEqual(['unknown unreachable'])
  })

  test('loses its answer, and arrives after the session said that it had not: nothing is sent again', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop-after-commit', { method: 'PUT' })
    await fixture.fault('status', { method: 'PUT', status: 308, times: 2 })
    await fixture.fault('status', {
      method: 'PUT',
      status: 308,
      headers: { range: `bytes=0-${small.length - 1}` },
    })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(target.refusals).toEqual(['unknown unreachable', 'unknown all_bytes_stored'])
  })

  test('never arrived and the session is lost: the result is unclear, and nothing is sent again', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop', { method: 'PUT' })
    await fixture.fault('lose-session', { method: 'PUT' })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(failedUnclear)
    expect(fixture.calls('/upload/', 'POST')).toHaveLength(1)
  })

  test('an earlier post with the same text is not mistaken for it', async () => {
    const { target: first, text } = await make(small)()
    await fixture.run(first)
    // Twenty minutes before this one.
    const target = await fixture.target({ title: 'Koi half sleeve', message: text, media: [fixture.video(small)] })
    await fixture.fault('drop', { method: 'PUT' })
    await fixture.fault('lose-session', { method: 'PUT' })
    target.firstPublishAt = new Date(Date.now() + 120 * 60_000)
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(failedUnclear.replace('0 there', '1 there'))
  })

  test('one of two videos with its text was uploaded by hand: the result is unclear', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop', { method: 'PUT' })
    await fixture.fault('lose-session', { method: 'PUT' })
    const byHand = (videoId: string) => ({
      snippet: { title: 'Koi half sleeve', description: text, publishedAt: new Date().toISOString() },
      contentDetails: { videoId },
    })
    await fixture.fault('status', {
      method: 'GET',
      path: 'playlistItems',
      times: 100,
      status: 200,
      body: { items: [byHand('one'), byHand('two')] },
    })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toMatch(/^failed \(YouTube never said .*\), 0 there$/)
  })

  test('ends the upload early and makes a video: its status is read and reported', async () => {
    const { target, text } = await make(twoChunks)()
    // The first chunk is answered like a finished upload.
    await fixture.fault('status', {
      method: 'PUT',
      status: 200,
      body: { id: 'AbCdEfGhIjK', status: { privacyStatus: 'public' } },
    })
    await fixture.fault('status', {
      method: 'GET',
      path: '/youtube/v3/videos',
      times: 100,
      status: 200,
      body: { items: [{ status: { uploadStatus: 'uploaded', privacyStatus: 'public' } }] },
    })
    await fixture.run(target)
    expect(target).toMatchObject({ phase: 'posted', remoteId: 'AbCdEfGhIjK' })
    expect(await fixture.posts(text)).toEqual([])
    expect(fixture.calls('/upload/', 'PUT')).toHaveLength(1)
  })

  /** A full page of the upload list, with videos uploaded by hand at this time. */
  const pageByHand = async (publishedAt: Date, nextPageToken: string) => {
    const items = Array.from({ length: 50 }, (_, n) => ({
      snippet: { title: `By hand ${n}`, description: '', publishedAt: publishedAt.toISOString() },
      contentDetails: { videoId: `byhand${n}` },
    }))
    await fixture.fault('status', {
      method: 'GET',
      path: 'playlistItems(?!.*pageToken)',
      times: 100,
      status: 200,
      body: { items, nextPageToken },
    })
  }
  const pagesAsked = () => fixture.calls('playlistItems', 'GET').map((call) => /pageToken=(\w+)/.exec(call.path)?.[1])

  test('loses its answer and then the session, and the artist uploads many videos by hand: found behind the first page', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop-after-commit', { method: 'PUT' })
    await fixture.fault('lose-session', { method: 'PUT', times: 100 })
    // Later pages are the network's own.
    await pageByHand(new Date(), '0')
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect([fixture.calls('/upload/', 'POST').length, ...pagesAsked().slice(-2)]).toEqual([1, undefined, '0'])
  })

  test('does not find videos from before the first attempt', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop', { method: 'PUT' })
    await fixture.fault('lose-session', { method: 'PUT' })
    await pageByHand(new Date(Date.now() - 3 * 3_600_000), '0')
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(failedUnclear)
    expect(new Set(pagesAsked())).toEqual(new Set([undefined]))
  })

  test('does not count a missing upload list as an empty one', async () => {
    const { target, text } = await make(small)()
    await fixture.fault('drop-after-commit', { method: 'PUT' })
    await fixture.fault('lose-session', { method: 'PUT', times: 100 })
    await fixture.fault('status', { method: 'GET', path: 'channels', times: 30, status: 200, body: { items: [] } })
    await fixture.run(target)
    expect(await outcomeOf(fixture, target, text)).toBe(postedOnce)
    expect(fixture.calls('/upload/', 'POST')).toHaveLength(1)
  })
})
