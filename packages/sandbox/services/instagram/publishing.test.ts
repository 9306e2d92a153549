import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { videoFixture, picture, remuxedVideo } from '../../fixtures/videos.ts'
import { startSandbox } from '../../main.ts'
import { type Json, type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
import { connect, graph, type InstagramLogin } from './login-for-tests.ts'

let fixture: NetworkFixture
let me: InstagramLogin
let other: InstagramLogin
beforeAll(async () => {
  fixture = await startNetworkFixture()
  me = await connect(fixture)
  other = await connect(fixture, '&as=17841460011220002')
})
afterAll(() => fixture.stop())
afterEach(() => void vi.useRealTimers())

let names = 0
const put = (bytes: Uint8Array, end = 'jpg') => fixture.host(`ig-${++names}.${end}`, bytes)
const create = (json: Record<string, unknown>, as = me) =>
  fixture.call('POST', `${graph}/${as.id}/media`, { headers: { authorization: `Bearer ${as.token}` }, json })
const read = (id: string, fields: string, as = me) =>
  fixture.call('GET', `${graph}/${id}?fields=${fields}&access_token=${as.token}`)
const publish = (id: string, as = me) =>
  fixture.call('POST', `${graph}/${as.id}/media_publish`, { form: { creation_id: id, access_token: as.token } })
const code = async (id: string) => String((await read(id, 'status_code')).body['status_code'])
const settled = (id: string) =>
  fixture.until(async () => {
    const { body } = await read(id, 'status_code,status')
    return body['status_code'] === 'IN_PROGRESS' ? undefined : body
  })
const mine = async (text: string) => (await fixture.posts('instagram')).filter((post) => post.text === text)
const reel = async (bytes: Uint8Array, extra: Record<string, unknown> = {}) =>
  String((await create({ media_type: 'REELS', video_url: put(bytes, 'mp4'), ...extra })).body['id'])

test('rejects an image that is no JPEG, too heavy, too tall, too wide or missing', async () => {
  const refused = async (url: string) => (await create({ image_url: url, caption: 'no' })).body.error
  expect(await refused(put(await picture(800, 800, 1, 'png')))).toMatchObject({ code: 36001, error_subcode: 2207005 })
  expect(await refused(put(Buffer.concat([await picture(800, 800, 2), Buffer.alloc(8 * 1024 * 1024)])))).toMatchObject({
    code: 36000,
    error_subcode: 2207004,
  })
  expect(await refused(put(await picture(600, 900, 3)))).toMatchObject({ code: 36003, error_subcode: 2207009 })
  expect(await refused(put(await picture(1200, 600, 4)))).toMatchObject({ code: 36003, error_subcode: 2207009 })
  expect(await refused(`${put(Buffer.from('x'))}-gone`)).toMatchObject({ code: 9004, error_subcode: 2207052 })
  expect(await refused(put(videoFixture('portrait-5s.mp4')))).toMatchObject({ code: 9004, error_subcode: 2207052 })
  expect(await mine('no')).toEqual([])
})

test('rejects captions that are too long, unknown media types and missing addresses', async () => {
  const image_url = put(await picture(800, 800, 5))
  expect((await create({ image_url, caption: 'a'.repeat(2201) })).body.error).toMatchObject({
    code: 36004,
    error_subcode: 2207010,
  })
  expect(
    (await create({ image_url, caption: Array.from({ length: 31 }, (_, n) => `#ink${n}`).join(' ') })).body.error,
  ).toMatchObject({ code: 100, error_subcode: 2207040 })
  expect(
    (await create({ image_url, caption: Array.from({ length: 21 }, (_, n) => `@artist${n}`).join(' ') })).body.error,
  ).toMatchObject({ code: 100, error_subcode: 2207040 })
  expect((await create({ image_url, media_type: 'STICKER' })).body.error).toMatchObject({
    code: 100,
    error_subcode: 2207023,
  })
  expect(
    (await create({ media_type: 'VIDEO', video_url: put(videoFixture('portrait-5s.mp4')) })).body.error,
  ).toMatchObject({ code: 100, error_subcode: 2207023 })
  expect((await create({ media_type: 'REELS', upload_type: 'resumable' })).body.error).toMatchObject({ code: 100 })
  expect((await create({ caption: 'nothing' })).body.error).toMatchObject({ code: 100 })
  expect((await create({ media_type: 'REELS' })).body.error).toMatchObject({ code: 100 })
  const fits = `${'a'.repeat(1900)} ${Array.from({ length: 30 }, (_, n) => `#i${n}`).join(' ')} ${Array.from({ length: 20 }, (_, n) => `@b${n}`).join(' ')}`
  expect((await create({ image_url, caption: fits })).status).toBe(200)
})

test("rejects another's account, another's container, and a missing permission", async () => {
  const image_url = put(await picture(800, 800, 6))
  expect(
    (
      await fixture.call('POST', `${graph}/${other.id}/media`, {
        headers: { authorization: `Bearer ${me.token}` },
        json: { image_url },
      })
    ).body.error,
  ).toMatchObject({ code: 100, error_subcode: 33 })
  const { id } = (await create({ image_url })).body
  expect((await publish(String(id), other)).body.error).toMatchObject({ code: 24, error_subcode: 2207008 })
  expect((await read(String(id), 'status_code', other)).body.error).toMatchObject({ code: 100, error_subcode: 33 })
  const reader = await connect(fixture, '&decline=instagram_business_content_publish')
  expect((await create({ image_url }, reader)).body.error).toMatchObject({ code: 10 })
  const personal = await connect(fixture, '&as=17841460011220003')
  expect((await create({ image_url }, personal)).body.error).toMatchObject({ code: 10 })
})

test('a container is not published before it is FINISHED, and only once', async () => {
  await fixture.limits({ processingMs: 60_000 })
  const bytes = await picture(1080, 1080, 7)
  const id = String((await create({ image_url: put(bytes), caption: 'Peony' })).body['id'])
  await fixture.limits({ processingMs: 60 })
  expect(fixture.requests.at(-1)?.agent).toContain('facebookexternalhit')
  expect((await read(id, 'status_code,status')).body).toEqual({
    id,
    status_code: 'IN_PROGRESS',
    status: expect.stringContaining('In Progress'),
  })
  expect((await publish(id)).body.error).toMatchObject({ code: 9007, error_subcode: 2207027 })
  fixture.advance(60_000)
  expect((await settled(id))['status_code']).toBe('FINISHED')
  expect(await mine('Peony')).toEqual([])
  const media = String((await publish(id)).body['id'])
  expect(await code(id)).toBe('PUBLISHED')
  expect((await publish(id)).body.error).toMatchObject({ code: 9007, error_subcode: 2207027 })
  const seen = await mine('Peony')
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({
    id: media,
    pageId: me.id,
    media: [
      { sha256: createHash('sha256').update(bytes).digest('hex'), width: 1080, height: 1080, type: 'image/jpeg' },
    ],
  })
  const shown = (await read(media, 'permalink,media_product_type,media_type,timestamp')).body
  expect(shown).toMatchObject({
    id: media,
    permalink: seen[0]!.permalink,
    media_product_type: 'FEED',
    media_type: 'IMAGE',
  })
  const listed = await fixture.call(
    'GET',
    `${graph}/${me.id}/media?fields=id,caption,permalink,timestamp,media_product_type&limit=25&access_token=${me.token}`,
  )
  expect((listed.body['data'] as Json[])[0]).toMatchObject({ id: media, caption: 'Peony' })
  const publicFeed = await fixture.call('GET', new URL(seen[0]!.permalink).href.replace('https://', ''))
  expect(publicFeed.headers.get('location')).toBe(`/wall/instagram/${media}`)
})

test('twenty concurrent publish calls create one post', async () => {
  const id = String((await create({ image_url: put(await picture(900, 900, 8)), caption: 'Once' })).body['id'])
  await settled(id)
  const answers = await Promise.all(Array.from({ length: 20 }, () => publish(id)))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  expect(await mine('Once')).toHaveLength(1)
})

test.each([
  ['too short', () => remuxedVideo('portrait-5s.mp4', { seconds: 2 })],
  ['of ten frames a second', () => remuxedVideo('portrait-5s.mp4', { fps: 10 })],
  ['with the index last', () => remuxedVideo('portrait-5s.mp4', { moovFirst: false })],
  ['with an edit list', () => remuxedVideo('portrait-5s.mp4', { late: 0.5 })],
  ['no video', () => picture(540, 960, 9)],
])('a reel %s ends in ERROR with 2207026 and cannot be published', async (_, make) => {
  const id = await reel(await make(), { caption: 'Bad reel' })
  expect(await settled(id)).toMatchObject({ status_code: 'ERROR', status: expect.stringContaining('2207026') })
  expect((await publish(id)).body.error).toMatchObject({ code: 9007 })
  expect(await mine('Bad reel')).toEqual([])
})

test('a reel whose address does not answer, or whose cover offset is behind its end, ends in ERROR', async () => {
  const gone = String((await create({ media_type: 'REELS', video_url: `${put(Buffer.from('x'))}-gone` })).body['id'])
  expect(await settled(gone)).toMatchObject({ status_code: 'ERROR', status: expect.stringContaining('2207077') })
  expect((await settled(await reel(videoFixture('portrait-5s.mp4'), { thumb_offset: 9000 })))['status']).toContain(
    '2207057',
  )
})

test('a reel is fetched unchanged and published as a reel', async () => {
  const bytes = videoFixture('landscape-5s.mov')
  const id = await reel(bytes, { caption: 'Wide reel', share_to_feed: true, thumb_offset: 2000 })
  expect((await settled(id))['status_code']).toBe('FINISHED')
  const media = String((await publish(id)).body['id'])
  expect((await read(media, 'permalink,media_product_type')).body).toMatchObject({
    media_product_type: 'REELS',
    permalink: expect.stringContaining('https://www.instagram.com/reel/'),
  })
  const [seen] = await mine('Wide reel')
  expect(seen).toMatchObject({ kind: 'reel', extras: { coverMs: 2000 }, comments: [] })
  expect(seen?.media).toMatchObject([
    { sha256: createHash('sha256').update(bytes).digest('hex'), type: 'video/quicktime', width: 960 },
  ])
})

test('a carousel needs two to ten finished items of the same account and publishes them in order', async () => {
  const item = async (salt: number) =>
    String(
      (
        await create({
          is_carousel_item: true,
          image_url: put(await picture(800, 800, salt)),
          alt_text: `Picture ${salt}`,
        })
      ).body['id'],
    )
  const [a, b] = [await item(11), await item(12)]
  expect((await create({ media_type: 'CAROUSEL', children: a })).body.error).toMatchObject({
    code: 100,
    error_subcode: 2207028,
  })
  expect((await create({ media_type: 'CAROUSEL', children: [a, a] })).body.error).toMatchObject({
    error_subcode: 2207028,
  })
  expect(
    (await create({ media_type: 'CAROUSEL', children: Array.from({ length: 11 }, (_, n) => String(n)).join(',') })).body
      .error,
  ).toMatchObject({ error_subcode: 2207028 })
  const single = String((await create({ image_url: put(await picture(800, 800, 13)) })).body['id'])
  expect((await create({ media_type: 'CAROUSEL', children: [a, single] })).body.error).toMatchObject({
    code: 24,
    error_subcode: 2207008,
  })
  const film1 = String(
    (await create({ is_carousel_item: true, media_type: 'VIDEO', video_url: put(videoFixture('portrait-5s.mp4')) }))
      .body['id'],
  )
  expect((await create({ media_type: 'CAROUSEL', children: [a, film1] })).body.error).toMatchObject({
    code: 9007,
    error_subcode: 2207027,
  })
  for (const id of [a, b, film1]) expect((await settled(id))['status_code']).toBe('FINISHED')
  expect((await publish(a)).body.error).toMatchObject({ code: 9007 })

  const album = String(
    (await create({ media_type: 'CAROUSEL', children: `${b},${a},${film1}`, caption: 'Three healed' })).body['id'],
  )
  await settled(album)
  const media = String((await publish(album)).body['id'])
  const [seen] = await mine('Three healed')
  expect(seen).toMatchObject({ kind: 'post', extras: { altTexts: ['Picture 12', 'Picture 11', ''] }, comments: [] })
  expect(seen?.media.map((part) => part.sha256)).toEqual(
    [await picture(800, 800, 12), await picture(800, 800, 11), videoFixture('portrait-5s.mp4')].map((bytes) =>
      createHash('sha256').update(bytes).digest('hex'),
    ),
  )
  expect((await read(media, 'media_type,children')).body).toMatchObject({
    media_type: 'CAROUSEL_ALBUM',
    children: { data: [{}, {}, {}] },
  })
  expect(await code(a)).toBe('PUBLISHED')
})

test('a container expires after 24 hours, and by fault expire-container at once', async () => {
  const make = async (salt: number) =>
    String((await create({ image_url: put(await picture(800, 800, salt)), caption: 'Expired' })).body['id'])
  const first = await make(14)
  await settled(first)
  await fixture.fault({ service: 'instagram', kind: 'expire-container', method: 'POST', path: '/media_publish' })
  expect((await publish(first)).body.error).toMatchObject({ code: -2, error_subcode: 2207020 })
  expect(await code(first)).toBe('EXPIRED')
  const second = await make(15)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 })
  expect(await code(second)).toBe('EXPIRED')
  expect((await publish(second)).body.error).toMatchObject({ error_subcode: 2207020 })
  expect(await mine('Expired')).toEqual([])
})

