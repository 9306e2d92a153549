import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { FromUrlJob, FromUrlState, MediaItem } from '@flashsheet/contracts/media/schema'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { sweepUploads } from './service/sweep.ts'
import { eventually } from '../../testing/sandbox.ts'
import { serve } from '../../testing/serve.ts'
import { openSystem } from '../../testing/system.ts'

let app: TestApp
let closed: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { FETCH_LOOPBACK: 'on' } })
  closed = await startTestApp({ role: 'web' })
})
afterAll(async () => {
  await app.stop()
  await closed.stop()
})

/** Fetches an address, and returns the final state. */
async function fetchToEnd(artist: Artist, url: string): Promise<FromUrlState> {
  const job = await artist.post<FromUrlJob>('/api/media/from-url', { url })
  expect(job.status).toBe(202)
  return await eventually('the fetch to end', async () => {
    const { body } = await artist.get<FromUrlState>(`/api/media/from-url/${job.body._id}`)
    return body.state !== 'fetching' && body
  })
}

describe('an address that may not be called', () => {
  test.each([
    ['none', {}],
    ['no address', { url: 'nonsense' }],
    ['no https', { url: 'http://example.com/a.jpg' }],
    ['this host', { url: 'https://127.0.0.1/a.jpg' }],
    ['this host by a number', { url: 'https://2130706433/a.jpg' }],
    ['this host by IPv6', { url: 'https://[::1]/a.jpg' }],
    ['the metadata of a cloud', { url: 'https://169.254.169.254/latest/meta-data/' }],
    ['a private network', { url: 'https://192.168.1.1/a.jpg' }],
    ['another port', { url: 'https://example.com:6379/' }],
    ['a name and password', { url: 'https://a:b@example.com/a.jpg' }],
    ['a number', { url: 5 }],
  ])('%s is 400', async (_what, body) => {
    const artist = await createArtist(closed)
    const refused = await artist.post('/api/media/from-url', body)
    expect(refused).toMatchObject({ status: 400, body: { fields: { url: mediaMessages.addressRefused } } })
  })
})

test('the request id of another artist is a request of its own', async () => {
  const body = { url: 'https://example.com/a.jpg', requestId: 'a-request' }
  const ask = async (artist: Artist) => (await artist.post<FromUrlJob>('/api/media/from-url', body)).body._id
  const [one, other] = [await createArtist(closed), await createArtist(closed)]
  const first = await ask(one)
  expect(await ask(one)).toBe(first)
  expect(await ask(other)).not.toBe(first)
})

