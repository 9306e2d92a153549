import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { cropFor } from '@flashsheet/contracts/media/rules'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, PostResult } from '@flashsheet/contracts/posts/schema'
import { videoFixture, remuxedVideo } from '@flashsheet/sandbox/fixtures/videos'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import {
  postNow,
  readPost,
  untilSettled,
  shownAt,
  sweepNow,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

const fullPicture = { x: 0, y: 0, width: 1, height: 1 }
const inHours = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString()

async function ready(): Promise<{ artist: Artist; account: Awaited<ReturnType<typeof connect>>; mediaIds: string[] }> {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'facebook')
  return { artist, account, mediaIds: await uploadPictures(artist) }
}

describe('who may post', () => {
  test('refuses a stranger, an unverified artist and one without a subscription', async () => {
    expect((await app.visitor().post('/api/posts', {})).status).toBe(401)
    expect(await (await createArtist(app, { verified: false })).post('/api/posts', {})).toMatchObject({
      status: 403,
      body: { code: 'unverified' },
    })
    expect(await (await createArtist(app, { plan: null })).get('/api/posts')).toMatchObject({
      status: 403,
      body: { code: 'no_subscription' },
    })
    expect(await (await createArtist(app, { status: 'past_due' })).post('/api/posts/schedule', {})).toMatchObject({
      status: 403,
    })
  })
})

