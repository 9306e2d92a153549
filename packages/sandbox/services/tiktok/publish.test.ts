import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { videoFixture, remuxedVideo } from '../../fixtures/videos.ts'
import { padded, sendAndDisconnect } from '../../fixtures/raw-sends.ts'
import { belowSandbox, type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
import { startPost, login, oneChunk, post, publicPost, put, status } from './login-for-tests.ts'

const marlow = '-000MarlowNeedleR3fYtz80hPqJe6s'
const mp4 = videoFixture('portrait-5s.mp4')
const whole = (bytes: Uint8Array) => `bytes 0-${bytes.byteLength - 1}/${bytes.byteLength}`

let fixture: NetworkFixture
let access = ''
beforeAll(async () => {
  fixture = await startNetworkFixture(0)
})
beforeEach(async () => {
  await fixture.call('POST', '_control/reset')
  access = (await login(fixture)).access_token
})
afterAll(() => fixture.stop())

const init = async (post_info: unknown, source_info: unknown, token = access) => {
  await post(fixture, '/post/publish/creator_info/query/', token)
  return await post(fixture, '/post/publish/video/init/', token, { post_info, source_info })
}

test.each([
  [{}, 'invalid_params'],
  [{ title: 'x'.repeat(2201) }, 'invalid_params'],
  [{ title: 7 }, 'invalid_params'],
  [{ privacy_level: undefined }, 'invalid_params'],
  [{ privacy_level: 'SELF_ONLY', brand_content_toggle: true }, 'invalid_params'],
  [{ disable_duet: 'yes' }, 'invalid_params'],
  [{ video_cover_timestamp_ms: -1 }, 'invalid_params'],
])('rejects post_info %o', async (info, code) => {
  const answer = await init(Object.keys(info).length ? { ...publicPost, ...info } : undefined, oneChunk(1000))
  expect(answer).toMatchObject({ status: 400, code })
})

test.each(['FOLLOWER_OF_CREATOR', 'EVERYBODY'])(
  'rejects the privacy level %s, which the creator does not offer',
  async (privacy_level) => {
    const answer = await init({ ...publicPost, privacy_level }, oneChunk(1000))
    expect(answer).toMatchObject({ status: 403, code: 'privacy_level_option_mismatch' })
  },
)

test('rejects an init without a creator info request since the last init', async () => {
  const bare = (token: string) =>
    post(fixture, '/post/publish/video/init/', token, { post_info: publicPost, source_info: oneChunk(1000) })
  expect(await bare(access)).toMatchObject({ status: 403, code: 'privacy_level_option_mismatch' })
  expect(await init(publicPost, oneChunk(1000))).toMatchObject({ status: 200, code: 'ok' })
  expect(await bare(access)).toMatchObject({ status: 403, code: 'privacy_level_option_mismatch' })
  // Another consent of the same creator counts as the same login.
  const again = (await login(fixture)).access_token
  await post(fixture, '/post/publish/creator_info/query/', again)
  expect(await bare(access)).toMatchObject({ status: 200, code: 'ok' })
})

const MiB = 1024 * 1024
test.each([
  [{ video_size: 0, chunk_size: 0, total_chunk_count: 1 }],
  [{ video_size: 1000, chunk_size: 500, total_chunk_count: 2 }],
  [{ video_size: 12 * MiB, chunk_size: 4 * MiB, total_chunk_count: 3 }],
  [{ video_size: 12 * MiB, chunk_size: 5 * MiB, total_chunk_count: 3 }],
  [{ video_size: 10 * MiB, chunk_size: 12 * MiB, total_chunk_count: 1 }],
  [{ video_size: 70_000_000, chunk_size: 70_000_000, total_chunk_count: 1 }],
  [{ video_size: 70_000_000, chunk_size: 64_000_000, total_chunk_count: 1 }],
  [{ video_size: 65 * MiB, chunk_size: 64 * MiB, total_chunk_count: 1 }],
  [{ video_size: 5 * MiB * 1001, chunk_size: 5 * MiB, total_chunk_count: 1001 }],
  [{ video_size: 5 * 1024 * MiB, chunk_size: 60_000_000, total_chunk_count: 89 }],
  [{ video_size: '1000', chunk_size: 1000, total_chunk_count: 1 }],
])('rejects source_info %o', async (info) => {
  expect(await init(publicPost, { source: 'FILE_UPLOAD', ...info })).toMatchObject({
    status: 400,
    code: 'invalid_params',
  })
})

test('rejects pulling from an unverified address', async () => {
  const answer = await init(publicPost, { source: 'PULL_FROM_URL', video_url: 'https://studio.example/v.mp4' })
  expect(answer).toMatchObject({ status: 403, code: 'url_ownership_unverified' })
})

test('nothing starts without the scope, the token or JSON', async () => {
  const reader = await login(fixture, { scope: 'user.info.basic' })
  expect(await init(publicPost, oneChunk(1000), reader.access_token)).toMatchObject({
    status: 401,
    code: 'scope_not_authorized',
  })
  expect(await init(publicPost, oneChunk(1000), 'act.made-up')).toMatchObject({
    status: 401,
    code: 'access_token_invalid',
  })
  const headers = { authorization: `Bearer ${access}`, 'content-type': 'text/plain' }
  const raw = await fixture.call('POST', 'open.tiktokapis.com/v2/post/publish/video/init/', { headers, body: '{}' })
  expect(raw.status).toBe(400)
})

test("300,000,000 bytes are 28 chunks, as in the guide's example", async () => {
  const source = { source: 'FILE_UPLOAD', video_size: 300_000_000, chunk_size: 10_485_760, total_chunk_count: 28 }
  const answer = await init(publicPost, source)
  expect(answer).toMatchObject({ status: 200, code: 'ok' })
  expect(String(answer.data['publish_id']).length).toBeLessThanOrEqual(64)
  expect(String(answer.data['upload_url']).length).toBeLessThanOrEqual(256)
})

test("creator info has the creator's options", async () => {
  const open = await post(fixture, '/post/publish/creator_info/query/', access)
  expect(open.data).toMatchObject({
    creator_username: 'tidewater.ink',
    privacy_level_options: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
    max_video_post_duration_sec: 600,
    duet_disabled: false,
  })
  const closed = await post(
    fixture,
    '/post/publish/creator_info/query/',
    (await login(fixture, { as: marlow })).access_token,
  )
  expect(closed.data).toMatchObject({
    privacy_level_options: ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
    duet_disabled: true,
  })
})

test('the upload address rejects what TikTok rejects', async () => {
  const { url } = await startPost(fixture, access, mp4.byteLength)
  const range = whole(mp4)
  expect((await put(fixture, url.replace(/upload_token=.*/, 'upload_token=guess'), mp4, range)).status).toBe(404)
  expect((await put(fixture, url.replace(/upload_id=\d+/, 'upload_id=1'), mp4, range)).status).toBe(404)
  expect((await put(fixture, url, mp4, range, { 'content-type': 'application/octet-stream' })).status).toBe(400)
  expect((await put(fixture, url, mp4, 'bytes=0-9')).status).toBe(400)
  expect((await put(fixture, url, mp4.subarray(0, 10), range)).status).toBe(400)
  const stream = ReadableStream.from([mp4])
  expect(
    (await fixture.call('PUT', url, { headers: { 'content-type': 'video/mp4', 'content-range': range }, body: stream }))
      .status,
  ).toBe(400)
  const short = await put(fixture, url, mp4.subarray(0, 1000), `bytes 0-999/${mp4.byteLength}`)
  expect(short.status).toBe(416)
  expect(short.headers.get('content-range')).toBe(`bytes */${mp4.byteLength}`)
  expect(await fixture.posts('tiktok')).toEqual([])
})

test('chunks come in order, each of its size; a repeated one is answered with the stored range', async () => {
  const video = padded(mp4, 11 * MiB)
  const chunk = 5 * MiB
  const source = { source: 'FILE_UPLOAD', video_size: video.byteLength, chunk_size: chunk, total_chunk_count: 2 }
  const made = await init(publicPost, source)
  const [id, url] = [String(made.data['publish_id']), String(made.data['upload_url'])]
  const send = (from: number, to: number) =>
    put(fixture, url, video.subarray(from, to), `bytes ${from}-${to - 1}/${video.byteLength}`)
  expect((await send(chunk, video.byteLength)).status).toBe(416)
  expect((await send(0, chunk + 1)).status).toBe(416)
  const first = await send(0, chunk)
  expect(first.status).toBe(206)
  expect(first.headers.get('content-range')).toBe(`bytes 0-${chunk - 1}/${video.byteLength}`)
  const repeated = await send(0, chunk)
  expect(repeated.status).toBe(416)
  expect(repeated.headers.get('content-range')).toBe(`bytes 0-${chunk - 1}/${video.byteLength}`)
  // Six megabytes: the last chunk includes the remainder, five alone are refused.
  expect((await send(chunk, 2 * chunk)).status).toBe(416)
  expect((await status(fixture, access, id)).data).toMatchObject({
    status: 'PROCESSING_UPLOAD',
    uploaded_bytes: chunk,
    downloaded_bytes: 0,
  })
  expect(await fixture.posts('tiktok')).toEqual([])
  expect((await send(chunk, video.byteLength)).status).toBe(201)
  // The address expired with the last byte.
  expect((await send(chunk, video.byteLength)).status).toBe(404)
  const [seen, ...more] = await fixture.posts('tiktok', '-000TidewaterInkq7Vd2mXb94aKcLw')
  expect(more).toEqual([])
  expect(seen).toMatchObject({ title: '', text: publicPost.title })
  const sha256 = createHash('sha256').update(video).digest('hex')
  expect(seen?.media).toEqual([
    { sha256, bytes: video.byteLength, type: 'video/mp4', width: 540, height: 960, durationMs: 5000 },
  ])
})

test('an interrupted chunk is not stored and may be sent again', async () => {
  const video = padded(mp4, 11 * MiB)
  const source = { source: 'FILE_UPLOAD', video_size: video.byteLength, chunk_size: 5 * MiB, total_chunk_count: 2 }
  const made = await init(publicPost, source)
  const [id, url] = [String(made.data['publish_id']), String(made.data['upload_url'])]
  const headers = {
    'content-type': 'video/mp4',
    'content-length': String(5 * MiB),
    'content-range': `bytes 0-${5 * MiB - 1}/${video.byteLength}`,
  }
  await sendAndDisconnect(url, 'PUT', headers, video.subarray(0, 2 * MiB))
  expect((await status(fixture, access, id)).data).toMatchObject({ uploaded_bytes: 0 })
  expect((await put(fixture, url, video.subarray(0, 5 * MiB), headers['content-range'])).status).toBe(206)
  const rest = `bytes ${5 * MiB}-${video.byteLength - 1}/${video.byteLength}`
  const restHeaders = { 'content-type': 'video/mp4', 'content-length': String(6 * MiB), 'content-range': rest }
  await sendAndDisconnect(url, 'PUT', restHeaders, video.subarray(5 * MiB, 10 * MiB))
  expect(await fixture.posts('tiktok')).toEqual([])
  expect((await put(fixture, url, video.subarray(5 * MiB), rest)).status).toBe(201)
  const [seen] = await fixture.posts('tiktok')
  expect(seen?.media[0]?.sha256).toBe(createHash('sha256').update(video).digest('hex'))
})

test('the last chunk takes effect even when its answer is lost', async () => {
  const { id, url } = await startPost(fixture, access, mp4.byteLength)
  await fixture.fault({ service: 'tiktok', method: 'PUT', kind: 'drop-after-commit' })
  await expect(put(fixture, url, mp4, whole(mp4))).rejects.toThrow('fetch failed')
  expect((await status(fixture, access, id)).data).toMatchObject({
    status: 'PUBLISH_COMPLETE',
    uploaded_bytes: mp4.byteLength,
  })
  expect(await fixture.posts('tiktok')).toHaveLength(1)
})

test('late-status: a public post is still uploading, with fewer bytes; its used-up address answers 404', async () => {
  await fixture.fault({ service: 'tiktok', method: 'PUT', kind: 'late-status', seconds: 60 })
  await fixture.fault({ service: 'tiktok', method: 'PUT', kind: 'drop-after-commit' })
  const { id, url } = await startPost(fixture, access, mp4.byteLength)
  await expect(put(fixture, url, mp4, whole(mp4))).rejects.toThrow('fetch failed')
  expect(await fixture.posts('tiktok')).toHaveLength(1)
  expect((await status(fixture, access, id)).data).toMatchObject({ status: 'PROCESSING_UPLOAD', uploaded_bytes: 0 })
  expect((await put(fixture, url, mp4, whole(mp4))).status).toBe(404)
  fixture.advance(60_000)
  expect((await status(fixture, access, id)).data).toMatchObject({
    status: 'PUBLISH_COMPLETE',
    uploaded_bytes: mp4.byteLength,
  })
  expect(await fixture.posts('tiktok')).toHaveLength(1)
})

test('late-list: a public video is listed after its delay, scripted when it is created or when lists are requested', async () => {
  const listed = async () =>
    ((await post(fixture, '/video/list/?fields=id', access, {})).data['videos'] as unknown[]).length
  await fixture.fault({ service: 'tiktok', path: 'video/init', kind: 'late-list', seconds: 60 })
  const { url } = await startPost(fixture, access, mp4.byteLength)
  await put(fixture, url, mp4, whole(mp4))
  expect(await listed()).toBe(0)
  fixture.advance(60_000)
  expect(await listed()).toBe(1)
  await fixture.fault({ service: 'tiktok', path: 'video/list', kind: 'late-list', seconds: 3600 })
  expect(await listed()).toBe(0)
  expect(await listed()).toBe(1)
})

test('a post in processing is not public; then it is complete, and its public id follows as a bare number', async () => {
  await fixture.limits({ processingMs: 1500 })
  const { id, url } = await startPost(fixture, access, mp4.byteLength, {
    ...publicPost,
    video_cover_timestamp_ms: 1000,
  })
  expect((await put(fixture, url, mp4, whole(mp4))).status).toBe(201)
  expect((await status(fixture, access, id)).data).toMatchObject({ status: 'PROCESSING_UPLOAD' })
  // It is published without being polled.
  const [seen] = await fixture.until(async () => {
    const posts = await fixture.posts('tiktok')
    return posts.length ? posts : undefined
  })
  expect(seen).toMatchObject({ kind: 'post', extras: { coverMs: 1000 }, comments: [] })
  expect((await status(fixture, access, id)).data).toMatchObject({ status: 'PUBLISH_COMPLETE' })
  fixture.advance(1500)
  const text = await fixture.until(async () => {
    const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ publish_id: id })
    const answer = await fetch(`${fixture.sandbox.url}/open.tiktokapis.com/v2/post/publish/status/fetch/`, {
      method: 'POST',
      headers,
      body,
    })
    const read = await answer.text()
    return read.includes('publicaly_available_post_id') ? read : undefined
  })
  expect(text).toContain(`"publicaly_available_post_id":[${seen?.id}]`)
  const listed = await post(fixture, '/video/list/?fields=id,title,create_time,share_url', access, { max_count: 20 })
  expect(listed.data['videos']).toMatchObject([{ id: seen?.id, title: publicPost.title, share_url: seen?.permalink }])
  const link = await fixture.call('GET', belowSandbox(seen?.permalink))
  expect(link.headers.get('location')).toBe(`/wall/tiktok/${seen?.id}`)
})