test('fault processing-fails ends a container in ERROR, with the scripted subcode', async () => {
  await fixture.fault({
    service: 'instagram',
    kind: 'processing-fails',
    method: 'POST',
    path: '/media$',
    body: { error_subcode: 2207082 },
  })
  expect(await settled(await reel(videoFixture('portrait-5s.mp4')))).toMatchObject({
    status_code: 'ERROR',
    status: expect.stringContaining('2207082'),
  })
  await fixture.fault({ service: 'instagram', kind: 'processing-fails', method: 'POST', path: '/media$' })
  const id = String((await create({ image_url: put(await picture(800, 800, 16)) })).body['id'])
  expect((await settled(id))['status']).toContain('2207053')
})

test('an invalid token is rejected with 190 and publishes nothing', async () => {
  const own = await connect(fixture)
  const id = String(
    (await create({ image_url: put(await picture(800, 800, 17)), caption: 'Dead token' }, own)).body['id'],
  )
  await settled(id)
  await fixture.fault({ service: 'instagram', kind: 'revoke-token', method: 'POST', path: '/media_publish' })
  expect((await publish(id, own)).body.error).toMatchObject({ code: 190, error_subcode: 460 })
  expect(await mine('Dead token')).toEqual([])
  expect((await publish(id, await connect(fixture))).status).toBe(200)
})