describe('refusals', () => {
  test('name the field and what is wrong with it, and create nothing', async () => {
    const { artist, account, mediaIds } = await ready()
    const other = await ready()
    const [second] = await uploadPictures(artist)
    const video = await uploadFile(artist, {
      name: 'reel.mp4',
      type: 'video/mp4',
      bytes: videoFixture('portrait-5s.mp4'),
    })
    const variants = variantsOf(account)
    const [variant] = variants
    const cases: [unknown, string, string][] = [
      [{}, postMessages.mediaRequired, 'mediaIds'],
      [{ mediaIds: [], variants }, postMessages.mediaRequired, 'mediaIds'],
      [{ mediaIds: ['nonsense'], variants }, postMessages.mediaUnknown, 'mediaIds.0'],
      [{ mediaIds: [randomUUID()], variants }, postMessages.mediaUnknown, 'mediaIds'],
      [{ mediaIds: other.mediaIds, variants }, postMessages.mediaUnknown, 'mediaIds'],
      [{ mediaIds: [...mediaIds, video], variants }, postMessages.mixedMedia, 'mediaIds'],
      [{ mediaIds: Array(11).fill(second), variants }, postMessages.tooManyImages, 'mediaIds'],
      [{ mediaIds, variants: [] }, postMessages.pageRequired, 'variants'],
      [{ mediaIds, variants: variantsOf(other.account) }, postMessages.pageUnknown, 'variants'],
      [{ mediaIds, variants: [{ ...variant, pageId: '1' }] }, postMessages.pageUnknown, 'variants'],
      [{ mediaIds, variants: [...variants, ...variants] }, postMessages.pageTwice, 'variants'],
      [{ mediaIds, variants: Array(101).fill(variant) }, 'Please pick up to 100 pages.', 'variants'],
      [
        { mediaIds, variants: variantsOf(account, { title: 't'.repeat(91) }) },
        postMessages.titleTooLong,
        'variants.0.title',
      ],
      [
        { mediaIds, variants: variantsOf(account, { message: 'm'.repeat(2201) }) },
        postMessages.captionTooLong,
        'variants.0.message',
      ],
      [
        { mediaIds, variants: variantsOf(account, { crops: [{ x: 0.5, y: 0, width: 0.6, height: 1 }] }) },
        mediaMessages.cropOutside,
        'variants.0.crops.0',
      ],
      [
        { mediaIds, variants: variantsOf(account, { crops: [{ x: 0, y: 0, width: 0, height: 1 }] }) },
        'Please enter a number above 0.',
        'variants.0.crops.0.width',
      ],
      [
        { mediaIds, variants: variantsOf(account, { crops: [fullPicture, fullPicture] }) },
        postMessages.cropsDiffer,
        'variants',
      ],
      [
        { mediaIds: [video], variants: variantsOf(account, { crops: [fullPicture] }) },
        postMessages.cropOfVideo,
        'variants',
      ],
      // An emoji counts as two characters here; without that TikTok would get half of such a caption, and LinkedIn refuse it.
      [
        { mediaIds, variants: variantsOf(account, { title: '🌹'.repeat(46) }) },
        postMessages.titleTooLong,
        'variants.0.title',
      ],
      [
        { mediaIds, variants: variantsOf(account, { message: '🌹'.repeat(1101) }) },
        postMessages.captionTooLong,
        'variants.0.message',
      ],
    ]
    for (const [body, message, field] of cases) {
      expect(await artist.post('/api/posts', body)).toMatchObject({
        status: 400,
        body: { message, code: 'invalid', fields: { [field]: message } },
      })
    }
    const past = await artist.post('/api/posts/schedule', { mediaIds, variants, scheduledAt: inHours(-0.02) })
    expect(past).toMatchObject({ status: 400, body: { fields: { scheduledAt: postMessages.schedulePast } } })
    const invalidTime = await artist.post('/api/posts/schedule', { mediaIds, variants, scheduledAt: 'tomorrow' })
    expect(invalidTime).toMatchObject({ status: 400, body: { fields: { scheduledAt: postMessages.scheduleRequired } } })
    // A time without a zone is ambiguous.
    const timeWithoutZone = await artist.post('/api/posts/schedule', {
      mediaIds,
      variants,
      scheduledAt: '2199-12-01T10:00',
    })
    expect(timeWithoutZone).toMatchObject({
      status: 400,
      body: { fields: { scheduledAt: postMessages.scheduleRequired } },
    })
    expect((await artist.get<Post[]>('/api/posts')).body).toEqual([])
  })

  test('ids in capitals are the same ids, in a path and in a body', async () => {
    const { artist, account, mediaIds } = await ready()
    const capitals = (id: string) => id.toUpperCase()
    const variants = variantsOf(account)
    const scheduledAt = inHours(1)
    const created = await artist.post<PostResult>('/api/posts/schedule', {
      mediaIds: mediaIds.map(capitals),
      variants: variants.map((one) => ({ ...one, socialAccountId: capitals(one.socialAccountId) })),
      scheduledAt,
    })
    expect(created.status).toBe(201)
    const path = `/api/posts/${capitals(created.body._id)}`
    const { body: post } = await artist.get<Post>(path)
    const change = { variants: post.variants.map(({ _id }) => ({ _id: capitals(_id), message: 'Changed' })) }
    expect((await artist.put<Post>(path, change)).body.variants.map(({ message }) => message)).toEqual(
      variants.map(() => 'Changed'),
    )
    const gallery = await artist.post('/api/websitebuilder/gallery', { ids: mediaIds.map(capitals) })
    expect(gallery.body).toEqual({ gallery: mediaIds })
    expect((await artist.post('/api/drafts', { mediaIds: mediaIds.map(capitals) })).body).toMatchObject({ mediaIds })
  })

  test('a time may omit the seconds, in REST, tRPC and when a post is moved', async () => {
    const { artist, account, mediaIds } = await ready()
    const body = { mediaIds, variants: variantsOf(account) }
    const created = await artist.post<PostResult>('/api/posts/schedule', { ...body, scheduledAt: '2198-12-01T10:00Z' })
    expect(created.status).toBe(201)
    expect(await artist.put(`/api/posts/${created.body._id}`, { scheduledAt: '2198-12-01T11:00+02:00' })).toMatchObject(
      {
        status: 200,
        body: { scheduledAt: '2198-12-01T09:00:00.000Z' },
      },
    )
    const other = await artist.trpc.posts.schedule.mutate({ ...body, scheduledAt: '2198-12-02T10:00Z' })
    expect(
      (await artist.get<Post[]>('/api/posts?from=2198-12-02T10:00Z&to=2198-12-02T10:01Z')).body.map((post) => post._id),
    ).toEqual([other._id])
  })

  test('refuses a video for the network that would refuse it, in REST and tRPC, and posts it to others', async () => {
    const artist = await createArtist(app)
    const lowFrameRate = await uploadFile(artist, {
      name: 'slow.mp4',
      type: 'video/mp4',
      bytes: await remuxedVideo('portrait-5s.mp4', { fps: 12 }),
    })
    const [instagram, facebook] = [await connect(app, artist, 'instagram'), await connect(app, artist, 'facebook')]
    const body = { mediaIds: [lowFrameRate], variants: [...variantsOf(facebook), ...variantsOf(instagram)] }
    const message = 'Instagram takes 23 to 60 frames a second, this video has 12.'
    expect(await artist.post('/api/posts', body)).toMatchObject({
      status: 400,
      body: { message, fields: { variants: message } },
    })
    await expect(artist.trpc.posts.schedule.mutate({ ...body, scheduledAt: inHours(5) })).rejects.toMatchObject({
      data: { refusal: { message } },
    })
    expect(
      (
        await artist.post('/api/posts/schedule', {
          mediaIds: [lowFrameRate],
          variants: variantsOf(facebook),
          scheduledAt: inHours(5),
        })
      ).status,
    ).toBe(201)
    expect((await artist.get<MediaItem[]>('/api/media')).body[0]?.encoding).toEqual({
      codec: 'avc',
      audioCodec: 'aac',
      fps: 12,
    })
  })

  test('refuses images for TikTok and YouTube, and private branded content', async () => {
    const { artist, mediaIds } = await ready()
    for (const platform of ['tiktok', 'youtube'] as const) {
      const variants = variantsOf(await connect(app, artist, platform))
      expect(await artist.post('/api/posts', { mediaIds, variants })).toMatchObject({
        status: 400,
        body: { message: postMessages.videoOnly },
      })
    }
    const tiktok = { privacyLevel: 'SELF_ONLY', brandedContent: true }
    const [account] = (
      await artist.get<{ _id: string; platform: string; pages: { pageId: string }[] }[]>('/api/social-accounts')
    ).body.filter((one) => one.platform === 'tiktok')
    const variants = [
      { platform: 'tiktok', socialAccountId: account?._id, pageId: account?.pages[0]?.pageId, options: { tiktok } },
    ]
    expect(await artist.post('/api/posts', { mediaIds, variants })).toMatchObject({
      status: 400,
      body: { message: postMessages.brandedPrivate },
    })
  })
})

