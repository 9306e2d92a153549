import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { videoFixture, picture, remuxedVideo } from '../../fixtures/videos.ts'
import { startSandbox } from '../../main.ts'
import { type Json, type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
import { app, connect, type FacebookLogin, graph } from './login-for-tests.ts'

let fixture: NetworkFixture
let page: FacebookLogin['pages'][number]
let other: FacebookLogin['pages'][number]
beforeAll(async () => {
  fixture = await startNetworkFixture()
  ;[page, other] = (await connect(fixture)).pages as [typeof page, typeof other]
})
afterAll(() => fixture.stop())

type Status = {
  video_status: string
  uploading_phase: { status: string; bytes_transfered: number }
  processing_phase: { status: string; error?: { message: string } }
  publishing_phase: { status: string; publish_status?: string }
}
const oauth = (to = page) => ({ authorization: `OAuth ${to.access_token}` })
const post = (path: string, json: unknown, to = page) =>
  fixture.call('POST', `${graph}/${path}`, { headers: { authorization: `Bearer ${to.access_token}` }, json })
const status = async (id: string, to = page) =>
  (await fixture.call('GET', `${graph}/${id}?fields=status&access_token=${to.access_token}`)).body['status'] as Status
const start = async (to = page) =>
  (await post(`${to.id}/video_reels`, { upload_phase: 'start' }, to)).body as Json & {
    video_id: string
    upload_url: string
  }
const send = (url: string, bytes: Uint8Array, offset = 0, total = bytes.byteLength, to = page) =>
  fixture.call('POST', url, {
    headers: { ...oauth(to), offset: String(offset), file_size: String(total) },
    body: bytes,
  })
const finish = (id: string, extra: Record<string, unknown> = {}, to = page) =>
  post(`${to.id}/video_reels`, { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED', ...extra }, to)
const settled = (id: string, to = page) =>
  fixture.until(async () => {
    const now = await status(id, to)
    return now.video_status === 'ready' || now.video_status === 'error' ? now : undefined
  })

async function reelOf(
  bytes: Uint8Array,
  extra: Record<string, unknown> = {},
  to = page,
): Promise<{ id: string; status: Status }> {
  const { video_id: id, upload_url: url } = await start(to)
  expect((await send(url, bytes, 0, bytes.byteLength, to)).body).toMatchObject({ success: true })
  expect((await finish(id, extra, to)).body).toEqual({ success: true })
  return { id, status: await settled(id, to) }
}

test("rupload rejects missing headers, another person's token, a wrong offset and an unknown video", async () => {
  const { upload_url: url, video_id: id } = await start()
  expect(url).toBe(`${fixture.sandbox.url}/rupload.facebook.com/video-upload/v26.0/${id}`)
  const bare = await fixture.call('POST', url, { headers: oauth(), body: videoFixture('portrait-5s.mp4') })
  expect(bare.body['debug_info']).toMatchObject({ type: 'ParameterValidationError', retriable: false })
  expect((await send(url, videoFixture('portrait-5s.mp4'), 10)).body['debug_info']).toMatchObject({
    type: 'OffsetInvalidError',
    retriable: true,
  })
  expect((await send(url, videoFixture('portrait-5s.mp4'), 0, undefined, other)).body.error).toMatchObject({
    error_subcode: 33,
  })
  expect((await send(url.replace(id, '42'), videoFixture('portrait-5s.mp4'))).body.error).toMatchObject({ code: 100 })
  expect(
    (await fixture.call('POST', url, { headers: { offset: '0', file_size: '5' }, body: Buffer.from('12345') })).body
      .error,
  ).toMatchObject({ code: 104 })
})

test('a finish is refused before the bytes have arrived, for another page, and with an unknown state', async () => {
  const { video_id: id, upload_url: url } = await start()
  expect((await finish(id)).body.error).toMatchObject({ code: 6000, error_subcode: 1363045 })
  await send(url, videoFixture('portrait-5s.mp4'))
  expect((await finish(id, {}, other)).body.error).toMatchObject({ error_subcode: 33 })
  expect((await finish(id, { video_state: 'LIVE' })).body.error).toMatchObject({ code: 100 })
  expect((await finish(id, { video_state: 'SCHEDULED' })).body.error).toMatchObject({ code: 100 })
  expect((await post(`${page.id}/video_reels`, { upload_phase: 'begin' })).body.error).toMatchObject({ code: 100 })
})

test.each([
  ['too short', () => remuxedVideo('portrait-5s.mp4', { seconds: 2 }), 'at least 3 seconds'],
  ['too long', () => remuxedVideo('portrait-5s.mp4', { seconds: 91 }), 'at most 90 seconds'],
  ['not upright', () => Promise.resolve(videoFixture('landscape-5s.mp4')), '9:16'],
  ['too slow', () => remuxedVideo('portrait-5s.mp4', { fps: 23 }), 'frame rate'],
  ['no video', () => picture(540, 960), 'format'],
])('a reel that is %s ends in an error and is not public', async (_, make, why) => {
  const { id, status: end } = await reelOf(await make(), { description: `refused ${why}` })
  expect(end.video_status).toBe('error')
  expect(end.processing_phase).toMatchObject({ status: 'error', error: { message: expect.stringContaining(why) } })
  expect((await fixture.posts('facebook', page.id)).some((one) => one.id === id)).toBe(false)
  expect((await finish(id)).body.error).toMatchObject({ code: 6000 })
})

test('a reel goes through its phases; a second finish does not publish it twice', async () => {
  await fixture.limits({ processingMs: 60_000 })
  const bytes = videoFixture('portrait-5s.mp4')
  const { video_id: id, upload_url: url } = await start()
  expect(await status(id)).toMatchObject({
    video_status: 'uploading',
    uploading_phase: { status: 'in_progress', bytes_transfered: 0 },
    processing_phase: { status: 'not_started' },
  })
  await send(url, bytes)
  expect(await status(id)).toMatchObject({
    video_status: 'upload_complete',
    uploading_phase: { status: 'complete', bytes_transfered: bytes.byteLength },
    publishing_phase: { status: 'not_started' },
  })
  await finish(id, { description: 'Healed after two weeks', title: 'Swallow' })
  expect(await status(id)).toMatchObject({ video_status: 'processing', processing_phase: { status: 'in_progress' } })
  expect((await fixture.posts('facebook', page.id)).some((one) => one.id === id)).toBe(false)
  fixture.advance(60_000)
  expect(await settled(id)).toMatchObject({
    video_status: 'ready',
    publishing_phase: { status: 'complete', publish_status: 'published', publish_time: expect.any(String) },
  })
  expect((await finish(id)).body).toEqual({ success: true })
  await fixture.limits({ processingMs: 60 })
  const mine = (await fixture.posts('facebook', page.id)).filter((one) => one.text === 'Healed after two weeks')
  expect(mine).toHaveLength(1)
  expect(mine[0]).toMatchObject({
    id,
    title: 'Swallow',
    kind: 'reel',
    extras: {},
    comments: [],
    media: [{ sha256: createHash('sha256').update(bytes).digest('hex'), type: 'video/mp4', width: 540, height: 960 }],
  })
  const read = await fixture.call(
    'GET',
    `${graph}/${id}?fields=permalink_url,post_id,length&access_token=${page.access_token}`,
  )
  expect(read.body).toMatchObject({
    permalink_url: `/reel/${id}/`,
    post_id: expect.stringContaining(`${page.id}_`),
    length: 5,
  })
  const publicFeed = await fixture.call('GET', `www.facebook.com/reel/${id}`)
  expect(publicFeed.headers.get('location')).toBe(`/wall/facebook/${id}`)
})

test('an interrupted upload resumes at the bytes that arrived', async () => {
  const bytes = videoFixture('portrait-5s.mp4')
  const { video_id: id, upload_url: url } = await start()
  const first = await send(url, bytes.subarray(0, 20_000), 0, bytes.byteLength)
  expect(first.body['debug_info']).toMatchObject({ type: 'PartialRequestError', retriable: true })
  expect((await status(id)).uploading_phase.bytes_transfered).toBe(20_000)

  const cut = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes.subarray(20_000, 30_000))
      await fixture.until(async () =>
        (await status(id)).uploading_phase.bytes_transfered === 30_000 ? true : undefined,
      )
      controller.error(new Error('the line went dead'))
    },
  })
  const headers = { ...oauth(), offset: '20000', file_size: String(bytes.byteLength) }
  await expect(fixture.call('POST', url, { headers, body: cut })).rejects.toThrow(/fetch failed|line went dead/)
  const held = await fixture.until(async () => {
    const now = (await status(id)).uploading_phase.bytes_transfered
    return now > 20_000 ? now : undefined
  })
  expect(held).toBe(30_000)
  expect((await send(url, bytes.subarray(20_000), 20_000, bytes.byteLength)).body['debug_info']).toMatchObject({
    type: 'OffsetInvalidError',
  })
  expect((await send(url, bytes.subarray(held), held, bytes.byteLength)).body).toMatchObject({ success: true })
  await finish(id, { description: 'Resumed' })
  await settled(id)
  const seen = (await fixture.posts('facebook', page.id)).find((one) => one.id === id)
  expect(seen?.media[0]?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
})