describe('a file that cannot be fetched', () => {
  test.each<[string, RequestListener, string]>([
    ['does not exist', (_request, response) => response.writeHead(404).end(), mediaMessages.addressFailed],
    [
      'is a page',
      (_request, response) => response.setHeader('content-type', 'text/html').end('<p>'),
      mediaMessages.unsupported,
    ],
    [
      'only claims to be a picture',
      (_request, response) => response.setHeader('content-type', 'image/jpeg').end('no'),
      mediaMessages.imageType,
    ],
    [
      'breaks off',
      (_request, response) => response.setHeader('content-type', 'image/jpeg').write('x', () => response.destroy()),
      mediaMessages.addressFailed,
    ],
    [
      'redirects into a private network',
      (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      mediaMessages.addressRefused,
    ],
  ])('that %s: the fetch fails with the reason, and stores nothing', async (_what, listener, message) => {
    const artist = await createArtist(app)
    expect(await fetchToEnd(artist, `${await serve(listener)}/a.jpg`)).toEqual({
      state: 'failed',
      message,
    })
    expect((await artist.get<MediaItem[]>('/api/media')).body).toEqual([])
  })
})

test('a fetch from a server that sends too slowly fails', async () => {
  const artist = await createArtist(app)
  const jpeg = await picture(640, 480, 1)
  const url = await serve((_request, response) => {
    response.setHeader('content-type', 'image/jpeg')
    const timer = setInterval(() => {
      app.clock.advance(31_000)
      response.write(jpeg.subarray(0, 1))
    }, 20)
    response.on('close', () => clearInterval(timer))
  })
  expect(await fetchToEnd(artist, `${url}/a.jpg`)).toEqual({ state: 'failed', message: mediaMessages.addressFailed })
})

test('a fetch whose job was lost fails after an hour, and not before', async () => {
  const artist = await createArtist(closed)
  const { body } = await artist.post<FromUrlJob>('/api/media/from-url', { url: 'https://pictures.example/a.jpg' })
  const { system, close } = await openSystem(closed)
  const state = async () => (await artist.get<FromUrlState>(`/api/media/from-url/${body._id}`)).body
  closed.clock.advance(59 * 60_000)
  await sweepUploads(system)
  expect(await state()).toEqual({ state: 'fetching' })
  closed.clock.advance(2 * 60_000)
  await sweepUploads(system)
  expect(await state()).toEqual({ state: 'failed', message: mediaMessages.addressFailed })
  await close()
})

test('a picture is fetched into the library, under the name of its address', async () => {
  const artist = await createArtist(app)
  const jpeg = await picture(640, 480, 1)
  const url = await serve((_request, response) => response.setHeader('content-type', 'image/jpeg').end(jpeg))
  const { state, item } = await fetchToEnd(artist, `${url}/pictures/Koi%20fish.jpg?size=large`)
  expect(state).toBe('done')
  expect(item).toMatchObject({ type: 'image', fileName: 'Koi fish.jpg', dimensions: { width: 640, height: 480 } })
  expect((await artist.get<MediaItem[]>('/api/media')).body).toEqual([item])
})

test('the same request id fetches once, and is refused for another address', async () => {
  const artist = await createArtist(app)
  let calls = 0
  const jpeg = await picture(640, 480, 1)
  const url = await serve((_request, response) => {
    calls += 1
    response.setHeader('content-type', 'image/jpeg').end(jpeg)
  })
  const ask = async (path: string) =>
    await artist.post<FromUrlJob>('/api/media/from-url', { url: `${url}${path}` }, { 'idempotency-key': 'once' })
  const answers = await Promise.all([ask('/a.jpg'), ask('/a.jpg'), ask('/a.jpg')])
  expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1)
  expect(await ask('/b.jpg')).toMatchObject({ status: 409 })
  await eventually('the picture', async () => (await artist.get<MediaItem[]>('/api/media')).body.length === 1)
  expect(calls).toBe(1)
})

describe('an artist with many slow fetches', () => {
  const job = { url: 'https://pictures.example/a.jpg' }

  test('is refused another one with Retry-After, but not the result of a repeat', async () => {
    const artist = await createArtist(closed)
    const ask = async (requestId: string) =>
      await artist.post<FromUrlJob>('/api/media/from-url', job, { 'idempotency-key': requestId })
    const answers = await Promise.all(Array.from({ length: mediaLimits.unfinishedUploads + 5 }, (_, n) => ask(`${n}`)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    expect(refused[0]).toMatchObject({ body: { message: mediaMessages.tooManyFetching } })
    expect(refused[0]?.headers.get('retry-after')).toBe('30')
    const first = answers.findIndex(({ status }) => status === 202)
    expect(await ask(`${first}`)).toMatchObject({ status: 202, body: answers[first]?.body })
  })

  test('does not delay the fetch of another artist', async () => {
    const [one, other] = [await createArtist(app), await createArtist(app)]
    const called: string[] = []
    const released = Promise.withResolvers<void>()
    const url = await serve((request, response) => {
      called.push(request.url ?? '')
      void released.promise.then(() => response.writeHead(404).end())
    })
    const ask = async (artist: Artist, path: string) =>
      await artist.post<FromUrlJob>('/api/media/from-url', { url: `${url}${path}` })
    for (let n = 0; n < mediaLimits.unfinishedUploads; n++) await ask(one, `/${n}.jpg`)
    await expect.poll(() => called.length, { timeout: 10_000 }).toBe(2)
    await ask(other, '/a.jpg')
    await ask(other, '/b.jpg')
    // A worker fetches four at a time: none waits for the end of another.
    await expect.poll(() => called.slice(2).toSorted(), { timeout: 20_000 }).toEqual(['/a.jpg', '/b.jpg'])
    released.resolve()
    await expect.poll(() => called.length, { timeout: 20_000 }).toBeGreaterThan(4)
  })
})