describe('request ids', () => {
  test('twenty parallel calls with one id make one post and get one answer', async () => {
    const { artist, account, mediaIds } = await ready()
    const body = {
      mediaIds,
      variants: variantsOf(account, { message: 'Once and never again' }),
      requestId: randomUUID(),
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => await artist.post<PostResult>('/api/posts', body)),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(202))
    expect(new Set(answers.map((answer) => answer.body._id)).size).toBe(1)
    await untilSettled(artist, answers[0]?.body._id ?? '')
    expect(await shownAt(app, 'facebook', account.pages[0]?.pageId ?? '', 'Once and never again')).toHaveLength(1)
    expect((await artist.get<Post[]>('/api/posts')).body).toHaveLength(1)
  })

  test('a repeat returns the first result even after its media were deleted; another body is a conflict', async () => {
    const { artist, account, mediaIds } = await ready()
    const key = { 'idempotency-key': 'my-call-1' }
    const body = { mediaIds, variants: variantsOf(account) }
    const first = await artist.post<PostResult>('/api/posts', body, key)
    await untilSettled(artist, first.body._id)
    expect(await artist.delete('/api/media', { ids: mediaIds })).toMatchObject({ status: 200, body: { deleted: 1 } })
    const again = await artist.post<PostResult>('/api/posts', body, key)
    expect(again).toMatchObject({
      status: 202,
      body: { _id: first.body._id, targets: [{ pageId: account.pages[0]?.pageId, status: 'posted', phase: 'posted' }] },
    })
    const other = { mediaIds, variants: variantsOf(account, { message: 'Something else' }) }
    expect(await artist.post('/api/posts', other, key)).toMatchObject({
      status: 409,
      body: { message: postMessages.requestReused, code: 'conflict' },
    })
    const later = { ...body, scheduledAt: inHours(1) }
    expect(await artist.post('/api/posts/schedule', later, key)).toMatchObject({ status: 409 })
  })

  test.each(['planned', 'posted'])('a late repeat creates nothing after its %s post was deleted', async (what) => {
    const { artist, account, mediaIds } = await ready()
    const message = `Deleted when ${what}`
    const body = {
      mediaIds,
      variants: variantsOf(account, { message }),
      scheduledAt: what === 'planned' ? inHours(1) : app.clock.now().toISOString(),
      requestId: randomUUID(),
    }
    const { _id: postId } = await artist.trpc.posts.schedule.mutate(body)
    if (what === 'posted') await untilSettled(artist, postId)
    await artist.trpc.posts.remove.mutate({ postId })
    expect(await artist.post('/api/posts/schedule', body)).toMatchObject({
      status: 409,
      body: { message: postMessages.deletedMeanwhile },
    })
    expect((await artist.get<Post[]>('/api/posts')).body).toEqual([])
  })

  test('two artists may use the same id, and each call without one creates a post', async () => {
    const [one, two] = [await ready(), await ready()]
    const requestId = randomUUID()
    const ids = new Set<string>()
    for (const { artist, account, mediaIds } of [one, two])
      ids.add(await postNow(artist, { mediaIds, variants: variantsOf(account), requestId }))
    for (let n = 0; n < 2; n++)
      ids.add(await postNow(one.artist, { mediaIds: one.mediaIds, variants: variantsOf(one.account) }))
    expect(ids.size).toBe(4)
  })
})