test('a hosted reel is fetched, but not through a redirect and not without the size headers', async () => {
  const address = fixture.host('reel.mp4', videoFixture('portrait-5s.mp4'))
  const { video_id: id, upload_url: url } = await start()
  expect(
    (await fixture.call('POST', url, { headers: { ...oauth(), file_url: address } })).body['debug_info'],
  ).toMatchObject({ type: 'ParameterValidationError' })
  const sized = { ...oauth(), offset: '0', file_size: String(videoFixture('portrait-5s.mp4').byteLength) }
  const moved = await fixture.call('POST', url, {
    headers: { ...sized, file_url: address.replace('/reel', '/moved/reel') },
  })
  expect(moved.body['debug_info']).toMatchObject({ type: 'ProcessingFailedError' })
  expect((await fixture.call('POST', url, { headers: { ...sized, file_url: address } })).body).toMatchObject({
    success: true,
  })
  await finish(id, { description: 'Hosted' })
  expect((await settled(id)).publishing_phase.publish_status).toBe('published')
})

test('a draft is not public until a second finish publishes it', async () => {
  const { id, status: end } = await reelOf(videoFixture('portrait-5s.mp4'), {
    video_state: 'DRAFT',
    description: 'Draft first',
  })
  expect(end.publishing_phase).toEqual({ status: 'not_started', publish_status: 'draft' })
  expect((await fixture.posts('facebook', page.id)).some((one) => one.id === id)).toBe(false)
  await finish(id)
  expect(
    await fixture.until(async () => (await fixture.posts('facebook', page.id)).find((one) => one.id === id)),
  ).toMatchObject({ text: 'Draft first' })
})

