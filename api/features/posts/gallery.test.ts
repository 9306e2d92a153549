import type { Site } from '@flashsheet/contracts/website/schema'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import {
  fault,
  postNow,
  untilSettled,
  sweepNow,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { control } from '../../testing/sandbox.ts'
import { publishingFixture } from '../../testing/publishing.ts'

const fixture = publishingFixture()

const galleryOf = async (artist: Artist) => (await artist.get<Site>('/api/websitebuilder')).body.gallery

test('refuses to add to the gallery on a plan without a website', async () => {
  const artist = await createArtist(fixture.app, { plan: 'social-line-work' })
  const account = await connect(fixture.app, artist, 'facebook')
  const body = { mediaIds: await uploadPictures(artist), variants: variantsOf(account), toGallery: true }
  expect(await artist.post('/api/posts', body)).toMatchObject({ status: 403, body: { code: 'plan' } })
  expect((await artist.post('/api/posts', { ...body, toGallery: false })).status).toBe(202)
})

test('adds the pictures of a posted post to the gallery in order, if requested', async () => {
  const artist = await createArtist(fixture.app)
  const account = await connect(fixture.app, artist, 'facebook')
  const [forGallery, notForGallery] = [await uploadPictures(artist, 2), await uploadPictures(artist)]
  await untilSettled(artist, await postNow(artist, { mediaIds: notForGallery, variants: variantsOf(account) }))
  expect(await galleryOf(artist)).toEqual([])
  await untilSettled(
    artist,
    await postNow(artist, { mediaIds: forGallery, variants: variantsOf(account), toGallery: true }),
  )
  expect(await galleryOf(artist)).toEqual(forGallery)
})

test('a post that failed everywhere adds nothing; a planned post adds its pictures once it is posted', async () => {
  const artist = await createArtist(fixture.app)
  const account = await connect(fixture.app, artist, 'facebook')
  const mediaIds = await uploadPictures(artist)
  await fault(fixture.app, 'facebook', 'status', '/photos', {
    method: 'POST',
    times: 20,
    status: 400,
    body: { error: { message: 'no', type: 'OAuthException', code: 100 } },
  })
  expect(
    (await untilSettled(artist, await postNow(artist, { mediaIds, variants: variantsOf(account), toGallery: true })))
      .status,
  ).toBe('failed')
  expect(await galleryOf(artist)).toEqual([])
  await control(fixture.app, 'DELETE', '/faults')
  const planned = await artist.post<{ _id: string }>('/api/posts/schedule', {
    mediaIds,
    variants: variantsOf(account),
    toGallery: true,
    scheduledAt: new Date(fixture.app.clock.now().getTime() + 1_800_000).toISOString(),
  })
  expect(planned.status).toBe(201)
  expect(await galleryOf(artist)).toEqual([])
  fixture.app.clock.advance(1_800_000 + 11_000)
  await sweepNow(fixture.app)
  await untilSettled(artist, planned.body._id)
  expect(await galleryOf(artist)).toEqual(mediaIds)
})

test('a video is posted but not added to the gallery', async () => {
  const artist = await createArtist(fixture.app)
  const account = await connect(fixture.app, artist, 'facebook')
  const id = await uploadFile(artist, { name: 'a.mp4', type: 'video/mp4', bytes: videoFixture('portrait-5s.mp4') })
  expect(
    (
      await untilSettled(
        artist,
        await postNow(artist, { mediaIds: [id], variants: variantsOf(account), toGallery: true }),
      )
    ).status,
  ).toBe('posted')
  expect(await galleryOf(artist)).toEqual([])
})
