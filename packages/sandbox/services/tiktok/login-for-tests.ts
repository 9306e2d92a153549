import { openConsent } from '../consent-for-tests.ts'
import type { Answer, NetworkFixture } from '../network-fixture.ts'

export const api = 'open.tiktokapis.com/v2'
export const redirectUri = 'http://localhost:4000/connect/tiktok'
export const client = { client_key: 'awflash', client_secret: 'made-up' }
export const allScopes = 'user.info.basic,user.info.profile,video.publish,video.list'

export type Tokens = {
  access_token: string
  refresh_token: string
  open_id: string
  expires_in: number
  refresh_expires_in: number
  scope: string
}

/** The redirect of the consent page, with these query parameters added to the usual ones. */
export async function consent(
  fixture: NetworkFixture,
  query: Record<string, string | undefined> = {},
): Promise<Answer & { back: URL | undefined }> {
  return await openConsent(fixture, 'www.tiktok.com/v2/auth/authorize/', {
    client_key: client.client_key,
    scope: allScopes,
    response_type: 'code',
    redirect_uri: redirectUri,
    state: 'st-1',
    auto: 'approve',
    ...query,
  })
}

export function token(fixture: NetworkFixture, form: Record<string, string>): Promise<Answer> {
  return fixture.call('POST', `${api}/oauth/token/`, { form: { ...client, ...form } })
}

/** Logs in as a creator (the first, or `as`) and returns the tokens. */
export async function login(fixture: NetworkFixture, query: Record<string, string | undefined> = {}): Promise<Tokens> {
  const { back } = await consent(fixture, query)
  const code = back?.searchParams.get('code') ?? ''
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_key: query['client_key'] ?? client.client_key,
  }
  const answer = await token(fixture, form)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body as unknown as Tokens
}

export type Reply = { status: number; data: Record<string, unknown>; code: string; headers: Headers }

/** A JSON call with the token. */
export async function post(
  fixture: NetworkFixture,
  path: string,
  accessToken: string,
  json: unknown = {},
): Promise<Reply> {
  const answer = await fixture.call('POST', `${api}${path}`, {
    headers: { authorization: `Bearer ${accessToken}` },
    json,
  })
  const error = answer.body.error as unknown as { code: string } | undefined
  return {
    status: answer.status,
    data: (answer.body['data'] ?? {}) as Record<string, unknown>,
    code: error?.code ?? '',
    headers: answer.headers,
  }
}

export const oneChunk = (size: number) => ({
  source: 'FILE_UPLOAD',
  video_size: size,
  chunk_size: size,
  total_chunk_count: 1,
})
export const publicPost = {
  title: 'Koi half sleeve #flash',
  privacy_level: 'PUBLIC_TO_EVERYONE',
  disable_comment: true,
  disable_duet: true,
  disable_stitch: true,
}

export function put(
  fixture: NetworkFixture,
  url: string,
  bytes: Uint8Array,
  range: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return fixture.call('PUT', url, {
    headers: { 'content-type': 'video/mp4', 'content-range': range, ...headers },
    body: bytes,
  })
}

/** Starts a direct post of `size` bytes in one chunk. */
export async function startPost(
  fixture: NetworkFixture,
  accessToken: string,
  size: number,
  post_info: Record<string, unknown> = publicPost,
): Promise<{ id: string; url: string }> {
  await post(fixture, '/post/publish/creator_info/query/', accessToken)
  const made = await post(fixture, '/post/publish/video/init/', accessToken, { post_info, source_info: oneChunk(size) })
  if (made.code !== 'ok') throw new Error(JSON.stringify(made))
  return { id: String(made.data['publish_id']), url: String(made.data['upload_url']) }
}

export function status(fixture: NetworkFixture, accessToken: string, publish_id: string): Promise<Reply> {
  return post(fixture, '/post/publish/status/fetch/', accessToken, { publish_id })
}
