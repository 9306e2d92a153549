import { platforms } from '@flashsheet/contracts/social'
import { film } from '@flashsheet/sandbox/fixtures/films'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import { postThroughKill, startStage, type Hold, type Stage } from '../../testing/kill.ts'
import { fault, postNow, readPost, settled, shownAt, timesHit, uploadFile, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { eventually } from '../../testing/sandbox.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(async () => await stage.stop())

/**
 * The one irreversible call of each network, for a short wide video (design 4). Facebook is what makes a repeat show: it
 * takes the same upload for as many videos as it is asked for, while the others refuse what they have already published.
 */
const pointsOfNoReturn: Record<(typeof platforms)[number], Hold> = {
  facebook: { service: 'facebook', method: 'POST', path: '/videos' },
  instagram: { service: 'instagram', method: 'POST', path: '/media_publish' },
  tiktok: { service: 'tiktok', method: 'PUT', path: '.' },
  youtube: { service: 'youtube', method: 'PUT', path: '.' },
  linkedin: { service: 'linkedin', method: 'POST', path: '/rest/posts' },
}

/** A sample; `kill.test-long.ts` kills at every request of every adapter. */
describe('a worker killed in the middle of the irreversible call of every network at once', () => {
  test.each([
    ['which still takes effect', 'slow'],
    ['which never takes effect', 'drop'],
  ] as const)('%s: each page shows the post exactly once', async (_name, kind) => {
    const artist = await createArtist(stage.app)
    const say = `Survivor ${randomUUID()}`
    const variants = []
    for (const platform of platforms) variants.push(...variantsOf(await connect(stage.app, artist, platform), { message: say, title: say }))
    const mediaIds = [await uploadFile(artist, { name: 'sleeve.mp4', type: 'video/mp4', bytes: film('landscape-5s.mp4') })]
    const post = await postThroughKill(stage, artist, Object.values(pointsOfNoReturn), kind, { mediaIds, variants })
    expect(post?.variants.map((variant) => [variant.platform, variant.status, variant.errorMessage])).toEqual(platforms.map((platform) => [platform, 'posted', null]))
    for (const { platform, pageId } of variants) expect([platform, await shownAt(stage.app, platform, pageId, say)]).toMatchObject([platform, [{ text: expect.anything() }]])
  }, 120_000)

  test('pictures of a Facebook post that went out without its worker knowing are not posted again', async () => {
    const artist = await createArtist(stage.app)
    const account = await connect(stage.app, artist, 'facebook')
    const say = `Album ${randomUUID()}`
    const body = { mediaIds: await uploadPictures(artist, 3), variants: variantsOf(account, { message: say }) }
    const post = await postThroughKill(stage, artist, [{ service: 'facebook', method: 'POST', path: '/feed' }], 'slow', body)
    expect(post?.status).toBe('posted')
    const shown = await shownAt(stage.app, 'facebook', account.pages[0]?.pageId ?? '', say)
    expect(shown.map((one) => one.media.length)).toEqual([3])
  }, 120_000)
})

describe('a worker asked to stop', () => {
  test('finishes the step it is in, leaves the rest for the next one, and ends well', async () => {
    const artist = await createArtist(stage.app)
    const account = await connect(stage.app, artist, 'facebook')
    const say = `Handed over ${randomUUID()}`
    await stage.startWorker()
    const slow = await fault(stage.app, 'facebook', 'slow', '/photos', { method: 'POST', delayMs: 1500 })
    const id = await postNow(artist, { mediaIds: await uploadPictures(artist, 1), variants: variantsOf(account, { message: say }) })
    await eventually('the upload to be under way', async () => (await timesHit(stage.app, slow)) === 1)
    expect(await stage.endWorker('SIGTERM')).toBe(0)
    expect((await readPost(artist, id)).variants[0]).toMatchObject({ status: 'scheduled' })
    expect(await shownAt(stage.app, 'facebook', account.pages[0]?.pageId ?? '', say)).toEqual([])
    await stage.startWorker()
    expect((await settled(artist, id)).status).toBe('posted')
    expect(await shownAt(stage.app, 'facebook', account.pages[0]?.pageId ?? '', say)).toHaveLength(1)
  }, 60_000)
})
