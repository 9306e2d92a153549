import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { videoFixture, picture } from './fixtures/videos.ts'
import { padded } from './fixtures/raw-sends.ts'
import * as facebook from './services/facebook/login-for-tests.ts'
import * as instagram from './services/instagram/login-for-tests.ts'
import * as linkedin from './services/linkedin/login-for-tests.ts'
import { type NetworkFixture, startNetworkFixture } from './services/network-fixture.ts'
import * as youtube from './services/youtube/login-for-tests.ts'

let fixture: NetworkFixture
beforeAll(async () => {
  fixture = await startNetworkFixture(0)
})
beforeEach(async () => void (await fixture.call('POST', '_control/reset')))
afterAll(() => fixture.stop())

const mp4 = videoFixture('portrait-5s.mp4')
let salt = 0
const jpg = async () => await picture(800, 800, (salt += 1))
const seconds = 60
const pass = () => fixture.advance(seconds * 1000)

test.each(['late-list', 'late-status'])('rejects %s without valid seconds', async (kind) => {
  for (const wrong of [{}, { seconds: -1 }, { seconds: 'soon' }, { seconds: 86_401 }, { body: { seconds: null } }]) {
    const answer = await fixture.call('POST', '_control/faults', { json: { service: 'linkedin', kind, ...wrong } })
    expect(answer.status).toBe(400)
  }
})

test('reads the seconds from the body of a fault, and fires another fault of the same request too', async () => {
  const token = (await linkedin.login(fixture)).access_token
  await fixture.fault({
    service: 'linkedin',
    method: 'POST',
    path: 'rest/posts',
    kind: 'late-list',
    body: { seconds: 3600 },
  })
  await fixture.fault({ service: 'linkedin', method: 'POST', path: 'rest/posts', kind: 'drop-after-commit' })
  await expect(linkedin.call(fixture, 'POST', 'posts', token, linkedin.textPost('Koi'))).rejects.toThrow('fetch failed')
  const found = await linkedin.call(fixture, 'GET', `posts?author=${linkedin.encoded(linkedin.studio)}&q=author`, token)
  expect(found.body).toMatchObject({ elements: [] })
  expect(await fixture.posts('linkedin')).toHaveLength(1)
})

test('facebook: a post is listed after its delay; a delay scripted for one list request ends with it', async () => {
  const [page] = (await facebook.connect(fixture)).pages as [facebook.FacebookLogin['pages'][number]]
  const query = `access_token=${page.access_token}`
  const listed = async () =>
    ((await fixture.call('GET', `${facebook.graph}/${page.id}/published_posts?${query}`)).body['data'] as unknown[])
      .length
  await fixture.fault({ service: 'facebook', path: '/feed', kind: 'late-list', seconds })
  await fixture.call('POST', `${facebook.graph}/${page.id}/feed?${query}`, { json: { message: 'Koi' } })
  expect(await listed()).toBe(0)
  pass()
  expect(await listed()).toBe(1)
  await fixture.fault({ service: 'facebook', path: 'published_posts', kind: 'late-list', seconds: 3600 })
  expect([await listed(), await listed()]).toEqual([0, 1])
})

