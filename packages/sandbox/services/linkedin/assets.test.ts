import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { videoFixture, picture, remuxedVideo } from '../../fixtures/videos.ts'
import { padded, sendAndDisconnect } from '../../fixtures/raw-sends.ts'
import { type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
import {
  beginVideo,
  call,
  codeOf,
  encoded,
  finalize,
  image,
  login,
  putPart,
  foreignPage,
  studio,
  textPost,
  video,
} from './login-for-tests.ts'

const part = 4_194_304
const mp4 = padded(videoFixture('landscape-5s.mp4'), 2 * part + 100_000)

let fixture: NetworkFixture
let token = ''
beforeAll(async () => {
  fixture = await startNetworkFixture(0)
})
beforeEach(async () => {
  await fixture.call('POST', '_control/reset')
  token = (await login(fixture)).access_token
})
afterAll(() => fixture.stop())

const statusOf = async (urn: string) =>
  (await call(fixture, 'GET', `${urn.split(':')[2]}s/${encoded(urn)}`, token)).body
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('an upload starts only for a page that the member may post for, with known fields', async () => {
  const initialize = (request: unknown, kind = 'images', as = token) =>
    call(fixture, 'POST', `${kind}?action=initializeUpload`, as, { initializeUploadRequest: request })
  expect((await initialize({})).status).toBe(422)
  expect((await initialize({ owner: studio, colour: 'red' })).status).toBe(422)
  expect(codeOf(await initialize({ owner: 'urn:li:person:tR9wX2kQpL' }))).toBe('INVALID_URN_TYPE')
  expect(codeOf(await initialize({ owner: foreignPage }))).toBe('ACCESS_DENIED')
  const reader = await login(fixture, { scope: 'r_organization_social', as: 'mV4cJ7yBnZ' })
  expect(codeOf(await initialize({ owner: foreignPage }, 'images', reader.access_token))).toBe('ACCESS_DENIED')
  const request = { owner: studio, uploadCaptions: false, uploadThumbnail: false }
  expect((await initialize({ owner: studio, fileSizeBytes: 100_000 }, 'videos')).status).toBe(422)
  for (const fileSizeBytes of [74_999, 500_000_001, 1.5])
    expect((await initialize({ ...request, fileSizeBytes }, 'videos')).status).toBe(400)
  expect((await call(fixture, 'POST', 'images?action=finalizeUpload', token, {})).status).toBe(400)
})

test('an image upload needs the token, then reads waiting, processing and available', async () => {
  await fixture.limits({ processingMs: 60_000 })
  const bytes = await picture(800, 600, 3)
  const made = await call(fixture, 'POST', 'images?action=initializeUpload', token, {
    initializeUploadRequest: { owner: studio },
  })
  const { uploadUrl, image: urn } = made.body['value'] as { uploadUrl: string; image: string }
  expect((await statusOf(urn))['status']).toBe('WAITING_UPLOAD')
  expect((await fixture.call('PUT', uploadUrl, { body: bytes })).status).toBe(401)
  expect((await fixture.call('PUT', uploadUrl.replace(/sign=.*/, 'sign=guess'), { body: bytes })).status).toBe(403)
  const headers = { authorization: `Bearer ${token}` }
  await sendAndDisconnect(
    uploadUrl,
    'PUT',
    { ...headers, 'content-length': String(bytes.byteLength) },
    bytes.subarray(0, 100),
  )
  expect((await statusOf(urn))['status']).toBe('WAITING_UPLOAD')
  expect((await fixture.call('PUT', uploadUrl, { headers, body: bytes })).status).toBe(201)
  expect((await statusOf(urn))['status']).toBe('PROCESSING')
  fixture.advance(60_000)
  expect((await statusOf(urn))['status']).toBe('AVAILABLE')
  expect((await call(fixture, 'GET', `images/${urn}`, token)).status).toBe(400)
  expect((await call(fixture, 'GET', `images/${encoded('urn:li:image:none')}`, token)).status).toBe(404)
})

test('a file that is no picture fails in processing', async () => {
  const urn = await image(fixture, token, Buffer.from('no picture'))
  expect((await statusOf(urn))['status']).toBe('PROCESSING_FAILED')
})

test('a part accepts its own bytes, with their length, and neither token nor version', async () => {
  const { uploadInstructions } = await beginVideo(fixture, token, mp4.byteLength)
  expect(uploadInstructions.map(({ firstByte, lastByte }) => [firstByte, lastByte])).toEqual([
    [0, part - 1],
    [part, 2 * part - 1],
    [2 * part, mp4.byteLength - 1],
  ])
  const url = uploadInstructions[2]?.uploadUrl ?? ''
  const bytes = mp4.subarray(2 * part)
  expect((await putPart(fixture, url, bytes, { authorization: `Bearer ${token}` })).status).toBe(400)
  expect((await putPart(fixture, url, bytes, { 'linkedin-version': '202609' })).status).toBe(400)
  expect((await putPart(fixture, url, bytes, { 'content-type': 'video/mp4' })).status).toBe(415)
  expect((await putPart(fixture, url, ReadableStream.from([bytes]))).status).toBe(411)
  expect((await putPart(fixture, url, bytes.subarray(1))).status).toBe(400)
  expect((await putPart(fixture, uploadInstructions[0]?.uploadUrl ?? '', bytes)).status).toBe(400)
  const good = await putPart(fixture, url, bytes)
  expect(good.status).toBe(200)
  expect(good.headers.get('etag')).toMatch(/^".+"$/)
})

test('finalizing needs every ETag, unquoted and in order, and the upload token; once', async () => {
  const { video: urn, uploadToken, uploadInstructions } = await beginVideo(fixture, token, mp4.byteLength)
  const tags: string[] = []
  // The parts may come in any order.
  for (const index of [2, 0, 1]) {
    const { uploadUrl = '', firstByte = 0, lastByte = 0 } = uploadInstructions[index] ?? {}
    tags[index] = (await putPart(fixture, uploadUrl, mp4.subarray(firstByte, lastByte + 1))).headers.get('etag') ?? ''
  }
  const bare = tags.map((tag) => tag.replaceAll('"', ''))
  expect((await finalize(fixture, token, urn, uploadToken, tags)).status).toBe(400)
  expect((await finalize(fixture, token, urn, uploadToken, bare.slice(0, 2))).status).toBe(400)
  expect((await finalize(fixture, token, urn, uploadToken, bare.toReversed())).status).toBe(400)
  expect((await finalize(fixture, token, urn, '', bare)).status).toBe(400)
  expect((await finalize(fixture, token, urn, uploadToken, 'all')).status).toBe(422)
  expect((await statusOf(urn))['status']).toBe('WAITING_UPLOAD')
  expect((await finalize(fixture, token, urn, uploadToken, bare)).status).toBe(200)
  expect(await statusOf(urn)).toMatchObject({ status: 'AVAILABLE', duration: 5000, owner: studio })
  expect((await finalize(fixture, token, urn, uploadToken, bare)).status).toBe(400)
})

test('a part whose sender disconnected is not stored; sent again, it completes the video', async () => {
  const { video: urn, uploadToken, uploadInstructions } = await beginVideo(fixture, token, mp4.byteLength)
  const [first] = uploadInstructions
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(part) }
  await sendAndDisconnect(first?.uploadUrl ?? '', 'PUT', headers, mp4.subarray(0, part / 2))
  const tags: string[] = []
  for (const [index, { uploadUrl, firstByte, lastByte }] of uploadInstructions.entries()) {
    if (index === 0) continue
    tags[index] = (
      (await putPart(fixture, uploadUrl, mp4.subarray(firstByte, lastByte + 1))).headers.get('etag') ?? ''
    ).replaceAll('"', '')
  }
  expect((await finalize(fixture, token, urn, uploadToken, ['', tags[1], tags[2]])).status).toBe(400)
  tags[0] = (
    (await putPart(fixture, first?.uploadUrl ?? '', mp4.subarray(0, part))).headers.get('etag') ?? ''
  ).replaceAll('"', '')
  expect((await finalize(fixture, token, urn, uploadToken, tags)).status).toBe(200)
  const made = await call(
    fixture,
    'POST',
    'posts',
    token,
    textPost('Healed', { content: { media: { id: urn, title: 'Koi' } } }),
  )
  expect(made.status).toBe(201)
  const [seen] = await fixture.posts('linkedin')
  expect(seen?.media).toEqual([
    { sha256: sha(mp4), bytes: mp4.byteLength, type: 'video/mp4', width: 960, height: 540, durationMs: 5000 },
  ])
})