test('a page may publish thirty reels a day while quotas are on', async () => {
  const { pages } = await connect(fixture, '&as=10226001845530122')
  const busy = pages[0]!
  const bytes = videoFixture('portrait-5s.mp4')
  await fixture.limits({ quotas: false, processingMs: 0 })
  for (let n = 0; n < 30; n++) await reelOf(bytes, { description: `Reel ${n}` }, busy)
  await fixture.limits({ quotas: true, processingMs: 60 })
  const { video_id: id, upload_url: url } = await start(busy)
  await send(url, bytes, 0, bytes.byteLength, busy)
  const refused = await finish(id, {}, busy)
  expect(refused.body.error).toMatchObject({ code: 613 })
  const usage = JSON.parse(refused.headers.get('x-business-use-case-usage') ?? '{}') as Record<
    string,
    { estimated_time_to_regain_access: number }[]
  >
  expect(usage[busy.id]?.[0]?.estimated_time_to_regain_access).toBeGreaterThan(0)
  await fixture.limits({ quotas: false })
  expect((await finish(id, {}, busy)).body).toEqual({ success: true })
  await fixture.limits({ quotas: true })
})

test('a handle upload refuses a wrong app, type, length and offset', async () => {
  const open = (query: string) => fixture.call('POST', `${graph}/${query}`, { headers: oauth() })
  expect((await open('1/uploads?file_name=a.mp4&file_length=5&file_type=video/mp4')).body.error).toMatchObject({
    error_subcode: 33,
  })
  expect(
    (await open(`${app.id}/uploads?file_name=a.mov&file_length=5&file_type=video/quicktime`)).body.error,
  ).toMatchObject({ code: 100 })
  expect((await open(`${app.id}/uploads?file_name=a.mp4&file_length=0&file_type=video/mp4`)).body.error).toMatchObject({
    code: 100,
  })
  const bytes = videoFixture('landscape-5s.mp4')
  const id = String(
    (await open(`${app.id}/uploads?file_name=a.mp4&file_length=${bytes.byteLength + 1}&file_type=video/mp4`)).body[
      'id'
    ],
  )
  expect(id).toMatch(/^upload:/)
  const put = (body: Uint8Array, offset: string) =>
    fixture.call('POST', `${graph}/${id}`, { headers: { ...oauth(), file_offset: offset }, body })
  expect((await put(bytes, '7')).body['debug_info']).toMatchObject({ type: 'OffsetInvalidError' })
  expect((await put(bytes, '0')).body.error).toMatchObject({ code: 6000, error_subcode: 1363045 })
  expect((await post(`${page.id}/videos`, { fbuploader_video_file_chunk: 'nonsense' })).body.error).toMatchObject({
    code: 6000,
  })
  expect((await post(`${page.id}/videos`, { title: 'nothing' })).body.error).toMatchObject({ code: 100 })
})

