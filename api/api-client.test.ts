import { createApiClient } from '@flashsheet/api-client'
import { clientTypes } from '@flashsheet/api-client/generate'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApiOf } from './openapi/document.ts'
import { restTable } from './rest.ts'
import { createArtist, type Artist } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { connect } from './testing/connect.ts'
import { createProgram } from './testing/keys.ts'
import { eventually } from './testing/sandbox.ts'

let app: TestApp
let artist: Artist
let api: ReturnType<typeof createApiClient>
let pictures: Server
beforeAll(async () => {
  app = await startTestApp({ env: { FETCH_LOOPBACK: 'on' } })
  artist = await createArtist(app)
  await connect(app, artist, 'facebook')
  const { key } = await createProgram(app, artist, ['media:write', 'accounts:read', 'posts:write'])
  api = createApiClient({ baseUrl: app.url, apiKey: key })
  const jpeg = await picture(800, 1000, 23)
  pictures = createServer((_request, response) => response.setHeader('content-type', 'image/jpeg').end(jpeg))
  await once(pictures.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  pictures.close().closeAllConnections()
  await app.stop()
})

async function uploadPicture(): Promise<string> {
  const file = new File([new Uint8Array(await picture(800, 1000, 24))], 'flash.jpg', { type: 'image/jpeg' })
  const { data, error } = await api.POST('/api/media/upload', { body: { files: [file] } })
  expect(error).toBeUndefined()
  expect(data?.[0]).toMatchObject({ type: 'image', fileName: 'flash.jpg' })
  return data?.[0]?._id ?? ''
}

async function fetchPicture(): Promise<string> {
  const url = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}/flash.jpg`
  const { data: job } = await api.POST('/api/media/from-url', { body: { url } })
  const jobId = job?._id ?? ''
  const { item } = await eventually('the picture to be fetched', async () => {
    const { data } = await api.GET('/api/media/from-url/{jobId}', { params: { path: { jobId } } })
    return data?.state === 'done' && data
  })
  return item?._id ?? ''
}

test('the generated types match the OpenAPI description', async () => {
  const file = new URL('../packages/api-client/openapi.gen.ts', import.meta.url)
  expect(await readFile(file, 'utf8')).toBe(await clientTypes(openApiOf(restTable, app.url)))
})

describe('with the generated client', () => {
  test.each([
    ['uploaded', uploadPicture],
    ['fetched from an address', fetchPicture],
  ])('a picture that is %s is scheduled and published, and its outcome is read', async (_how, addPicture) => {
    const mediaId = await addPicture()
    const { data: accounts } = await api.GET('/api/social-accounts')
    const account = accounts?.find(({ platform }) => platform === 'facebook')
    const { data: made, error } = await api.POST('/api/posts/schedule', {
      params: { header: { 'Idempotency-Key': mediaId } },
      body: {
        mediaIds: [mediaId],
        variants: [
          {
            platform: 'facebook',
            socialAccountId: account?._id ?? '',
            pageId: account?.pages[0]?.pageId ?? '',
            message: 'Fresh flash',
          },
        ],
        scheduledAt: new Date(app.clock.now().getTime() + 3_600_000).toISOString(),
      },
    })
    expect(error).toBeUndefined()
    const path = { postId: made?._id ?? '' }
    expect((await api.GET('/api/posts/{postId}', { params: { path } })).data?.status).toBe('scheduled')
    await api.POST('/api/posts/{postId}/publish', { params: { path } })
    const post = await eventually('the outcome', async () => {
      const { data } = await api.GET('/api/posts/{postId}', { params: { path } })
      return data?.status !== 'scheduled' && data
    })
    expect(post).toMatchObject({ status: 'posted', variants: [{ permalink: expect.stringContaining('http') }] })
  })

  test('a refusal has its code and the messages of its fields', async () => {
    const { error, response } = await api.POST('/api/media/from-url', { body: { url: 'nonsense' } })
    expect(response.status).toBe(400)
    expect(error).toMatchObject({ code: 'invalid', fields: { url: expect.any(String) } })
  })
})