test('a post for the creator only completes without a public id and is not listed', async () => {
  const { id, url } = await startPost(fixture, access, mp4.byteLength, { ...publicPost, privacy_level: 'SELF_ONLY' })
  await put(fixture, url, mp4, whole(mp4))
  const { data } = await status(fixture, access, id)
  expect(data).toMatchObject({ status: 'PUBLISH_COMPLETE' })
  expect(data).not.toHaveProperty('publicaly_available_post_id')
  expect((await post(fixture, '/video/list/?fields=id', access, {})).data).toMatchObject({
    videos: [],
    has_more: false,
  })
  expect(await fixture.posts('tiktok')).toHaveLength(1)
})

test('an unsuitable file fails with its reason and is never public', async () => {
  const slow = await remuxedVideo('portrait-5s.mp4', { fps: 10, seconds: 3 })
  const long = await remuxedVideo('portrait-5s.mp4', { fps: 24, seconds: 181 })
  const strict = (await login(fixture, { as: marlow })).access_token
  const selfOnly = { ...publicPost, privacy_level: 'SELF_ONLY' }
  for (const [bytes, token, reason] of [
    [Buffer.from('no video at all'), access, 'file_format_check_failed'],
    [slow, access, 'frame_rate_check_failed'],
    [long, strict, 'duration_check_failed'],
  ] as const) {
    const { id, url } = await startPost(fixture, token, bytes.byteLength, selfOnly)
    expect((await put(fixture, url, bytes, whole(bytes))).status).toBe(201)
    expect((await status(fixture, token, id)).data).toMatchObject({ status: 'FAILED', fail_reason: reason })
  }
  expect(await fixture.posts('tiktok')).toEqual([])
})

