import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { videoFixture, picture } from './fixtures/videos.ts'
import { padded } from './fixtures/raw-sends.ts'
import * as facebook from './services/facebook/login-for-tests.ts'
import * as instagram from './services/instagram/login-for-tests.ts'
import * as linkedin from './services/linkedin/login-for-tests.ts'
import { type MetaWorld, startMetaWorld } from './services/meta/test-world.ts'
import * as youtube from './services/youtube/login-for-tests.ts'

let world: MetaWorld
beforeAll(async () => {
  world = await startMetaWorld(0)
})
beforeEach(async () => void (await world.call('POST', '_control/reset')))
afterAll(() => world.stop())

const mp4 = videoFixture('portrait-5s.mp4')
let salt = 0
const jpg = async () => await picture(800, 800, (salt += 1))
/** Long enough to be seen as late, short enough to wait for. */
const seconds = 0.3
/** Waits until `ask` answers what it did not at first. */
const comes = async (ask: () => Promise<unknown>, then: unknown) => {
  await world.until(async () => ((await ask()) === then ? true : undefined))
}

test.each(['late-list', 'late-status'])('%s without its seconds is refused', async (kind) => {
  for (const wrong of [{}, { seconds: -1 }, { seconds: 'soon' }, { seconds: 86_401 }, { body: { seconds: null } }]) {
    const answer = await world.call('POST', '_control/faults', { json: { service: 'linkedin', kind, ...wrong } })
    expect(answer.status).toBe(400)
  }
})

test('the seconds may stand in the body of the fault, and another fault of the same request fires as well', async () => {
  const token = (await linkedin.login(world)).access_token
  await world.fault({
    service: 'linkedin',
    method: 'POST',
    path: 'rest/posts',
    kind: 'late-list',
    body: { seconds: 3600 },
  })
  await world.fault({ service: 'linkedin', method: 'POST', path: 'rest/posts', kind: 'drop-after-commit' })
  await expect(linkedin.call(world, 'POST', 'posts', token, linkedin.textPost('Koi'))).rejects.toThrow('fetch failed')
  const found = await linkedin.call(world, 'GET', `posts?author=${linkedin.encoded(linkedin.studio)}&q=author`, token)
  expect(found.body).toMatchObject({ elements: [] })
  expect(await world.posts('linkedin')).toHaveLength(1)
})

test('facebook: a post is listed later; what is listed late for one question only is there at the next', async () => {
  const [page] = (await facebook.connect(world)).pages as [facebook.FacebookLogin['pages'][number]]
  const query = `access_token=${page.access_token}`
  const listed = async () =>
    ((await world.call('GET', `${facebook.graph}/${page.id}/published_posts?${query}`)).body['data'] as unknown[])
      .length
  await world.fault({ service: 'facebook', path: '/feed', kind: 'late-list', seconds })
  await world.call('POST', `${facebook.graph}/${page.id}/feed?${query}`, { json: { message: 'Koi' } })
  expect(await listed()).toBe(0)
  await comes(listed, 1)
  await world.fault({ service: 'facebook', path: 'published_posts', kind: 'late-list', seconds: 3600 })
  expect([await listed(), await listed()]).toEqual([0, 1])
})