describe('crops', () => {
  test('the network gets the cropped picture, now and at a planned time, and the crop is returned with its page', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'instagram')
    const mediaIds = await uploadPictures(artist, 1, [900, 1200])
    const crops = [cropFor({ width: 900, height: 1200 }, 4 / 5, 0.2)]
    const postInput = (message: string, more: object = {}) => ({
      mediaIds,
      variants: variantsOf(account, { message, ...more }),
    })
    const now = await postNow(artist, postInput('Cropped', { crops }))
    const planned = await artist.post<PostResult>('/api/posts/schedule', {
      ...postInput('Cropped later', { crops }),
      scheduledAt: new Date(app.clock.now().getTime() + 1500).toISOString(),
    })
    const uncropped = await postNow(artist, postInput('Whole'))
    for (const id of [now, planned.body._id, uncropped]) expect((await untilSettled(artist, id)).status).toBe('posted')
    const pageId = account.pages[0]?.pageId ?? ''
    const shapes = []
    for (const message of ['Cropped', 'Cropped later', 'Whole']) {
      const [shown] = await shownAt(app, 'instagram', pageId, message)
      shapes.push([shown?.media[0]?.width, shown?.media[0]?.height])
    }
    // Without a crop the whole picture is shown between white bars.
    expect(shapes).toEqual([
      [900, 1125],
      [900, 1125],
      [960, 1200],
    ])
    expect((await readPost(artist, now)).variants.map((variant) => variant.crops)).toEqual([crops])
    expect((await readPost(artist, uncropped)).variants[0]).not.toHaveProperty('crops')
  })
})

describe('scheduling', () => {
  test('returns 201, and the waiting post is listed with its media and variants', async () => {
    const { artist, account, mediaIds } = await ready()
    const scheduledAt = inHours(5)
    const answer = await artist.post<PostResult>('/api/posts/schedule', {
      mediaIds,
      variants: variantsOf(account, { title: 'Peony' }),
      scheduledAt,
    })
    const pageId = account.pages[0]?.pageId
    expect(answer).toMatchObject({
      status: 201,
      body: { targets: [{ pageId, socialAccountId: account._id, status: 'scheduled', phase: 'scheduled' }] },
    })
    const [post] = (await artist.get<Post[]>('/api/posts')).body
    expect(post).toMatchObject({
      _id: answer.body._id,
      status: 'scheduled',
      scheduledAt,
      errorMessage: null,
      mediaIds,
      media: [{ _id: mediaIds[0], type: 'image' }],
      variants: [
        {
          platform: 'facebook',
          postId: answer.body._id,
          socialAccountId: account._id,
          pageId,
          title: 'Peony',
          message: 'Fresh flash',
          status: 'scheduled',
        },
      ],
    })
    expect(await shownAt(app, 'facebook', pageId ?? '', 'Peony')).toEqual([])
    const picture = await artist.fetch(post?.media[0]?.thumbnailUrl ?? '')
    expect(picture.headers.get('content-type')).toBe('image/webp')
    expect((await (await createArtist(app)).fetch(post?.media[0]?.thumbnailUrl ?? '')).status).toBe(404)
  })

  test('publishes at the planned time; up to a minute in the past counts as now', async () => {
    const { artist, account, mediaIds } = await ready()
    const soon = await artist.post<PostResult>('/api/posts/schedule', {
      mediaIds,
      variants: variantsOf(account, { message: 'At its time' }),
      scheduledAt: new Date(app.clock.now().getTime() + 1500).toISOString(),
    })
    const late = await artist.post<PostResult>('/api/posts/schedule', {
      mediaIds,
      variants: variantsOf(account, { message: 'A little late' }),
      scheduledAt: inHours(-59 / 3600),
    })
    expect((await untilSettled(artist, late.body._id)).status).toBe('posted')
    const post = await untilSettled(artist, soon.body._id)
    expect(post.status).toBe('posted')
    expect(Date.parse(post.updatedAt)).toBeGreaterThanOrEqual(Date.parse(post.scheduledAt))
  })
})

