import type { Platform } from '@flashsheet/contracts/networks'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import {
  fault,
  postNow,
  readPost,
  untilSettled,
  shownAt,
  timesHit,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { control, eventually } from '../../testing/sandbox.ts'
import { publishingFixture, targetOf } from '../../testing/publishing.ts'
import { reconcilePosted } from './service/reconcile.ts'
import { sweepTargets } from './service/sweep.ts'

const fixture = publishingFixture()

type Poster = { artist: Artist; account: Awaited<ReturnType<typeof connect>>; mediaIds: string[] }
let count = 0
const uniqueMessage = () => `Same words ${++count}`

/** Two artists who post to the same page, each with a file of their own. */
async function twoPosters(platform: Platform): Promise<{ posters: [Poster, Poster]; pageId: string }> {
  const poster = async (): Promise<Poster> => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, platform)
    const mediaIds =
      platform === 'instagram'
        ? await uploadPictures(artist)
        : [await uploadFile(artist, { name: 'healed.mp4', type: 'video/mp4', bytes: videoFixture('landscape-5s.mp4') })]
    return { artist, account, mediaIds }
  }
  const posters: [Poster, Poster] = [await poster(), await poster()]
  const pageId = posters[0].account.pages[0]?.pageId ?? ''
  expect(posters[1].account.pages[0]?.pageId).toBe(pageId)
  return { posters, pageId }
}

async function send({ artist, account, mediaIds }: Poster, message: string): Promise<string> {
  return await postNow(artist, { mediaIds, variants: variantsOf(account, { title: message, message }) })
}

/** The target, once its irreversible call was made and its lease released. */
async function targetAfterCall(postId: string) {
  return await eventually('the call to end', async () => {
    const row = await targetOf(fixture.app, postId)
    return row.leaseToken === null && row.lastPublishAt !== null && row.phase !== 'publishing' && row
  })
}

/** Moves the clock until all of these are final; returns their targets. */
async function finalTargets(...postIds: string[]) {
  for (let n = 0; n < 60; n++) {
    const rows = await Promise.all(
      postIds.map(
        async (id) =>
          await eventually('a target to be idle', async () => {
            const row = await targetOf(fixture.app, id)
            return row.leaseToken === null && row.phase !== 'scheduled' && row.phase !== 'claimed' && row
          }),
      ),
    )
    const open = rows.filter((row) => row.phase !== 'posted' && row.phase !== 'failed')
    if (open.length === 0) return rows
    const dueAt = Math.min(...open.map((row) => row.dueAt.getTime()))
    fixture.app.clock.advance(Math.max(0, dueAt - fixture.app.clock.now().getTime()) + 240_000)
    await sweepTargets(fixture.system)
    await eventually('a target to change', async () => {
      const now = await Promise.all(open.map(async (row) => await targetOf(fixture.app, row.postId)))
      return now.some((row, nth) => row.updatedAt > (open[nth]?.updatedAt ?? row.updatedAt))
    })
  }
  throw new Error('the targets did not become final')
}

/** The target once it is posted, without moving the clock: networks date posts by the real clock. */
async function postedTarget(poster: Poster, message: string) {
  const id = await send(poster, message)
  await untilSettled(poster.artist, id)
  return await targetOf(fixture.app, id)
}

/** Faults that lose the response to a network's irreversible call, which takes effect with `drop-after-commit`. */
const loseResponse: Record<'facebook' | 'youtube', (kind: 'drop' | 'drop-after-commit') => Promise<string[]>> = {
  // A chunked upload would have the video's id; an upload by handle can only be found by its text.
  facebook: async (kind) => [
    await fault(fixture.app, 'facebook', 'status', '/videos', {
      method: 'POST',
      status: 400,
      body: { error: { message: 'Unsupported', code: 100 } },
    }),
    await fault(fixture.app, 'facebook', kind, '/videos', { method: 'POST' }),
  ],
  // The upload session would return the video; without it only the list of uploads is left.
  youtube: async (kind) => [
    await fault(fixture.app, 'youtube', kind, '', { method: 'PUT' }),
    await fault(fixture.app, 'youtube', 'lose-session', '', { method: 'PUT' }),
  ],
}

const listOf = { facebook: '/published_posts', youtube: 'playlistItems' }