/** Sends `count` requests, a few at a time, and expects that all succeed. */
async function all200(count: number, ask: () => Promise<{ status: number }>): Promise<void> {
  let left = count
  const lane = async () => {
    while (left-- > 0) expect((await ask()).status).toBe(200)
  }
  await Promise.all(Array.from({ length: 10 }, lane))
}

test('the hundredth post of a day is the last with quotas on; the limit can be read', async () => {
  const own = (await (
    await fetch(`${fixture.sandbox.url}/_control/pages`, {
      method: 'POST',
      body: JSON.stringify({ platform: 'instagram', count: 1 }),
      headers: { 'content-type': 'application/json' },
    })
  ).json()) as { id: string }[]
  const busy = await connect(fixture, `&as=${own[0]!.id}`)
  await fixture.limits({ processingMs: 0 })
  const image_url = put(await picture(320, 320, 18))
  const once = async () => publish(String((await create({ image_url, caption: 'Busy' }, busy)).body['id']), busy)
  const asked = () =>
    fixture.call(
      'GET',
      `${graph}/${busy.id}/content_publishing_limit?fields=quota_usage,config{quota_total,quota_duration}&access_token=${busy.token}`,
    )
  await all200(100, once)
  expect((await asked()).body['data']).toEqual([
    { quota_usage: 100, config: { quota_total: 100, quota_duration: 86_400 } },
  ])
  expect((await once()).body.error).toMatchObject({ code: 9, error_subcode: 2207042 })
  await fixture.limits({ quotas: false })
  expect((await once()).status).toBe(200)
  await fixture.limits({ quotas: true })
  await all200(298, async () => await create({ image_url }, busy))
  expect((await create({ image_url }, busy)).body.error).toMatchObject({ code: 80002 })
  await fixture.limits({ processingMs: 60 })
})

test('a download that a stop interrupted is repeated after the restart', async () => {
  const own = await startNetworkFixture()
  try {
    const login = await connect(own)
    const url = own.host('slow.mp4', videoFixture('portrait-5s.mp4'))
    const dead = url.replace(/:\d+\//, ':1/')
    const made = await own.call('POST', `${graph}/${login.id}/media`, {
      json: { media_type: 'REELS', video_url: url, access_token: login.token },
    })
    expect(
      (
        await own.call('POST', `${graph}/${login.id}/media`, {
          json: { media_type: 'REELS', video_url: dead, access_token: login.token },
        })
      ).status,
    ).toBe(200)
    await own.sandbox.stop()
    own.sandbox = await startSandbox({ port: 0, dataDir: own.dataDir, processingMs: 60 })
    const end = await own.until(async () => {
      const answer = await fetch(
        `${own.sandbox.url}/${graph}/${String(made.body['id'])}?fields=status_code&access_token=${login.token}`,
      )
      const body = (await answer.json()) as Json
      return body['status_code'] === 'IN_PROGRESS' ? undefined : body
    })
    expect(end['status_code']).toBe('FINISHED')
  } finally {
    await own.stop()
  }
})