test('processing-fails takes effect at whichever call it matches, with the scripted reason', async () => {
  for (const path of ['video/init', 'upload_id', 'status/fetch']) {
    await fixture.limits({ processingMs: 60_000 })
    const body = path === 'upload_id' ? { fail_reason: 'internal' } : null
    await fixture.fault({ service: 'tiktok', path, kind: 'processing-fails', body })
    const { id, url } = await startPost(fixture, access, mp4.byteLength)
    await fixture.limits({ processingMs: path === 'status/fetch' ? 60_000 : 0 })
    expect((await put(fixture, url, mp4, whole(mp4))).status).toBe(201)
    const reason = path === 'upload_id' ? 'internal' : 'file_format_check_failed'
    expect((await status(fixture, access, id)).data).toMatchObject({ status: 'FAILED', fail_reason: reason })
  }
  expect(await fixture.posts('tiktok')).toEqual([])
})

test('lose-session: the address has expired for good, and a new init works', async () => {
  const { id, url } = await startPost(fixture, access, mp4.byteLength)
  await fixture.fault({ service: 'tiktok', method: 'PUT', kind: 'lose-session' })
  expect((await put(fixture, url, mp4, whole(mp4))).status).toBe(403)
  expect((await put(fixture, url, mp4, whole(mp4))).status).toBe(403)
  expect((await status(fixture, access, id)).data).toMatchObject({ status: 'PROCESSING_UPLOAD', uploaded_bytes: 0 })
  const second = await startPost(fixture, access, mp4.byteLength)
  expect((await put(fixture, second.url, mp4, whole(mp4))).status).toBe(201)
})

