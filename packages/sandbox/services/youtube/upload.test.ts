import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { videoFixture } from '../../fixtures/videos.ts'
import { padded, sendAndVanish } from '../../fixtures/raw-sends.ts'
import { belowSandbox, type MetaWorld, startMetaWorld } from '../meta/test-world.ts'
import { bear, get, koi, login, probe, reasonOf, scope, send, session, start, upload } from './login-for-tests.ts'

const unit = 256 * 1024
const mp4 = padded(videoFixture('portrait-5s.mp4'), 3 * unit + 1234)
const sha256 = createHash('sha256').update(mp4).digest('hex')

let world: MetaWorld
let access = ''
beforeAll(async () => {
  world = await startMetaWorld(0)
})
beforeEach(async () => {
  await world.call('POST', '_control/reset')
  access = (await login(world)).access_token
})
afterAll(() => world.stop())

const chunk = (url: string, from: number, to: number) =>
  send(world, url, mp4.subarray(from, to), `bytes ${from}-${to - 1}/${mp4.byteLength}`)
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
])('metadata %j is refused', async (body, reason) => {
  const answer = await start(world, access, { body })
  expect([answer.status, reasonOf(answer)]).toEqual([400, reason])
})

test.each([
  ['uploadType=resumable', {}, 'missingRequiredParameter'],
  ['uploadType=resumable&part=snippet,colour', {}, 'unknownPart'],
  ['uploadType=resumable&part=snippet', {}, 'unexpectedPart'],
  ['uploadType=media&part=snippet,status', {}, 'badRequest'],
  ['uploadType=resumable&part=snippet,status', { 'x-upload-content-type': 'image/png' }, 'badContent'],
  ['uploadType=resumable&part=snippet,status', { 'x-upload-content-length': 'many' }, 'badRequest'],
])('the start ?%s %o is refused', async (query, headers, reason) => {
  const answer = await start(world, access, { query, headers })
  expect([answer.status, reasonOf(answer)]).toEqual([400, reason])
})

test('starting needs a live token that may upload', async () => {
  expect([(await start(world, 'ya29.made-up')).status, reasonOf(await start(world, 'ya29.made-up'))]).toEqual([
    401,
    'authError',
  ])
  const reader = await login(world, { scope: scope('youtube.readonly') })
  expect(reasonOf(await start(world, reader.access_token))).toBe('insufficientPermissions')
})

test('what is exactly at the limits is taken', async () => {
  const body = snippet({ title: 'x'.repeat(100), description: 'é'.repeat(2500) })
  expect((await start(world, access, { body })).status).toBe(200)
})

test('chunks are multiples of 256 KiB but the last, follow each other, and are told what arrived', async () => {
  const url = await session(world, access, mp4.byteLength)
  expect((await chunk(url, 0, 1000)).status).toBe(400)
  expect((await chunk(url, 0, unit + 1)).status).toBe(400)
  expect((await send(world, url, mp4.subarray(0, unit), `bytes 0-${unit - 1}/${mp4.byteLength + 1}`)).status).toBe(400)
  expect((await send(world, url, mp4.subarray(0, unit), 'bytes 0-99')).status).toBe(400)
  expect((await send(world, url, mp4.subarray(0, unit), `bytes 0-99/${mp4.byteLength}`)).status).toBe(400)
  const nothing = await probe(world, url, mp4.byteLength)
  expect([nothing.status, nothing.headers.get('range')]).toEqual([308, null])
  const first = await chunk(url, 0, unit)
  expect([first.status, first.headers.get('range')]).toEqual([308, `bytes=0-${unit - 1}`])
  expect((await chunk(url, 2 * unit, 3 * unit)).status).toBe(503)
  // bytes that are there already are passed over
  const overlapping = await chunk(url, 0, 2 * unit)
  expect([overlapping.status, overlapping.headers.get('range')]).toEqual([308, `bytes=0-${2 * unit - 1}`])
  expect(await world.posts('youtube')).toEqual([])
  const last = await chunk(url, 2 * unit, mp4.byteLength)
  expect(last.status).toBe(201)
  expect(last.body).toMatchObject({
    kind: 'youtube#video',
    snippet: { title: 'Koi half sleeve' },
    status: { privacyStatus: 'public' },
  })
  const after = await probe(world, url, mp4.byteLength)
  expect([after.status, after.body['id']]).toEqual([200, last.body['id']])
  const [seen, ...more] = await world.posts('youtube', 'UCtw4Q8mInkTidewaterX2bR')
  expect(more).toEqual([])
  expect(seen).toMatchObject({ id: last.body['id'], title: 'Koi half sleeve', text: 'Three sessions' })
  expect(seen?.media).toEqual([
    { sha256, bytes: mp4.byteLength, type: 'video/mp4', width: 540, height: 960, durationMs: 5000 },
  ])
  expect((await world.call('GET', belowSandbox(seen?.permalink))).headers.get('location')).toBe(
    `/wall/youtube/${seen?.id}`,
  )
})

