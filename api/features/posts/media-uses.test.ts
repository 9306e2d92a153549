import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { control } from '../../testing/sandbox.ts'
import { postNow, untilSettled, uploadPictures, variantsOf } from '../../testing/posting.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

const hours = (count: number) => new Date(Date.UTC(2099, 0, 1, count)).toISOString()

async function schedule(artist: Artist, mediaIds: readonly string[], title: string, scheduledAt: string) {
  const [account] = (await artist.get<Awaited<ReturnType<typeof connect>>[]>('/api/social-accounts')).body
  const { status, body } = await artist.post<{ _id: string }>('/api/posts/schedule', {
    mediaIds,
    variants: variantsOf(account ?? expect.fail('nothing is connected'), { title }),
    scheduledAt,
  })
  expect(status).toBe(201)
  return body._id
}

test('returns the number of posts and the latest three for each item', async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'facebook')
  const [usedOften = '', usedTwice = '', unused = ''] = await uploadPictures(artist, 3)
  for (const at of [1, 2, 3]) await schedule(artist, [usedOften], `Flash ${at}`, hours(at))
  const last = await schedule(artist, [usedTwice, usedOften], 'Snake and dagger', hours(4))
  const postedId = await postNow(artist, { mediaIds: [usedTwice], variants: variantsOf(account, { title: 'Out' }) })
  await untilSettled(artist, postedId)

  const uses = await artist.trpc.posts.mediaUses.query()
  expect(uses.map((use) => use.mediaId).sort()).toEqual([usedOften, usedTwice].sort())
  expect(uses.some((use) => use.mediaId === unused)).toBe(false)
  expect(uses.find((use) => use.mediaId === usedOften)).toMatchObject({
    count: 4,
    isPlanned: true,
    latest: [
      { _id: last, title: 'Snake and dagger', status: 'scheduled', scheduledAt: hours(4) },
      { title: 'Flash 3' },
      { title: 'Flash 2' },
    ],
  })
  expect(uses.find((use) => use.mediaId === usedTwice)).toMatchObject({
    count: 2,
    latest: [
      { _id: last, status: 'scheduled' },
      { _id: postedId, status: 'posted', title: 'Out' },
    ],
  })
})

test('a post that shows an item twice counts once', async () => {
  const artist = await createArtist(app)
  await connect(app, artist, 'facebook')
  const [item = ''] = await uploadPictures(artist, 1)
  const id = await schedule(artist, [item, item], 'Twice', hours(1))
  expect(await artist.trpc.posts.mediaUses.query()).toMatchObject([{ mediaId: item, count: 1, latest: [{ _id: id }] }])
})

test('an item whose posts all failed is not planned', async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'facebook')
  const [item = ''] = await uploadPictures(artist, 1)
  await control(app, 'POST', '/faults', {
    service: 'facebook',
    method: 'POST',
    path: 'photos',
    skip: 0,
    times: 20,
    kind: 'status',
    status: 400,
    body: { error: { message: 'No', type: 'OAuthException', code: 1404102 } },
  })
  const post = await postNow(artist, { mediaIds: [item], variants: variantsOf(account) })
  await untilSettled(artist, post)
  await control(app, 'DELETE', '/faults')
  expect(await artist.trpc.posts.mediaUses.query()).toMatchObject([
    { mediaId: item, count: 1, isPlanned: false, latest: [{ _id: post, status: 'failed' }] },
  ])
})

test('returns nothing of another artist', async () => {
  const artist = await createArtist(app)
  await connect(app, artist, 'facebook')
  await schedule(artist, await uploadPictures(artist, 1), 'Mine', hours(1))
  expect(await (await createArtist(app)).trpc.posts.mediaUses.query()).toEqual([])
})

test('omits a deleted item', async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'facebook')
  const [item = ''] = await uploadPictures(artist, 1)
  await untilSettled(artist, await postNow(artist, { mediaIds: [item], variants: variantsOf(account) }))
  expect(await artist.trpc.posts.mediaUses.query()).toHaveLength(1)
  await artist.delete('/api/media', { ids: [item] })
  expect(await artist.trpc.posts.mediaUses.query()).toEqual([])
})