test('a MOV, a video that is too short and a file that is no video fail in processing, with a reason', async () => {
  const mov = await video(fixture, token, Buffer.concat([videoFixture('landscape-5s.mov'), Buffer.alloc(20_000)]))
  const short = await video(fixture, token, padded(await remuxedVideo('landscape-5s.mp4', { seconds: 2 }), 400_000))
  const noise = await video(fixture, token, Buffer.alloc(100_000, 7))
  for (const urn of [mov, short, noise]) {
    expect(await statusOf(urn)).toMatchObject({
      status: 'PROCESSING_FAILED',
      processingFailureReason: expect.any(String),
    })
  }
})

test('processing-fails takes effect at initializing, at a part, at finalizing and at a status request', async () => {
  for (const path of ['initializeUpload', 'dms-uploads', 'finalizeUpload']) {
    await fixture.fault({
      service: 'linkedin',
      path,
      kind: 'processing-fails',
      body: { processingFailureReason: `broken at ${path}` },
    })
    expect(await statusOf(await video(fixture, token, mp4))).toMatchObject({
      status: 'PROCESSING_FAILED',
      processingFailureReason: `broken at ${path}`,
    })
  }
  await fixture.limits({ processingMs: 60_000 })
  const urn = await video(fixture, token, mp4)
  await fixture.fault({ service: 'linkedin', method: 'GET', path: 'videos', kind: 'processing-fails' })
  expect((await statusOf(urn))['status']).toBe('PROCESSING_FAILED')
})

test('lose-session: the addresses have expired, a new upload works', async () => {
  const lost = await beginVideo(fixture, token, mp4.byteLength)
  await fixture.fault({ service: 'linkedin', method: 'PUT', kind: 'lose-session' })
  for (const { uploadUrl, firstByte, lastByte } of lost.uploadInstructions.slice(0, 2)) {
    expect(codeOf(await putPart(fixture, uploadUrl, mp4.subarray(firstByte, lastByte + 1)))).toBe('EXPIRED_UPLOAD_URL')
  }
  expect(await statusOf(await video(fixture, token, mp4))).toMatchObject({ status: 'AVAILABLE' })
})