test('the size may come with the last chunk, and a stream without a length is refused', async () => {
  const answer = await world.call(
    'POST',
    'www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status',
    { headers: bear(access), json: koi },
  )
  const url = answer.headers.get('location') ?? ''
  const stream = await world.call('PUT', url, { body: ReadableStream.from([mp4]) })
  expect(stream.status).toBe(411)
  expect((await send(world, url, mp4.subarray(0, unit), `bytes 0-${unit - 1}/*`)).status).toBe(308)
  expect((await probe(world, url, '*')).headers.get('range')).toBe(`bytes=0-${unit - 1}`)
  expect((await chunk(url, unit, mp4.byteLength)).status).toBe(201)
})

test('a sender that dies leaves whole units, and goes on from there', async () => {
  const url = await session(world, access, mp4.byteLength)
  const headers = {
    'content-length': String(mp4.byteLength),
    'content-range': `bytes 0-${mp4.byteLength - 1}/${mp4.byteLength}`,
  }
  await sendAndVanish(url, 'PUT', headers, mp4.subarray(0, 2 * unit + 5000))
  const told = await probe(world, url, mp4.byteLength)
  expect([told.status, told.headers.get('range')]).toEqual([308, `bytes=0-${2 * unit - 1}`])
  expect(await world.posts('youtube')).toEqual([])
  expect((await chunk(url, 2 * unit, mp4.byteLength)).status).toBe(201)
  expect((await world.posts('youtube'))[0]?.media[0]?.sha256).toBe(sha256)
})

test('the last byte counts even when the answer is lost: the probe brings the id', async () => {
  const url = await session(world, access, mp4.byteLength)
  await world.fault({ service: 'youtube', method: 'PUT', kind: 'drop-after-commit' })
  await expect(send(world, url, mp4)).rejects.toThrow('fetch failed')
  const told = await probe(world, url, mp4.byteLength)
  expect(told.status).toBe(200)
  expect(await world.posts('youtube')).toMatchObject([{ id: told.body['id'] }])
})

test('lose-session: 404 or 410, for good; after the last byte the video is there all the same', async () => {
  const lost = await session(world, access, mp4.byteLength)
  await world.fault({ service: 'youtube', method: 'PUT', kind: 'lose-session' })
  expect((await chunk(lost, 0, unit)).status).toBe(404)
  expect((await probe(world, lost, mp4.byteLength)).status).toBe(404)
  expect((await probe(world, lost.replace(/upload_id=[^&]*/, 'upload_id=none'), mp4.byteLength)).status).toBe(404)
  const done = await session(world, access, mp4.byteLength)
  expect((await send(world, done, mp4)).status).toBe(201)
  await world.fault({ service: 'youtube', method: 'PUT', kind: 'lose-session', body: { status: 410 } })
  expect((await probe(world, done, mp4.byteLength)).status).toBe(410)
  expect(await world.posts('youtube')).toHaveLength(1)
  const uploads = await get(
    world,
    'playlistItems?part=snippet,contentDetails&playlistId=UUtw4Q8mInkTidewaterX2bR&maxResults=10',
    access,
  )
  expect(uploads.body['items']).toMatchObject([{ snippet: { title: 'Koi half sleeve' } }])
})

test('a token that dies does not end the session, unless it is sent along', async () => {
  const url = await session(world, access, mp4.byteLength)
  await world.fault({ service: 'youtube', method: 'GET', kind: 'expire-token' })
  expect(reasonOf(await get(world, 'channels?part=snippet&mine=true', access))).toBe('authError')
  const headers = { ...bear(access), 'content-range': `bytes 0-${mp4.byteLength - 1}/${mp4.byteLength}` }
  expect((await world.call('PUT', url, { headers, body: mp4 })).status).toBe(401)
  expect((await send(world, url, mp4)).status).toBe(201)
})

test('a hundred uploads a day for one project, while quotas are on', async () => {
  for (let n = 0; n < 100; n += 1) await session(world, access, 1000)
  const other = (await login(world, { as: 'UCbk7J3vFlashBlackthorn5' })).access_token
  const answer = await start(world, other)
  expect([answer.status, reasonOf(answer)]).toEqual([403, 'quotaExceeded'])
  const elsewhere = (await login(world, { client_id: '900-other.apps.googleusercontent.com' })).access_token
  expect((await start(world, elsewhere)).status).toBe(200)
  await world.limits({ quotas: false })
  expect((await start(world, other)).status).toBe(200)
})

test('an upload that does not say who may see it is public, whether the app was audited or not', async () => {
  const unaudited = (await login(world, { client_id: '900-unaudited.apps.googleusercontent.com' })).access_token
  const id = await upload(world, unaudited, mp4, { ...koi, status: { selfDeclaredMadeForKids: false } })
  const read = await get(world, `videos?part=status&id=${id}`, unaudited)
  expect(read.body['items']).toMatchObject([{ status: { privacyStatus: 'public' } }])
})
