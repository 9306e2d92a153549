import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { videoFixture } from '../../fixtures/videos.ts'
import { padded, sendAndDisconnect } from '../../fixtures/raw-sends.ts'
import { belowSandbox, type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
import {
  bearerHeader,
  get,
  koi,
  login,
  probe,
  reasonOf,
  scope,
  send,
  session,
  start,
  upload,
} from './login-for-tests.ts'

const unit = 256 * 1024
const mp4 = padded(videoFixture('portrait-5s.mp4'), 3 * unit + 1234)
const sha256 = createHash('sha256').update(mp4).digest('hex')

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

const chunk = (url: string, from: number, to: number) =>
  send(fixture, url, mp4.subarray(from, to), `bytes ${from}-${to - 1}/${mp4.byteLength}`)
const snippet = (more: Record<string, unknown>) => ({ ...koi, snippet: { ...koi.snippet, ...more } })
const status = (more: Record<string, unknown>) => ({ ...koi, status: { ...koi.status, ...more } })

test.each([
  [snippet({ title: '' }), 'invalidTitle'],
  [snippet({ title: undefined }), 'invalidTitle'],
  [snippet({ title: 'x'.repeat(101) }), 'invalidTitle'],
  [snippet({ title: 'a <b> c' }), 'invalidTitle'],
  [snippet({ description: 'é'.repeat(2501) }), 'invalidDescription'],
  [snippet({ description: 'open > closed' }), 'invalidDescription'],
  [snippet({ tags: ['x'.repeat(501)] }), 'invalidTags'],
  [snippet({ tags: Array.from({ length: 50 }, () => 'half sle') }), 'invalidTags'],
  [snippet({ tags: 'koi' }), 'invalidTags'],
  [snippet({ categoryId: '999' }), 'invalidCategoryId'],
  [status({ privacyStatus: 'friends' }), 'invalidVideoMetadata'],
  [status({ publishAt: '2030-01-01T00:00:00Z' }), 'invalidPublishAt'],
  [[], 'invalidVideoMetadata'],
])('rejects metadata %j', async (body, reason) => {
  const answer = await start(fixture, access, { body })
  expect([answer.status, reasonOf(answer)]).toEqual([400, reason])
})

test.each([
  ['uploadType=resumable', {}, 'missingRequiredParameter'],
  ['uploadType=resumable&part=snippet,colour', {}, 'unknownPart'],
  ['uploadType=resumable&part=snippet', {}, 'unexpectedPart'],
  ['uploadType=media&part=snippet,status', {}, 'badRequest'],
  ['uploadType=resumable&part=snippet,status', { 'x-upload-content-type': 'image/png' }, 'badContent'],
  ['uploadType=resumable&part=snippet,status', { 'x-upload-content-length': 'many' }, 'badRequest'],
])('rejects the start ?%s %o', async (query, headers, reason) => {
  const answer = await start(fixture, access, { query, headers })
  expect([answer.status, reasonOf(answer)]).toEqual([400, reason])
})

test('starting needs a valid token that may upload', async () => {
  expect([(await start(fixture, 'ya29.made-up')).status, reasonOf(await start(fixture, 'ya29.made-up'))]).toEqual([
    401,
    'authError',
  ])
  const reader = await login(fixture, { scope: scope('youtube.readonly') })
  expect(reasonOf(await start(fixture, reader.access_token))).toBe('insufficientPermissions')
})

test('accepts values exactly at the limits', async () => {
  const body = snippet({ title: 'x'.repeat(100), description: 'é'.repeat(2500) })
  expect((await start(fixture, access, { body })).status).toBe(200)
})

test('chunks are multiples of 256 KiB but the last, are contiguous, and are answered with the stored range', async () => {
  const url = await session(fixture, access, mp4.byteLength)
  expect((await chunk(url, 0, 1000)).status).toBe(400)
  expect((await chunk(url, 0, unit + 1)).status).toBe(400)
  expect((await send(fixture, url, mp4.subarray(0, unit), `bytes 0-${unit - 1}/${mp4.byteLength + 1}`)).status).toBe(
    400,
  )
  expect((await send(fixture, url, mp4.subarray(0, unit), 'bytes 0-99')).status).toBe(400)
  expect((await send(fixture, url, mp4.subarray(0, unit), `bytes 0-99/${mp4.byteLength}`)).status).toBe(400)
  const nothing = await probe(fixture, url, mp4.byteLength)
  expect([nothing.status, nothing.headers.get('range')]).toEqual([308, null])
  const first = await chunk(url, 0, unit)
  expect([first.status, first.headers.get('range')]).toEqual([308, `bytes=0-${unit - 1}`])
  expect((await chunk(url, 2 * unit, 3 * unit)).status).toBe(503)
  // Bytes that are stored already are skipped.
  const overlapping = await chunk(url, 0, 2 * unit)
  expect([overlapping.status, overlapping.headers.get('range')]).toEqual([308, `bytes=0-${2 * unit - 1}`])
  expect(await fixture.posts('youtube')).toEqual([])
  const last = await chunk(url, 2 * unit, mp4.byteLength)
  expect(last.status).toBe(201)
  expect(last.body).toMatchObject({
    kind: 'youtube#video',
    snippet: { title: 'Koi half sleeve' },
    status: { privacyStatus: 'public' },
  })
  const after = await probe(fixture, url, mp4.byteLength)
  expect([after.status, after.body['id']]).toEqual([200, last.body['id']])
  const [seen, ...more] = await fixture.posts('youtube', 'UCtw4Q8mInkTidewaterX2bR')
  expect(more).toEqual([])
  expect(seen).toMatchObject({ id: last.body['id'], title: 'Koi half sleeve', text: 'Three sessions' })
  expect(seen?.media).toEqual([
    { sha256, bytes: mp4.byteLength, type: 'video/mp4', width: 540, height: 960, durationMs: 5000 },
  ])
  expect((await fixture.call('GET', belowSandbox(seen?.permalink))).headers.get('location')).toBe(
    `/wall/youtube/${seen?.id}`,
  )
})

test('the size may come with the last chunk, and a body without a length is refused', async () => {
  const answer = await fixture.call(
    'POST',
    'www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status',
    { headers: bearerHeader(access), json: koi },
  )
  const url = answer.headers.get('location') ?? ''
  const stream = await fixture.call('PUT', url, { body: ReadableStream.from([mp4]) })
  expect(stream.status).toBe(411)
  expect((await send(fixture, url, mp4.subarray(0, unit), `bytes 0-${unit - 1}/*`)).status).toBe(308)
  expect((await probe(fixture, url, '*')).headers.get('range')).toBe(`bytes=0-${unit - 1}`)
  expect((await chunk(url, unit, mp4.byteLength)).status).toBe(201)
})

test('a connection that breaks leaves whole units, from which the upload resumes', async () => {
  const url = await session(fixture, access, mp4.byteLength)
  const headers = {
    'content-length': String(mp4.byteLength),
    'content-range': `bytes 0-${mp4.byteLength - 1}/${mp4.byteLength}`,
  }
  await sendAndDisconnect(url, 'PUT', headers, mp4.subarray(0, 2 * unit + 5000))
  const probed = await probe(fixture, url, mp4.byteLength)
  // How much had arrived when the connection broke depends on the machine.
  const stored = Number(probed.headers.get('range')?.split('-')[1]) + 1
  expect([probed.status, stored % unit]).toEqual([308, 0])
  expect(stored).toBeLessThanOrEqual(2 * unit)
  expect(await fixture.posts('youtube')).toEqual([])
  expect((await chunk(url, stored, mp4.byteLength)).status).toBe(201)
  expect((await fixture.posts('youtube'))[0]?.media[0]?.sha256).toBe(sha256)
})

test('the last byte takes effect even when its answer is lost: the status request returns the id', async () => {
  const url = await session(fixture, access, mp4.byteLength)
  await fixture.fault({ service: 'youtube', method: 'PUT', kind: 'drop-after-commit' })
  await expect(send(fixture, url, mp4)).rejects.toThrow('fetch failed')
  const probed = await probe(fixture, url, mp4.byteLength)
  expect(probed.status).toBe(200)
  const extras = { tags: ['koi', 'half sleeve'], categoryId: '22' }
  expect(await fixture.posts('youtube')).toMatchObject([{ id: probed.body['id'], kind: 'post', extras, comments: [] }])
})

test('lose-session: 404 or 410 from then on; after the last byte the video exists nevertheless', async () => {
  const lost = await session(fixture, access, mp4.byteLength)
  await fixture.fault({ service: 'youtube', method: 'PUT', kind: 'lose-session' })
  expect((await chunk(lost, 0, unit)).status).toBe(404)
  expect((await probe(fixture, lost, mp4.byteLength)).status).toBe(404)
  expect((await probe(fixture, lost.replace(/upload_id=[^&]*/, 'upload_id=none'), mp4.byteLength)).status).toBe(404)
  const done = await session(fixture, access, mp4.byteLength)
  expect((await send(fixture, done, mp4)).status).toBe(201)
  await fixture.fault({ service: 'youtube', method: 'PUT', kind: 'lose-session', body: { status: 410 } })
  expect((await probe(fixture, done, mp4.byteLength)).status).toBe(410)
  expect(await fixture.posts('youtube')).toHaveLength(1)
  const uploads = await get(
    fixture,
    'playlistItems?part=snippet,contentDetails&playlistId=UUtw4Q8mInkTidewaterX2bR&maxResults=10',
    access,
  )
  expect(uploads.body['items']).toMatchObject([{ snippet: { title: 'Koi half sleeve' } }])
})

test('an expired token does not end the session, unless it is sent along', async () => {
  const url = await session(fixture, access, mp4.byteLength)
  await fixture.fault({ service: 'youtube', method: 'GET', kind: 'expire-token' })
  expect(reasonOf(await get(fixture, 'channels?part=snippet&mine=true', access))).toBe('authError')
  const headers = { ...bearerHeader(access), 'content-range': `bytes 0-${mp4.byteLength - 1}/${mp4.byteLength}` }
  expect((await fixture.call('PUT', url, { headers, body: mp4 })).status).toBe(401)
  expect((await send(fixture, url, mp4)).status).toBe(201)
})

test('a project may upload a hundred videos a day while quotas are on', async () => {
  for (let n = 0; n < 100; n += 1) await session(fixture, access, 1000)
  const other = (await login(fixture, { as: 'UCbk7J3vFlashBlackthorn5' })).access_token
  const answer = await start(fixture, other)
  expect([answer.status, reasonOf(answer)]).toEqual([403, 'quotaExceeded'])
  const elsewhere = (await login(fixture, { client_id: '900-other.apps.googleusercontent.com' })).access_token
  expect((await start(fixture, elsewhere)).status).toBe(200)
  await fixture.limits({ quotas: false })
  expect((await start(fixture, other)).status).toBe(200)
})

test('an upload without a privacy status is public, whether the app was audited or not', async () => {
  const unaudited = (await login(fixture, { client_id: '900-unaudited.apps.googleusercontent.com' })).access_token
  const id = await upload(fixture, unaudited, mp4, { ...koi, status: { selfDeclaredMadeForKids: false } })
  const read = await get(fixture, `videos?part=status&id=${id}`, unaudited)
  expect(read.body['items']).toMatchObject([{ status: { privacyStatus: 'public' } }])
})