test('facebook: a reel is public while its status still tells that it waits for its finish; it is in no list of posts', async () => {
  const [page] = (await facebook.connect(world)).pages as [facebook.FacebookLogin['pages'][number]]
  const query = `access_token=${page.access_token}`
  const begun = await world.call('POST', `${facebook.graph}/${page.id}/video_reels?${query}`, {
    json: { upload_phase: 'start' },
  })
  const id = String(begun.body['video_id'])
  const headers = { authorization: `OAuth ${page.access_token}`, offset: '0', file_size: String(mp4.byteLength) }
  await world.call('POST', String(begun.body['upload_url']), { headers, body: mp4 })
  await world.fault({ service: 'facebook', path: 'video_reels', kind: 'late-status', seconds })
  await world.call('POST', `${facebook.graph}/${page.id}/video_reels?${query}`, {
    json: { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED', description: 'Koi' },
  })
  const status = async () =>
    (
      (await world.call('GET', `${facebook.graph}/${id}?fields=status&${query}`)).body['status'] as {
        video_status: string
      }
    ).video_status
  expect(await status()).toBe('upload_complete')
  expect(await world.posts('facebook')).toHaveLength(1)
  await comes(status, 'ready')
  expect((await world.call('GET', `${facebook.graph}/${page.id}/published_posts?${query}`)).body['data']).toEqual([])
})

test.each(['rupload', 'upload'])('facebook: the byte receiver %s takes a token behind OAuth alone', async (door) => {
  const [page] = (await facebook.connect(world)).pages as [facebook.FacebookLogin['pages'][number]]
  const query = `access_token=${page.access_token}`
  const bearer = { authorization: `Bearer ${page.access_token}` }
  const oauth = { authorization: `OAuth ${page.access_token}` }
  if (door === 'rupload') {
    const begun = await world.call('POST', `${facebook.graph}/${page.id}/video_reels?${query}`, {
      json: { upload_phase: 'start' },
    })
    const sent = (headers: Record<string, string>) =>
      world.call('POST', String(begun.body['upload_url']), {
        headers: { ...headers, offset: '0', file_size: String(mp4.byteLength) },
        body: mp4,
      })
    expect((await sent(bearer)).status).toBe(400)
    expect((await sent(oauth)).status).toBe(200)
    return
  }
  const asked = { file_name: 'v.mp4', file_length: mp4.byteLength, file_type: 'video/mp4' }
  const begun = await world.call('POST', `${facebook.graph}/${facebook.app.id}/uploads?${query}`, { json: asked })
  const address = `${facebook.graph}/${String(begun.body['id'])}`
  expect((await world.call('GET', address, { headers: bearer })).status).toBe(400)
  expect((await world.call('GET', `${address}?${query}`)).status).toBe(400)
  expect((await world.call('GET', address, { headers: oauth })).body).toMatchObject({ file_offset: 0 })
  expect((await world.call('POST', address, { headers: { ...bearer, file_offset: '0' }, body: mp4 })).status).toBe(400)
  expect((await world.call('POST', address, { headers: { ...oauth, file_offset: '0' }, body: mp4 })).status).toBe(200)
})

test('instagram: a published container still reads FINISHED, is refused a second time, and its media is listed later', async () => {
  const me = await instagram.connect(world)
  const read = async (path: string) =>
    (await world.call('GET', `${instagram.graph}/${path}access_token=${me.token}`)).body
  const made = await world.call('POST', `${instagram.graph}/${me.id}/media`, {
    form: { image_url: world.host('a.jpg', await jpg()), access_token: me.token },
  })
  const container = String(made.body['id'])
  const code = async () => (await read(`${container}?fields=status_code&`))['status_code']
  const listed = async () => ((await read(`${me.id}/media?`))['data'] as unknown[]).length
  await world.fault({ service: 'instagram', path: 'media_publish', kind: 'late-status', seconds })
  await world.fault({ service: 'instagram', path: 'media_publish', kind: 'late-list', seconds })
  const publish = () =>
    world.call('POST', `${instagram.graph}/${me.id}/media_publish`, {
      form: { creation_id: container, access_token: me.token },
    })
  expect((await publish()).status).toBe(200)
  expect([await code(), await listed()]).toEqual(['FINISHED', 0])
  expect((await publish()).body.error).toMatchObject({ error_subcode: 2207027 })
  await comes(code, 'PUBLISHED')
  await comes(listed, 1)
  expect(await world.posts('instagram')).toHaveLength(1)
})

test('youtube: a finished session still asks for its last chunk, and knows its end when it gets it; the list follows', async () => {
  const token = (await youtube.login(world)).access_token
  const video = padded(mp4, 300_000)
  const url = await youtube.session(world, token, video.byteLength)
  const lastStart = 262_144
  const send = (from: number, to: number) =>
    youtube.send(world, url, video.subarray(from, to), `bytes ${from}-${to - 1}/${video.byteLength}`)
  expect((await send(0, lastStart)).status).toBe(308)
  await world.fault({ service: 'youtube', method: 'PUT', kind: 'late-status', seconds: 3600 })
  await world.fault({ service: 'youtube', method: 'PUT', kind: 'late-list', seconds })
  const end = await send(lastStart, video.byteLength)
  expect(end.status).toBe(201)
  const asked = await youtube.probe(world, url, video.byteLength)
  expect([asked.status, asked.headers.get('range')]).toEqual([308, `bytes=0-${lastStart - 1}`])
  expect((await youtube.get(world, `videos?part=status&id=${String(end.body['id'])}`, token)).body).toMatchObject({
    items: [{ status: { uploadStatus: 'uploaded' } }],
  })
  // A chunk of the middle, too, is answered with the video.
  expect((await send(0, lastStart)).body).toMatchObject({ id: end.body['id'] })
  const channels = await youtube.get(world, 'channels?part=contentDetails&mine=true', token)
  const [channel] = channels.body['items'] as [{ contentDetails: { relatedPlaylists: { uploads: string } } }]
  const listed = async () =>
    (
      (
        await youtube.get(
          world,
          `playlistItems?part=snippet&playlistId=${channel.contentDetails.relatedPlaylists.uploads}`,
          token,
        )
      ).body['items'] as unknown[]
    ).length
  expect(await listed()).toBe(0)
  await comes(listed, 1)
  expect(await world.posts('youtube')).toHaveLength(1)
})

test('linkedin: a post is found later and reads PUBLISH_REQUESTED meanwhile; an image reads as not uploaded', async () => {
  const token = (await linkedin.login(world)).access_token
  await world.fault({ service: 'linkedin', method: 'PUT', kind: 'late-status', seconds })
  const image = await linkedin.image(world, token, await jpg())
  const asset = async () =>
    (await linkedin.call(world, 'GET', `images/${linkedin.encoded(image)}`, token)).body['status']
  expect(await asset()).toBe('WAITING_UPLOAD')
  await world.fault({ service: 'linkedin', method: 'POST', kind: 'late-status', seconds })
  await world.fault({ service: 'linkedin', method: 'POST', kind: 'late-list', seconds })
  const made = await linkedin.call(
    world,
    'POST',
    'posts',
    token,
    linkedin.textPost('Koi', { content: { media: { id: image } } }),
  )
  const urn = String(made.headers.get('x-restli-id'))
  const state = async () =>
    (await linkedin.call(world, 'GET', `posts/${linkedin.encoded(urn)}`, token)).body['lifecycleState']
  const found = async () =>
    (
      (await linkedin.call(world, 'GET', `posts?author=${linkedin.encoded(linkedin.studio)}&q=author`, token)).body[
        'elements'
      ] as unknown[]
    ).length
  expect([await state(), await found()]).toEqual(['PUBLISH_REQUESTED', 0])
  await comes(state, 'PUBLISHED')
  await comes(found, 1)
  await comes(asset, 'AVAILABLE')
})