describe('listing', () => {
  test('is newest first, limited by time and number, and shows no other artist’s posts', async () => {
    const { artist, account, mediaIds } = await ready()
    const ids: string[] = []
    for (const hours of [30, 10, 20]) {
      const answer = await artist.post<PostResult>('/api/posts/schedule', {
        mediaIds,
        variants: variantsOf(account),
        scheduledAt: inHours(hours),
      })
      ids.push(answer.body._id)
    }
    const listed = async (query: string) =>
      (await artist.get<Post[]>(`/api/posts${query}`)).body.map((post) => ids.indexOf(post._id))
    expect(await listed('')).toEqual([2, 1, 0])
    expect(await listed('?limit=2')).toEqual([2, 1])
    expect(await listed(`?from=${inHours(15)}&to=${inHours(25)}`)).toEqual([2])
    expect((await artist.get('/api/posts?limit=0')).status).toBe(400)
    expect((await artist.get('/api/posts?from=yesterday')).status).toBe(400)
    expect(await artist.trpc.posts.list.query({ limit: 2 })).toEqual((await artist.get('/api/posts?limit=2')).body)
    const stranger = await createArtist(app)
    expect((await stranger.get<Post[]>('/api/posts')).body).toEqual([])
    await expect(stranger.trpc.posts.get.query({ postId: ids[0] ?? '' })).rejects.toMatchObject({
      data: { refusal: { code: 'notFound' } },
    })
  })
})

describe('changing a scheduled post', () => {
  test("refuses another artist's post, an unknown page, a past time and too long text", async () => {
    const { artist, account, mediaIds } = await ready()
    const { body } = await artist.post<PostResult>('/api/posts/schedule', {
      mediaIds,
      variants: variantsOf(account),
      scheduledAt: inHours(3),
    })
    const path = `/api/posts/${body._id}`
    const post = await readPost(artist, body._id)
    const variantId = post.variants[0]?._id
    expect((await (await createArtist(app)).put(path, { scheduledAt: inHours(4) })).status).toBe(404)
    expect((await artist.put('/api/posts/none', {})).status).toBe(404)
    expect((await artist.put(path, { scheduledAt: inHours(-1) })).body).toMatchObject({
      fields: { scheduledAt: postMessages.schedulePast },
    })
    expect((await artist.put(path, { variants: [{ _id: randomUUID(), message: 'x' }] })).status).toBe(400)
    expect((await artist.put(path, { variants: [{ _id: variantId, title: 't'.repeat(91) }] })).body).toMatchObject({
      message: postMessages.titleTooLong,
    })
    expect(await readPost(artist, body._id)).toEqual(post)
  })

  test('changes time and text as the calendar sends them; it is published once, at the new time', async () => {
    const { artist, account, mediaIds } = await ready()
    const soon = app.clock.now().getTime() + 1_800_000
    const { body } = await artist.post<PostResult>('/api/posts/schedule', {
      mediaIds,
      variants: variantsOf(account, { message: 'First words', title: 'Old' }),
      scheduledAt: new Date(soon).toISOString(),
    })
    const another = await artist.post<PostResult>('/api/posts/schedule', {
      mediaIds,
      variants: variantsOf(account),
      scheduledAt: new Date(soon + 100).toISOString(),
    })
    const [variant] = (await readPost(artist, body._id)).variants
    const later = await artist.put<Post>(`/api/posts/${body._id}`, {
      postId: body._id,
      scheduledAt: inHours(2),
      variants: [{ _id: variant?._id, platform: 'facebook', postId: body._id, title: 'New', message: 'Better words' }],
    })
    expect(later).toMatchObject({
      status: 200,
      body: { _id: body._id, status: 'scheduled', variants: [{ title: 'New', message: 'Better words' }] },
    })
    app.clock.advance(1_800_000 + 11_000)
    await sweepNow(app)
    // A post that was due just after the old time is published by now.
    expect((await untilSettled(artist, another.body._id)).status).toBe('posted')
    expect((await readPost(artist, body._id)).variants[0]?.phase).toBe('scheduled')
    const moved = await artist.put<Post>(`/api/posts/${body._id}`, { scheduledAt: app.clock.now().toISOString() })
    expect(moved.status).toBe(200)
    expect((await untilSettled(artist, body._id)).status).toBe('posted')
    const shown = await shownAt(app, 'facebook', account.pages[0]?.pageId ?? '')
    expect(shown.filter((post) => post.text === 'First words')).toEqual([])
    expect(shown.filter((post) => post.text === 'Better words')).toHaveLength(1)
    expect(await artist.put(`/api/posts/${body._id}`, { scheduledAt: inHours(1) })).toMatchObject({
      status: 409,
      body: { message: postMessages.notEditable },
    })
  })
})
