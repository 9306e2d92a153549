import type { Post, PostResult } from '@flashsheet/contracts/posts/schema'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import type { Draft } from '@flashsheet/contracts/drafts/schema'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Answer, type Artist, type Visitor } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { createProgram } from '../../testing/keys.ts'
import { fault, untilSettled, uploadFile, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { control } from '../../testing/sandbox.ts'

let app: TestApp
let artist: Artist
let account: SocialAccount
let program: Visitor
let mediaIds: string[]
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())
beforeEach(async () => {
  await control(app, 'DELETE', '/faults')
  artist = await createArtist(app)
  account = await connect(app, artist, 'facebook')
  mediaIds = await uploadPictures(artist)
  program = await createProgram(app, artist, ['posts:write', 'media:read'])
})

const inHours = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString()

async function schedule(message = 'Fresh flash', hours = 2): Promise<string> {
  const body = { mediaIds, variants: variantsOf(account, { title: 'Flash', message }), scheduledAt: inHours(hours) }
  return (await program.post<PostResult>('/api/posts/schedule', body)).body._id
}

async function postNow(message: string): Promise<string> {
  return (await program.post<PostResult>('/api/posts', { mediaIds, variants: variantsOf(account, { message }) })).body
    ._id
}

describe('one post', () => {
  test('an id of no post is 404', async () => {
    const unknownId = '00000000-0000-7000-8000-000000000000'
    for (const ask of [
      async (id: string) => await program.get(`/api/posts/${id}`),
      async (id: string) => await program.delete(`/api/posts/${id}`),
      async (id: string) => await program.post(`/api/posts/${id}/retry`),
      async (id: string) => await program.post(`/api/posts/${id}/publish`),
      async (id: string) => await program.post(`/api/posts/${id}/duplicate`),
    ])
      for (const id of [unknownId, 'nonsense']) expect((await ask(id)).status).toBe(404)
  })

  test('a waiting one can be read and deleted', async () => {
    const id = await schedule()
    expect((await program.get<Post>(`/api/posts/${id}`)).body).toEqual(
      await artist.trpc.posts.get.query({ postId: id }),
    )
    expect((await program.post(`/api/posts/${id}/retry`)).status).toBe(409)
    expect(await program.delete(`/api/posts/${id}`)).toMatchObject({ status: 200, body: { deleted: true } })
    expect((await program.get(`/api/posts/${id}`)).status).toBe(404)
  })

  test('a waiting one can be published now, and then neither again nor deleted', async () => {
    const id = await schedule('Sent by a program')
    expect((await program.post<Post>(`/api/posts/${id}/publish`)).status).toBe(200)
    expect((await untilSettled(artist, id)).status).toBe('posted')
    expect((await program.post(`/api/posts/${id}/publish`)).status).toBe(409)
    expect((await program.delete(`/api/posts/${id}`)).status).toBe(409)
    expect((await program.post(`/api/posts/${id}/retry`)).status).toBe(409)
  })

  test('a failed one is retried', async () => {
    await fault(app, 'facebook', 'status', `/${account.pages[0]?.pageId}/photos`, {
      times: 20,
      status: 400,
      body: { error: { message: 'x', code: 100, error_user_msg: 'Not this picture.' } },
    })
    const id = await postNow('Tried again')
    expect((await untilSettled(artist, id)).status).toBe('failed')
    expect((await program.delete(`/api/posts/${id}`)).status).toBe(409)
    await control(app, 'DELETE', '/faults')
    expect((await program.post<Post>(`/api/posts/${id}/retry`)).body).toMatchObject({ _id: id, status: 'scheduled' })
    expect((await untilSettled(artist, id)).status).toBe('posted')
  })

  test('a new post can be created from its copy', async () => {
    const id = await schedule('Once more')
    const { status, body: copy } = await program.post<Draft>(`/api/posts/${id}/duplicate`)
    expect(status).toBe(201)
    expect(copy).toMatchObject({
      version: 1,
      title: 'Flash',
      mediaIds,
      scheduledAt: null,
      variants: [{ message: 'Once more' }],
    })
    expect((await program.get(`/api/drafts/${copy._id}`)).body).toEqual(copy)
    const copied = await program.post<PostResult>('/api/posts/schedule', { ...copy, scheduledAt: inHours(3) })
    expect(copied.status).toBe(201)
    expect(copied.body._id).not.toBe(id)
  })

  test('a copy has the crops of the pictures that still exist', async () => {
    const [deleted, ...others] = await uploadPictures(artist, 3)
    const crops = [0.1, 0.2, 0.3].map((y) => ({ x: 0, y, width: 1, height: 0.5 }))
    const postInput = { mediaIds: [deleted, ...others], variants: variantsOf(account, { message: 'Cropped', crops }) }
    const posted = (await program.post<PostResult>('/api/posts', postInput)).body._id
    expect((await untilSettled(artist, posted)).status).toBe('posted')
    expect((await artist.delete('/api/media', { ids: [deleted] })).status).toBe(200)
    const { body: copy } = await program.post<Draft>(`/api/posts/${posted}/duplicate`)
    expect(copy.mediaIds).toEqual(others)
    expect(copy.variants.map((variant) => variant.crops)).toEqual([crops.slice(1)])
    expect((await program.post('/api/posts/schedule', { ...copy, scheduledAt: inHours(3) })).status).toBe(201)
  })

  test('a copy has no TikTok options, which must be chosen again', async () => {
    const tiktok = await connect(app, artist, 'tiktok')
    const bytes = videoFixture('portrait-5s.mp4')
    const video = await uploadFile(artist, { name: 'flash.mp4', type: 'video/mp4', bytes })
    const variants = variantsOf(tiktok, { options: { tiktok: { privacyLevel: 'PUBLIC_TO_EVERYONE' } } })
    const postInput = { mediaIds: [video], variants, scheduledAt: inHours(2) }
    const { _id } = (await program.post<PostResult>('/api/posts/schedule', postInput)).body
    const { body: copy } = await program.post<Draft>(`/api/posts/${_id}/duplicate`)
    expect(copy.variants.map(({ platform, options }) => [platform, options])).toEqual([['tiktok', {}]])
  })

  test('a copy omits disconnected pages', async () => {
    const id = await postNow('Left behind')
    await untilSettled(artist, id)
    await artist.delete(`/api/social-accounts/${account._id}`)
    expect((await program.post<Draft>(`/api/posts/${id}/duplicate`)).body).toMatchObject({ mediaIds, variants: [] })
  })
})