test('cancelling works while bytes are missing, and never after', async () => {
  const first = await startPost(fixture, access, mp4.byteLength)
  expect(await post(fixture, '/post/publish/cancel/', access, { publish_id: first.id })).toMatchObject({
    status: 200,
    code: 'ok',
  })
  expect((await status(fixture, access, first.id)).data).toMatchObject({
    status: 'FAILED',
    fail_reason: 'publish_cancelled',
  })
  expect((await put(fixture, first.url, mp4, whole(mp4))).status).toBe(403)
  const second = await startPost(fixture, access, mp4.byteLength)
  await put(fixture, second.url, mp4, whole(mp4))
  expect(await post(fixture, '/post/publish/cancel/', access, { publish_id: second.id })).toMatchObject({ status: 400 })
})

test('a publish_id is visible to its creator only, under any of their consents', async () => {
  const { id } = await startPost(fixture, access, mp4.byteLength)
  const other = await login(fixture, { as: marlow })
  expect(await status(fixture, other.access_token, id)).toMatchObject({ status: 400, code: 'invalid_publish_id' })
  const again = await login(fixture)
  expect(await status(fixture, again.access_token, id)).toMatchObject({ status: 200, code: 'ok' })
})

test('a consent revoked before the last byte fails the upload; after it, the post is published', async () => {
  const half = await startPost(fixture, access, mp4.byteLength)
  const full = await startPost(fixture, access, mp4.byteLength)
  await fixture.limits({ processingMs: 100 })
  await put(fixture, full.url, mp4, whole(mp4))
  await fixture.fault({ service: 'tiktok', path: 'status/fetch', kind: 'revoke-token' })
  expect((await status(fixture, access, full.id)).status).toBe(401)
  const again = (await login(fixture)).access_token
  expect((await status(fixture, again, half.id)).data).toMatchObject({ status: 'FAILED', fail_reason: 'auth_removed' })
  await fixture.until(async () => ((await fixture.posts('tiktok')).length === 1 ? true : undefined))
})

