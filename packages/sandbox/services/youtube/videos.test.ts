import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { videoFixture } from '../../fixtures/videos.ts'
import { type MetaWorld, startMetaWorld } from '../meta/test-world.ts'
import {
  blackthorn,
  client,
  consent,
  get,
  koi,
  login,
  reasonOf,
  redirectUri,
  scope,
  token,
  upload,
} from './login-for-tests.ts'

const mp4 = videoFixture('landscape-5s.mp4')

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

const look = async (id: string, as = access) =>
  (await get(world, `videos?part=status,processingDetails&id=${id}`, as)).body['items']

test('a channel is bound by PKCE, and a refresh token comes with offline and consent alone', async () => {
  const code = (await consent(world))?.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  expect((await token(world, { ...form, code_verifier: 'another'.repeat(8) })).body).toMatchObject({
    error: 'invalid_grant',
  })
  expect(await login(world)).toMatchObject({ refresh_token: expect.any(String), expires_in: expect.any(Number) })
  expect(await login(world, { prompt: undefined })).not.toHaveProperty('refresh_token')
  expect(await login(world, { access_type: undefined })).not.toHaveProperty('refresh_token')
  expect((await consent(world, { auto: 'deny' }))?.searchParams.get('error')).toBe('access_denied')
})

test('expire-token leaves the refresh token, revoke-token does not', async () => {
  const first = await login(world)
  const refresh = () => token(world, { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' })
  await world.fault({ service: 'youtube', path: 'channels', kind: 'expire-token' })
  expect(reasonOf(await get(world, 'channels?part=snippet&mine=true', first.access_token))).toBe('authError')
  const second = await refresh()
  expect(second.status).toBe(200)
  await world.fault({ service: 'youtube', path: 'channels', kind: 'revoke-token' })
  expect((await get(world, 'channels?part=snippet&mine=true', String(second.body['access_token']))).status).toBe(401)
  expect((await refresh()).body).toMatchObject({ error: 'invalid_grant' })
})

test('revoking at Google ends it as well', async () => {
  const { access_token, refresh_token = '' } = await login(world)
  expect((await world.call('POST', 'oauth2.googleapis.com/revoke', { form: { token: refresh_token } })).status).toBe(
    200,
  )
  expect((await get(world, 'channels?part=snippet&mine=true', access_token)).status).toBe(401)
  expect((await token(world, { ...client, grant_type: 'refresh_token', refresh_token })).body).toMatchObject({
    error: 'invalid_grant',
  })
})

test('channels want a part, a filter and a scope that reads', async () => {
  const uploader = await login(world, { scope: scope('youtube.upload') })
  expect(reasonOf(await get(world, 'channels?part=snippet&mine=true', uploader.access_token))).toBe(
    'insufficientPermissions',
  )
  expect(reasonOf(await get(world, 'channels?mine=true', access))).toBe('missingRequiredParameter')
  expect(reasonOf(await get(world, 'channels?part=snippet', access))).toBe('missingRequiredParameter')
  expect(reasonOf(await get(world, 'channels?part=shoes&mine=true', access))).toBe('unknownPart')
  expect((await world.call('GET', 'www.googleapis.com/youtube/v3/channels?part=snippet&mine=true')).status).toBe(401)
})

test('the grant is bound to the one channel picked', async () => {
  const other = await login(world, { as: blackthorn })
  const answer = await get(world, 'channels?part=snippet,contentDetails,status&mine=true', other.access_token)
  expect(answer.body['items']).toMatchObject([
    {
      id: blackthorn,
      snippet: { title: 'Blackthorn Flash Sheets', customUrl: '@blackthornflash' },
      contentDetails: { relatedPlaylists: { uploads: 'UUbk7J3vFlashBlackthorn5' } },
      status: { longUploadsStatus: 'disallowed' },
    },
  ])
})

test('a video is uploaded, then processed', async () => {
  await world.limits({ processingMs: 150 })
  const id = await upload(world, access, mp4)
  expect(await look(id)).toMatchObject([
    { status: { uploadStatus: 'uploaded' }, processingDetails: { processingStatus: 'processing' } },
  ])
  // it can be seen at once, and is in the uploads playlist later
  expect(await world.posts('youtube')).toMatchObject([{ id }])
  const uploads = async () =>
    (await get(world, 'playlistItems?part=contentDetails&playlistId=UUtw4Q8mInkTidewaterX2bR', access)).body['items']
  expect(await uploads()).toEqual([])
  await world.until(async () => ((await uploads()) as unknown[])[0])
  expect(await look(id)).toMatchObject([
    { status: { uploadStatus: 'processed' }, processingDetails: { processingStatus: 'succeeded' } },
  ])
})

test('what is no video, or nothing, fails and never shows', async () => {
  const noise = await upload(world, access, Buffer.from('no video'))
  expect(await look(noise)).toMatchObject([
    {
      status: { uploadStatus: 'failed', failureReason: 'invalidFile' },
      processingDetails: { processingStatus: 'failed' },
    },
  ])
  const empty = await upload(world, access, new Uint8Array())
  expect(await look(empty)).toMatchObject([{ status: { uploadStatus: 'failed', failureReason: 'emptyFile' } }])
  expect(await world.posts('youtube')).toEqual([])
})

test('processing-fails: failed or rejected, at start, upload or look; what was seen is taken back', async () => {
  await world.fault({ service: 'youtube', method: 'POST', path: 'upload', kind: 'processing-fails' })
  expect(await look(await upload(world, access, mp4))).toMatchObject([
    { status: { uploadStatus: 'failed', failureReason: 'conversion' } },
  ])
  await world.fault({
    service: 'youtube',
    method: 'PUT',
    kind: 'processing-fails',
    body: { rejectionReason: 'copyright' },
  })
  expect(await look(await upload(world, access, mp4))).toMatchObject([
    { status: { uploadStatus: 'rejected', rejectionReason: 'copyright' } },
  ])
  expect(await world.posts('youtube')).toEqual([])
  await world.limits({ processingMs: 60_000 })
  const id = await upload(world, access, mp4)
  expect(await world.posts('youtube')).toHaveLength(1)
  await world.fault({
    service: 'youtube',
    method: 'GET',
    path: 'videos',
    kind: 'processing-fails',
    body: { failureReason: 'codec' },
  })
  expect(await look(id)).toMatchObject([{ status: { uploadStatus: 'failed', failureReason: 'codec' } }])
  expect(await world.posts('youtube')).toEqual([])
})

test("private videos and processing details are the owner's alone", async () => {
  const shown = await upload(world, access, mp4)
  const hidden = await upload(world, access, mp4, { ...koi, status: { privacyStatus: 'private' } })
  const other = (await login(world, { as: blackthorn })).access_token
  expect((await get(world, `videos?part=status&id=${shown},${hidden}`, other)).body['items']).toMatchObject([
    { id: shown },
  ])
  expect(reasonOf(await get(world, `videos?part=processingDetails&id=${shown}`, other))).toBe('forbidden')
  expect(reasonOf(await get(world, 'videos?part=status', access))).toBe('missingRequiredParameter')
  expect(await look('nothing')).toEqual([])
  const list = 'playlistItems?part=contentDetails&playlistId='
  expect((await get(world, `${list}UUtw4Q8mInkTidewaterX2bR`, other)).body['items']).toMatchObject([
    { contentDetails: { videoId: shown } },
  ])
  expect((await get(world, `${list}UUnone`, access)).status).toBe(404)
  const pages = await get(world, `${list}UUtw4Q8mInkTidewaterX2bR&maxResults=1`, access)
  expect(pages.body).toMatchObject({ nextPageToken: '1', pageInfo: { totalResults: 2 } })
  expect((await get(world, `${list}UUtw4Q8mInkTidewaterX2bR&maxResults=51`, access)).status).toBe(400)
})

test('made channels can be logged in as', async () => {
  const made = await world.call('POST', '_control/pages', { json: { platform: 'youtube', count: 2 } })
  const pages = JSON.parse(String(made.body['text'])) as { id: string; name: string }[]
  const { access_token } = await login(world, { as: pages[1]?.id })
  expect((await get(world, 'channels?part=snippet&mine=true', access_token)).body['items']).toMatchObject([
    { id: pages[1]?.id, snippet: { title: pages[1]?.name } },
  ])
})