async function handleOf(bytes: Uint8Array, type = 'video/mp4'): Promise<{ id: string; handle: string }> {
  const opened = await fixture.call(
    'POST',
    `${graph}/${app.id}/uploads?file_name=a&file_length=${bytes.byteLength}&file_type=${type}`,
    { headers: oauth() },
  )
  const id = String(opened.body['id'])
  expect((await fixture.call('GET', `${graph}/${id}`, { headers: oauth() })).body).toEqual({ id, file_offset: 0 })
  const sent = await fixture.call('POST', `${graph}/${id}`, { headers: { ...oauth(), file_offset: '0' }, body: bytes })
  return { id, handle: String(sent.body['h']) }
}
const graphVideo = (json: unknown) =>
  fixture.call('POST', `graph-video.facebook.com/v26.0/${page.id}/videos`, { headers: oauth(), json })

test('a feed video by handle is public after processing and found in the list of videos', async () => {
  const bytes = videoFixture('landscape-5s.mp4')
  const { id: upload, handle } = await handleOf(bytes)
  expect((await fixture.call('GET', `${graph}/${upload}`, { headers: oauth() })).body['file_offset']).toBe(
    bytes.byteLength,
  )
  expect((await fixture.posts('facebook', page.id)).some((one) => one.text === 'Wide film')).toBe(false)
  const made = await graphVideo({ title: 'Film', description: 'Wide film', fbuploader_video_file_chunk: handle })
  const id = String(made.body['id'])
  const since = Math.floor(Date.now() / 1000) - 60
  const listed = await fixture.call(
    'GET',
    `${graph}/${page.id}/videos?fields=id,title,description,created_time,length,permalink_url&since=${since}`,
    { headers: oauth() },
  )
  expect((listed.body['data'] as Json[]).find((one) => one['id'] === id)).toMatchObject({
    title: 'Film',
    description: 'Wide film',
    length: 5,
    permalink_url: `/${page.id}/videos/${id}/`,
  })
  expect(await settled(id)).toMatchObject({ publishing_phase: { status: 'complete', publish_status: 'published' } })
  const seen = (await fixture.posts('facebook', page.id)).find((one) => one.id === id)
  expect(seen).toMatchObject({
    title: 'Film',
    text: 'Wide film',
    media: [{ sha256: createHash('sha256').update(bytes).digest('hex'), width: 960, height: 540 }],
  })
})

test('fetches a video by its address, refuses with 389 when it does not exist, and always together with upload_phase', async () => {
  const gone = await graphVideo({ file_url: `${fixture.host('y', Buffer.from('y'))}-gone.mp4` })
  expect(gone.body.error).toMatchObject({ code: 389 })
  const address = fixture.host('wide.mov', videoFixture('landscape-5s.mov'))
  expect((await graphVideo({ file_url: address, upload_phase: 'start' })).body.error).toMatchObject({ code: 100 })
  const { id } = (await graphVideo({ file_url: address, description: 'Pulled' })).body
  expect((await settled(String(id))).publishing_phase.publish_status).toBe('published')
})

test('an upright video sent to /videos becomes a draft and is not public', async () => {
  const { handle } = await handleOf(videoFixture('portrait-5s.mp4'))
  const { id } = (await graphVideo({ description: 'Upright', fbuploader_video_file_chunk: handle })).body
  const end = await settled(String(id))
  expect(end.publishing_phase).toEqual({ status: 'not_started', publish_status: 'draft' })
  const read = await fixture.call('GET', `${graph}/${String(id)}?fields=published,post_id`, { headers: oauth() })
  expect(read.body).toEqual({ id, published: false })
  expect((await fixture.posts('facebook', page.id)).some((one) => one.text === 'Upright')).toBe(false)
})