test('facebook: a public reel has the status before the finish call until the delay has passed; no list of posts contains it', async () => {
  const [page] = (await facebook.connect(fixture)).pages as [facebook.FacebookLogin['pages'][number]]
  const query = `access_token=${page.access_token}`
  const started = await fixture.call('POST', `${facebook.graph}/${page.id}/video_reels?${query}`, {
    json: { upload_phase: 'start' },
  })
  const id = String(started.body['video_id'])
  const headers = { authorization: `OAuth ${page.access_token}`, offset: '0', file_size: String(mp4.byteLength) }
  await fixture.call('POST', String(started.body['upload_url']), { headers, body: mp4 })
  await fixture.fault({ service: 'facebook', path: 'video_reels', kind: 'late-status', seconds })
  await fixture.call('POST', `${facebook.graph}/${page.id}/video_reels?${query}`, {
    json: { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED', description: 'Koi' },
  })
  const status = async () =>
    (
      (await fixture.call('GET', `${facebook.graph}/${id}?fields=status&${query}`)).body['status'] as {
        video_status: string
      }
    ).video_status
  expect(await status()).toBe('upload_complete')
  expect(await fixture.posts('facebook')).toHaveLength(1)
  pass()
  expect(await status()).toBe('ready')
  expect((await fixture.call('GET', `${facebook.graph}/${page.id}/published_posts?${query}`)).body['data']).toEqual([])
})

test.each(['rupload', 'upload'])(
  'facebook: the byte receiver %s accepts a token only with the OAuth scheme',
  async (host) => {
    const [page] = (await facebook.connect(fixture)).pages as [facebook.FacebookLogin['pages'][number]]
    const query = `access_token=${page.access_token}`
    const bearer = { authorization: `Bearer ${page.access_token}` }
    const oauth = { authorization: `OAuth ${page.access_token}` }
    if (host === 'rupload') {
      const started = await fixture.call('POST', `${facebook.graph}/${page.id}/video_reels?${query}`, {
        json: { upload_phase: 'start' },
      })
      const sent = (headers: Record<string, string>) =>
        fixture.call('POST', String(started.body['upload_url']), {
          headers: { ...headers, offset: '0', file_size: String(mp4.byteLength) },
          body: mp4,
        })
      expect((await sent(bearer)).status).toBe(400)
      expect((await sent(oauth)).status).toBe(200)
      return
    }
    const asked = { file_name: 'v.mp4', file_length: mp4.byteLength, file_type: 'video/mp4' }
    const started = await fixture.call('POST', `${facebook.graph}/${facebook.app.id}/uploads?${query}`, { json: asked })
    const address = `${facebook.graph}/${String(started.body['id'])}`
    expect((await fixture.call('GET', address, { headers: bearer })).status).toBe(400)
    expect((await fixture.call('GET', `${address}?${query}`)).status).toBe(400)
    expect((await fixture.call('GET', address, { headers: oauth })).body).toMatchObject({ file_offset: 0 })
    expect((await fixture.call('POST', address, { headers: { ...bearer, file_offset: '0' }, body: mp4 })).status).toBe(
      400,
    )
    expect((await fixture.call('POST', address, { headers: { ...oauth, file_offset: '0' }, body: mp4 })).status).toBe(
      200,
    )
  },
)

test('instagram: until the delay has passed a published container is FINISHED, cannot be published again, and its media is not listed', async () => {
  const me = await instagram.connect(fixture)
  const read = async (path: string) =>
    (await fixture.call('GET', `${instagram.graph}/${path}access_token=${me.token}`)).body
  const made = await fixture.call('POST', `${instagram.graph}/${me.id}/media`, {
    form: { image_url: fixture.host('a.jpg', await jpg()), access_token: me.token },
  })
  const container = String(made.body['id'])
  const code = async () => (await read(`${container}?fields=status_code&`))['status_code']
  const listed = async () => ((await read(`${me.id}/media?`))['data'] as unknown[]).length
  await fixture.fault({ service: 'instagram', path: 'media_publish', kind: 'late-status', seconds })
  await fixture.fault({ service: 'instagram', path: 'media_publish', kind: 'late-list', seconds })
  const publish = () =>
    fixture.call('POST', `${instagram.graph}/${me.id}/media_publish`, {
      form: { creation_id: container, access_token: me.token },
    })
  expect((await publish()).status).toBe(200)
  expect([await code(), await listed()]).toEqual(['FINISHED', 0])
  expect((await publish()).body.error).toMatchObject({ error_subcode: 2207027 })
  pass()
  expect([await code(), await listed()]).toEqual(['PUBLISHED', 1])
  expect(await fixture.posts('instagram')).toHaveLength(1)
})

test('youtube: a finished session still reports its last chunk as missing, and returns the video when that is repeated; the list follows', async () => {
  const token = (await youtube.login(fixture)).access_token
  const video = padded(mp4, 300_000)
  const url = await youtube.session(fixture, token, video.byteLength)
  const lastStart = 262_144
  const send = (from: number, to: number) =>
    youtube.send(fixture, url, video.subarray(from, to), `bytes ${from}-${to - 1}/${video.byteLength}`)
  expect((await send(0, lastStart)).status).toBe(308)
  await fixture.fault({ service: 'youtube', method: 'PUT', kind: 'late-status', seconds: 3600 })
  await fixture.fault({ service: 'youtube', method: 'PUT', kind: 'late-list', seconds })
  const end = await send(lastStart, video.byteLength)
  expect(end.status).toBe(201)
  const asked = await youtube.probe(fixture, url, video.byteLength)
  expect([asked.status, asked.headers.get('range')]).toEqual([308, `bytes=0-${lastStart - 1}`])
  expect((await youtube.get(fixture, `videos?part=status&id=${String(end.body['id'])}`, token)).body).toMatchObject({
    items: [{ status: { uploadStatus: 'uploaded' } }],
  })
  // A chunk from the middle is answered with the video as well.
  expect((await send(0, lastStart)).body).toMatchObject({ id: end.body['id'] })
  const channels = await youtube.get(fixture, 'channels?part=contentDetails&mine=true', token)
  const [channel] = channels.body['items'] as [{ contentDetails: { relatedPlaylists: { uploads: string } } }]
  const listed = async () =>
    (
      (
        await youtube.get(
          fixture,
          `playlistItems?part=snippet&playlistId=${channel.contentDetails.relatedPlaylists.uploads}`,
          token,
        )
      ).body['items'] as unknown[]
    ).length
  expect(await listed()).toBe(0)
  pass()
  expect(await listed()).toBe(1)
  expect(await fixture.posts('youtube')).toHaveLength(1)
})

test('linkedin: until the delay has passed a post is not found and is PUBLISH_REQUESTED, and an image is not uploaded', async () => {
  const token = (await linkedin.login(fixture)).access_token
  await fixture.fault({ service: 'linkedin', method: 'PUT', kind: 'late-status', seconds })
  const image = await linkedin.image(fixture, token, await jpg())
  const asset = async () =>
    (await linkedin.call(fixture, 'GET', `images/${linkedin.encoded(image)}`, token)).body['status']
  expect(await asset()).toBe('WAITING_UPLOAD')
  await fixture.fault({ service: 'linkedin', method: 'POST', kind: 'late-status', seconds })
  await fixture.fault({ service: 'linkedin', method: 'POST', kind: 'late-list', seconds })
  const made = await linkedin.call(
    fixture,
    'POST',
    'posts',
    token,
    linkedin.textPost('Koi', { content: { media: { id: image } } }),
  )
  const urn = String(made.headers.get('x-restli-id'))
  const state = async () =>
    (await linkedin.call(fixture, 'GET', `posts/${linkedin.encoded(urn)}`, token)).body['lifecycleState']
  const found = async () =>
    (
      (await linkedin.call(fixture, 'GET', `posts?author=${linkedin.encoded(linkedin.studio)}&q=author`, token)).body[
        'elements'
      ] as unknown[]
    ).length
  expect([await state(), await found()]).toEqual(['PUBLISH_REQUESTED', 0])
  pass()
  expect([await state(), await found(), await asset()]).toEqual(['PUBLISHED', 1, 'AVAILABLE'])
})