/** Posts and loses the response. Only the network's list could find the post, and it fails until the faults are cleared. */
async function postAndLoseResponse(
  platform: 'facebook' | 'youtube',
  poster: Poster,
  message: string,
  kind: 'drop' | 'drop-after-commit',
): Promise<string> {
  const faults = await loseResponse[platform](kind)
  await fault(fixture.app, platform, 'status', listOf[platform], { method: 'GET', status: 503, times: 1000 })
  const id = await send(poster, message)
  for (const hit of faults)
    await eventually('the response to be lost', async () => (await timesHit(fixture.app, hit)) === 1)
  expect(await targetAfterCall(id)).toMatchObject({ remoteId: null })
  return id
}

async function finalTargetsWithoutFaults(...postIds: string[]) {
  await control(fixture.app, 'DELETE', '/faults')
  return await finalTargets(...postIds)
}

describe.each(['facebook', 'youtube'] as const)(
  '%s: the response is lost, and another post has the same text and length',
  (platform) => {
    test('that of another artist is not mistaken for it; the outcome stays unclear, and nothing is sent again', async () => {
      const { posters, pageId } = await twoPosters(platform)
      const message = uniqueMessage()
      const first = await postedTarget(posters[0], message)
      const [second] = await finalTargetsWithoutFaults(await postAndLoseResponse(platform, posters[1], message, 'drop'))
      expect([first.phase, second?.phase, second?.unclear]).toEqual(['posted', 'failed', true])
      expect(await shownAt(fixture.app, platform, pageId, message)).toHaveLength(1)
      expect(second?.remoteId).toBeNull()
    })

    test('whose response is lost too, and only one call took effect: both are unclear, and nothing is sent again', async () => {
      const { posters, pageId } = await twoPosters(platform)
      const message = uniqueMessage()
      const one = await postAndLoseResponse(platform, posters[0], message, 'drop-after-commit')
      const other = await postAndLoseResponse(platform, posters[1], message, 'drop')
      const ends = await finalTargetsWithoutFaults(one, other)
      expect(ends.map((end) => [end.phase, end.unclear])).toEqual([
        ['failed', true],
        ['failed', true],
      ])
      expect((await readPost(posters[1].artist, other)).errorMessage).toContain(
        'Another post with the same words went to this page at the same time.',
      )
      expect(await shownAt(fixture.app, platform, pageId, message)).toHaveLength(1)
    })
  },
)

test('facebook: both responses are lost and both calls took effect: each target finds one of the posts', async () => {
  const { posters, pageId } = await twoPosters('facebook')
  const message = uniqueMessage()
  const one = await postAndLoseResponse('facebook', posters[0], message, 'drop-after-commit')
  const other = await postAndLoseResponse('facebook', posters[1], message, 'drop-after-commit')
  const [first, second] = await finalTargetsWithoutFaults(one, other)
  expect([first?.phase, second?.phase]).toEqual(['posted', 'posted'])
  const shown = await shownAt(fixture.app, 'facebook', pageId, message)
  expect(shown.map((post) => post.id).toSorted()).toEqual([first?.remoteId ?? '', second?.remoteId ?? ''].toSorted())
})

describe('instagram: the container is published, but the id of the post is unknown', () => {
  const lose = async () =>
    await fault(fixture.app, 'instagram', 'drop-after-commit', 'media_publish', { method: 'POST' })

  test('another artist’s post with the same text is not mistaken for it while its own is not listed yet; the permalink follows later', async () => {
    const { posters, pageId } = await twoPosters('instagram')
    const message = uniqueMessage()
    const first = await postedTarget(posters[0], message)
    await lose()
    const listed = { data: [{ id: first.remoteId, caption: message, timestamp: new Date().toISOString() }] }
    await fault(fixture.app, 'instagram', 'status', `/${pageId}/media\\?`, { method: 'GET', status: 200, body: listed })
    const end = await postedTarget(posters[1], message)
    expect(end).toMatchObject({ phase: 'posted', remoteId: null, permalink: null })
    fixture.app.clock.advance(61_000)
    await reconcilePosted(fixture.system, end.id, new AbortController().signal)
    const later = await targetOf(fixture.app, end.postId)
    expect(later.permalink).toContain('instagram')
    expect(later.remoteId).not.toBe(first.remoteId)
  })
})