test('the older three-phase upload publishes a video once, also when it is finished three times at once', async () => {
  const bytes = videoFixture('landscape-5s.mp4')
  const phase = (form: Record<string, string | Blob>) => {
    const data = new FormData()
    for (const [key, value] of Object.entries({ access_token: page.access_token, ...form })) data.set(key, value)
    return fixture.call('POST', `graph-video.facebook.com/v26.0/${page.id}/videos`, { form: data })
  }
  const { body } = await phase({ upload_phase: 'start', file_size: String(bytes.byteLength) })
  expect(body).toMatchObject({ start_offset: '0', end_offset: String(bytes.byteLength) })
  const session = String(body['upload_session_id'])
  expect((await phase({ upload_phase: 'finish', upload_session_id: session })).body.error).toMatchObject({ code: 6000 })
  const chunk = new Blob([bytes])
  expect(
    (await phase({ upload_phase: 'transfer', upload_session_id: session, start_offset: '9', video_file_chunk: chunk }))
      .body.error,
  ).toMatchObject({ code: 6001, error_subcode: 1363037 })
  expect(
    (await phase({ upload_phase: 'transfer', upload_session_id: session, start_offset: '0', video_file_chunk: chunk }))
      .body,
  ).toMatchObject({ start_offset: String(bytes.byteLength) })
  const finish = () => phase({ upload_phase: 'finish', upload_session_id: session, description: 'Old way' })
  const answers = await Promise.all([finish(), finish(), finish()])
  expect(answers.map(({ body: answer }) => answer)).toEqual(answers.map(() => ({ success: true })))
  expect((await settled(String(body['video_id']))).publishing_phase.publish_status).toBe('published')
  expect((await fixture.posts('facebook', page.id)).filter((one) => one.text === 'Old way')).toHaveLength(1)
})

test('fault processing-fails ends a published reel in an error, with the scripted reason', async () => {
  await fixture.fault({
    service: 'facebook',
    kind: 'processing-fails',
    method: 'POST',
    path: 'video_reels',
    skip: 1,
    body: 'Too much ink.',
  })
  const { status: end } = await reelOf(videoFixture('portrait-5s.mp4'), { description: 'Fails' })
  expect(end).toMatchObject({ video_status: 'error', processing_phase: { error: { message: 'Too much ink.' } } })
  expect((await fixture.posts('facebook', page.id)).some((one) => one.text === 'Fails')).toBe(false)
})

test('fault lose-session: a reel and a handle upload are deleted and must restart', async () => {
  const { video_id: id, upload_url: url } = await start()
  const bytes = videoFixture('portrait-5s.mp4')
  await send(url, bytes.subarray(0, 1000), 0, bytes.byteLength)
  await fixture.fault({ service: 'facebook', kind: 'lose-session', method: 'POST', path: `video-upload/v26.0/${id}` })
  expect((await send(url, bytes.subarray(1000), 1000, bytes.byteLength)).body['debug_info']).toMatchObject({
    retriable: false,
  })
  expect((await status(id)).video_status).toBe('expired')
  expect((await finish(id)).body.error).toMatchObject({ code: 6000, error_subcode: 1363045 })

  await fixture.fault({ service: 'facebook', kind: 'lose-session', method: 'GET', path: '/upload:' })
  const opened = await fixture.call(
    'POST',
    `${graph}/${app.id}/uploads?file_name=a&file_length=9&file_type=video/mp4`,
    {
      headers: oauth(),
    },
  )
  const upload = String(opened.body['id'])
  for (const method of ['GET', 'POST']) {
    const lost = await fixture.call(method, `${graph}/${upload}`, { headers: { ...oauth(), file_offset: '0' } })
    expect(lost.body.error).toMatchObject({ code: 100, error_subcode: 33 })
  }
})

test('a reel in processing becomes public without being polled, also after a restart of the sandbox', async () => {
  const own = await startNetworkFixture(700)
  try {
    const target = (await connect(own)).pages[0]!
    const headers = { authorization: `Bearer ${target.access_token}` }
    const started = await own.call('POST', `${graph}/${target.id}/video_reels`, {
      headers,
      json: { upload_phase: 'start' },
    })
    const bytes = videoFixture('portrait-5s.mp4')
    await own.call('POST', String(started.body['upload_url']), {
      headers: { authorization: `OAuth ${target.access_token}`, offset: '0', file_size: String(bytes.byteLength) },
      body: bytes,
    })
    await own.call('POST', `${graph}/${target.id}/video_reels`, {
      headers,
      json: { upload_phase: 'finish', video_id: started.body['video_id'], video_state: 'PUBLISHED' },
    })
    expect(await own.posts('facebook')).toEqual([])
    await own.sandbox.stop()
    own.sandbox = await startSandbox({ port: 0, dataDir: own.dataDir, processingMs: 700 })
    const seen = await own.until(async () => {
      const posts = (await (await fetch(`${own.sandbox.url}/_control/posts?platform=facebook`)).json()) as {
        id: string
      }[]
      return posts.length > 0 ? posts : undefined
    })
    expect(seen.map((one) => one.id)).toEqual([started.body['video_id']])
  } finally {
    await own.stop()
  }
})