test('quotas: six inits a minute for one login, fifteen posts a day for one creator', async () => {
  await fixture.limits({ quotas: false })
  for (let n = 0; n < 15; n += 1) {
    const { url } = await startPost(fixture, access, mp4.byteLength)
    await put(fixture, url, mp4, whole(mp4))
  }
  await fixture.limits({ quotas: true })
  expect(await init(publicPost, oneChunk(1000))).toMatchObject({ status: 403, code: 'spam_risk_too_many_posts' })
  expect(await post(fixture, '/post/publish/creator_info/query/', access)).toMatchObject({
    status: 200,
    code: 'spam_risk_too_many_posts',
    data: {},
  })
  const other = (await login(fixture, { as: marlow })).access_token
  const selfOnly = { ...publicPost, privacy_level: 'SELF_ONLY' }
  for (let n = 0; n < 6; n += 1) expect((await init(selfOnly, oneChunk(1000), other)).code).toBe('ok')
  const otherToken = (await login(fixture, { as: marlow })).access_token
  for (const token of [other, otherToken])
    expect(await init(selfOnly, oneChunk(1000), token)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
})

test('an unaudited app may post only to private accounts, visible to the creator only', async () => {
  const unaudited = { client_key: 'aw-unaudited' }
  const open = (await login(fixture, unaudited)).access_token
  const closed = (await login(fixture, { ...unaudited, as: marlow })).access_token
  const code = 'unaudited_client_can_only_post_to_private_accounts'
  const selfOnly = { ...publicPost, privacy_level: 'SELF_ONLY' }
  expect(await init(selfOnly, oneChunk(1000), open)).toMatchObject({ status: 403, code })
  expect(await init({ ...publicPost, privacy_level: 'FOLLOWER_OF_CREATOR' }, oneChunk(1000), closed)).toMatchObject({
    status: 403,
    code,
  })
  expect(await init(selfOnly, oneChunk(1000), closed)).toMatchObject({ status: 200, code: 'ok' })
})

test('new creators can log in', async () => {
  const made = await fixture.call('POST', '_control/pages', { json: { platform: 'tiktok', count: 3 } })
  const pages = JSON.parse(String(made.body['text'])) as { id: string; name: string }[]
  expect(pages).toHaveLength(3)
  expect((await login(fixture, { as: pages[2]?.id })).open_id).toBe(pages[2]?.id)
})
