import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { videoFixture } from '../../fixtures/videos.ts'
import { type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
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

const listVideo = async (id: string, as = access) =>
  (await get(fixture, `videos?part=status,processingDetails&id=${id}`, as)).body['items']

test('a channel grant uses PKCE, and a refresh token comes only with offline access and prompt=consent', async () => {
  const code = (await consent(fixture))?.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  expect((await token(fixture, { ...form, code_verifier: 'another'.repeat(8) })).body).toMatchObject({
    error: 'invalid_grant',
  })
  expect(await login(fixture)).toMatchObject({ refresh_token: expect.any(String), expires_in: expect.any(Number) })
  expect(await login(fixture, { prompt: undefined })).not.toHaveProperty('refresh_token')
  expect(await login(fixture, { access_type: undefined })).not.toHaveProperty('refresh_token')
  expect((await consent(fixture, { auto: 'deny' }))?.searchParams.get('error')).toBe('access_denied')
})

test('expire-token leaves the refresh token valid, revoke-token does not', async () => {
  const first = await login(fixture)
  const refresh = () => token(fixture, { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' })
  await fixture.fault({ service: 'youtube', path: 'channels', kind: 'expire-token' })
  expect(reasonOf(await get(fixture, 'channels?part=snippet&mine=true', first.access_token))).toBe('authError')
  const second = await refresh()
  expect(second.status).toBe(200)
  await fixture.fault({ service: 'youtube', path: 'channels', kind: 'revoke-token' })
  expect((await get(fixture, 'channels?part=snippet&mine=true', String(second.body['access_token']))).status).toBe(401)
  expect((await refresh()).body).toMatchObject({ error: 'invalid_grant' })
})

test('revoking the token at Google ends the grant', async () => {
  const { access_token, refresh_token = '' } = await login(fixture)
  expect((await fixture.call('POST', 'oauth2.googleapis.com/revoke', { form: { token: refresh_token } })).status).toBe(
    200,
  )
  expect((await get(fixture, 'channels?part=snippet&mine=true', access_token)).status).toBe(401)
  expect((await token(fixture, { ...client, grant_type: 'refresh_token', refresh_token })).body).toMatchObject({
    error: 'invalid_grant',
  })
})

test('channels need a part, a filter and a scope that reads', async () => {
  const uploader = await login(fixture, { scope: scope('youtube.upload') })
  expect(reasonOf(await get(fixture, 'channels?part=snippet&mine=true', uploader.access_token))).toBe(
    'insufficientPermissions',
  )
  expect(reasonOf(await get(fixture, 'channels?mine=true', access))).toBe('missingRequiredParameter')
  expect(reasonOf(await get(fixture, 'channels?part=snippet', access))).toBe('missingRequiredParameter')
  expect(reasonOf(await get(fixture, 'channels?part=shoes&mine=true', access))).toBe('unknownPart')
  expect((await fixture.call('GET', 'www.googleapis.com/youtube/v3/channels?part=snippet&mine=true')).status).toBe(401)
})

test('the grant is bound to the one channel picked', async () => {
  const other = await login(fixture, { as: blackthorn })
  const answer = await get(fixture, 'channels?part=snippet,contentDetails,status&mine=true', other.access_token)
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
  await fixture.limits({ processingMs: 60_000 })
  const id = await upload(fixture, access, mp4)
  expect(await listVideo(id)).toMatchObject([
    { status: { uploadStatus: 'uploaded' }, processingDetails: { processingStatus: 'processing' } },
  ])
  // It is public at once, and in the uploads playlist after the delay.
  expect(await fixture.posts('youtube')).toMatchObject([{ id }])
  const uploads = async () =>
    (await get(fixture, 'playlistItems?part=contentDetails&playlistId=UUtw4Q8mInkTidewaterX2bR', access)).body['items']
  expect(await uploads()).toEqual([])
  fixture.advance(60_000)
  expect(await uploads()).toHaveLength(1)
  expect(await listVideo(id)).toMatchObject([
    { status: { uploadStatus: 'processed' }, processingDetails: { processingStatus: 'succeeded' } },
  ])
})

test('a file that is no video, or empty, fails and is never public', async () => {
  const noise = await upload(fixture, access, Buffer.from('no video'))
  expect(await listVideo(noise)).toMatchObject([
    {
      status: { uploadStatus: 'failed', failureReason: 'invalidFile' },
      processingDetails: { processingStatus: 'failed' },
    },
  ])
  const empty = await upload(fixture, access, new Uint8Array())
  expect(await listVideo(empty)).toMatchObject([{ status: { uploadStatus: 'failed', failureReason: 'emptyFile' } }])
  expect(await fixture.posts('youtube')).toEqual([])
})

test('processing-fails: failed or rejected, at start, upload or status request; a public video is unpublished', async () => {
  await fixture.fault({ service: 'youtube', method: 'POST', path: 'upload', kind: 'processing-fails' })
  expect(await listVideo(await upload(fixture, access, mp4))).toMatchObject([
    { status: { uploadStatus: 'failed', failureReason: 'conversion' } },
  ])
  await fixture.fault({
    service: 'youtube',
    method: 'PUT',
    kind: 'processing-fails',
    body: { rejectionReason: 'copyright' },
  })
  expect(await listVideo(await upload(fixture, access, mp4))).toMatchObject([
    { status: { uploadStatus: 'rejected', rejectionReason: 'copyright' } },
  ])
  expect(await fixture.posts('youtube')).toEqual([])
  await fixture.limits({ processingMs: 60_000 })
  const id = await upload(fixture, access, mp4)
  expect(await fixture.posts('youtube')).toHaveLength(1)
  await fixture.fault({
    service: 'youtube',
    method: 'GET',
    path: 'videos',
    kind: 'processing-fails',
    body: { failureReason: 'codec' },
  })
  expect(await listVideo(id)).toMatchObject([{ status: { uploadStatus: 'failed', failureReason: 'codec' } }])
  expect(await fixture.posts('youtube')).toEqual([])
})

test('private videos and processing details are visible to the owner only', async () => {
  const shown = await upload(fixture, access, mp4)
  const hidden = await upload(fixture, access, mp4, { ...koi, status: { privacyStatus: 'private' } })
  const other = (await login(fixture, { as: blackthorn })).access_token
  expect((await get(fixture, `videos?part=status&id=${shown},${hidden}`, other)).body['items']).toMatchObject([
    { id: shown },
  ])
  expect(reasonOf(await get(fixture, `videos?part=processingDetails&id=${shown}`, other))).toBe('forbidden')
  expect(reasonOf(await get(fixture, 'videos?part=status', access))).toBe('missingRequiredParameter')
  expect(await listVideo('nothing')).toEqual([])
  const list = 'playlistItems?part=contentDetails&playlistId='
  expect((await get(fixture, `${list}UUtw4Q8mInkTidewaterX2bR`, other)).body['items']).toMatchObject([
    { contentDetails: { videoId: shown } },
  ])
  expect((await get(fixture, `${list}UUnone`, access)).status).toBe(404)
  const pages = await get(fixture, `${list}UUtw4Q8mInkTidewaterX2bR&maxResults=1`, access)
  expect(pages.body).toMatchObject({ nextPageToken: '1', pageInfo: { totalResults: 2 } })
  expect((await get(fixture, `${list}UUtw4Q8mInkTidewaterX2bR&maxResults=51`, access)).status).toBe(400)
})

test('new channels can log in', async () => {
  const made = await fixture.call('POST', '_control/pages', { json: { platform: 'youtube', count: 2 } })
  const pages = JSON.parse(String(made.body['text'])) as { id: string; name: string }[]
  const { access_token } = await login(fixture, { as: pages[1]?.id })
  expect((await get(fixture, 'channels?part=snippet&mine=true', access_token)).body['items']).toMatchObject([
    { id: pages[1]?.id, snippet: { title: pages[1]?.name } },
  ])
})