/** Follows `Link` from page to page. */
async function follow<T>(path: string): Promise<T[][]> {
  const pages: T[][] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer<T[]> = await program.get<T[]>(next)
    expect(answer.status).toBe(200)
    pages.push(answer.body)
    const [, to]: (string | undefined)[] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? []
    next = to === undefined ? undefined : to.slice(new URL(to).origin.length)
  }
  return pages
}

describe('paginated lists', () => {
  test.each(['/api/posts', '/api/media'])('%s refuses a foreign cursor', async (path) => {
    for (const cursor of ['x', '%00', 'bm90aGluZw', Buffer.from('2026-13-01T00:00:00.000Z x').toString('base64url')])
      expect((await program.get(`${path}?cursor=${cursor}`)).status).toBe(400)
    expect((await program.get(`${path}?limit=0`)).status).toBe(400)
  })

  test.each(['/api/drafts', '/api/media', '/api/posts'])('%s refuses the cursor of another list', async (path) => {
    for (let made = 0; made < 2; made += 1) await program.post('/api/drafts', { title: `Draft ${made}` })
    for (let made = 0; made < 2; made += 1) await schedule(`Number ${made}`, 2 + made)
    const other = path === '/api/drafts' ? '/api/posts' : '/api/drafts'
    const link = (await program.get(`${other}?limit=1`)).headers.get('link') ?? ''
    const cursor = new URL(/<(.*)>/.exec(link)?.[1] ?? '').searchParams.get('cursor') ?? ''
    expect((await program.get(`${other}?limit=1&cursor=${cursor}`)).status).toBe(200)
    expect((await program.get(`${path}?limit=1&cursor=${cursor}`)).status).toBe(400)
  })

  test('posts: each once, in order, and no `Link` on the last page', async () => {
    const ids: string[] = []
    for (let made = 0; made < 5; made += 1) ids.unshift(await schedule(`Number ${made}`, 2 + made))
    const pages = await follow<Post>('/api/posts?limit=2')
    expect(pages.map((page) => page.map(({ _id }) => _id))).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
    expect(await follow<Post>('/api/posts')).toHaveLength(1)
    const between = await follow<Post>(`/api/posts?from=${inHours(2.5)}&to=${inHours(5.5)}&limit=2`)
    expect(between.flat().map(({ _id }) => _id)).toEqual(ids.slice(1, 4))
  })

  test('media: all pages together are the whole list', async () => {
    await uploadPictures(artist, 2)
    const all = (await program.get<MediaItem[]>('/api/media')).body
    expect(all).toHaveLength(3)
    const pages = await follow<MediaItem>('/api/media?limit=2')
    expect(pages.map((page) => page.length)).toEqual([2, 1])
    expect(pages.flat()).toEqual(all)
    expect((await program.get(`/api/media/${all[0]?._id}`)).body).toEqual(all[0])
  })

  test('appointments: all pages together are the whole list', async () => {
    const domainName = `pages-${artist.id.slice(-8)}`
    await artist.post('/api/websitebuilder', { personalInfo: { name: artist.name, domainName } })
    for (const day of [12, 10, 11]) {
      const booking = {
        domainName,
        bookingType: '1 Hour Booking',
        timeSlot: '1:00pm-2:00pm',
        date: inHours(24 * day).slice(0, 10),
        contact: { email: 'client@home.example' },
      }
      expect((await artist.post('/api/appointments', booking)).status).toBe(201)
    }
    program = await createProgram(app, artist, ['bookings:read'])
    const all = (await program.get<{ date: string }[]>('/api/appointments')).body
    const pages = await follow<{ date: string }>('/api/appointments?limit=1')
    expect(pages.map((page) => page.length)).toEqual([1, 1, 1])
    expect(pages.flat()).toEqual(all)
  })
})
