import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { videoFixture } from '../../fixtures/videos.ts'
import { padded } from '../../fixtures/raw-sends.ts'
import { type Sandbox, startSandbox } from '../../main.ts'
import type { PublishedPost } from '../../context.ts'

const chunk = 5 * 1024 * 1024
const video = padded(videoFixture('portrait-5s.mp4'), 2 * chunk)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-restart-'))
let sandbox: Sandbox | undefined

afterEach(async () => {
  await sandbox?.stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<string> {
  await sandbox?.stop()
  sandbox = await startSandbox({ port: 0, dataDir: folder, processingMs: 300 })
  return sandbox.url
}

test('after a restart tokens are valid, uploads resume, and processing ends without being polled', async () => {
  let url = await start()
  const query =
    'client_key=k&scope=video.publish&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%2Fback&state=s&auto=approve'
  const consented = await fetch(`${url}/www.tiktok.com/v2/auth/authorize/?${query}`, { redirect: 'manual' })
  const code = new URL(consented.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const form = {
    client_key: 'k',
    client_secret: 's',
    grant_type: 'authorization_code',
    code,
    redirect_uri: 'http://localhost/back',
  }
  const tokens = await fetch(`${url}/open.tiktokapis.com/v2/oauth/token/`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  const { access_token: token } = (await tokens.json()) as { access_token: string }
  const call = async (name: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/open.tiktokapis.com/v2/post/publish/${name}/`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return ((await answer.json()) as { data: Record<string, unknown> }).data
  }
  const put = (address: string, from: number) => {
    const headers = {
      'content-type': 'video/mp4',
      'content-range': `bytes ${from}-${from + chunk - 1}/${video.byteLength}`,
    }
    return fetch(address.replace(/^http:\/\/[^/]+/, url), {
      method: 'PUT',
      headers,
      body: video.subarray(from, from + chunk),
    })
  }
  await call('creator_info/query', {})
  const made = await call('video/init', {
    post_info: { title: 'Koi', privacy_level: 'SELF_ONLY' },
    source_info: { source: 'FILE_UPLOAD', video_size: video.byteLength, chunk_size: chunk, total_chunk_count: 2 },
  })
  const [id, address] = [String(made['publish_id']), String(made['upload_url'])]
  expect((await put(address, 0)).status).toBe(206)

  url = await start()
  expect(await call('status/fetch', { publish_id: id })).toMatchObject({
    status: 'PROCESSING_UPLOAD',
    uploaded_bytes: chunk,
  })
  expect((await put(address, chunk)).status).toBe(201)

  url = await start()
  const posts = async () => (await (await fetch(`${url}/_control/posts?platform=tiktok`)).json()) as PublishedPost[]
  await expect.poll(async () => (await posts()).length, { timeout: 10_000 }).toBe(1)
  expect((await posts())[0]?.media[0]?.bytes).toBe(video.byteLength)
})
