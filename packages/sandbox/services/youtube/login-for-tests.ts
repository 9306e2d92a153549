import { createHash } from 'node:crypto'
import { openConsent } from '../consent-for-tests.ts'
import type { Answer, NetworkFixture } from '../network-fixture.ts'

const api = 'www.googleapis.com/youtube/v3'
const uploadApi = 'www.googleapis.com/upload/youtube/v3/videos'
export const redirectUri = 'http://localhost:4000/connect/youtube'
export const client = { client_id: '812-flash.apps.googleusercontent.com', client_secret: 'made-up' }
export const blackthorn = 'UCbk7J3vFlashBlackthorn5'
export const scope = (...names: string[]) => names.map((name) => `https://www.googleapis.com/auth/${name}`).join(' ')
const allScopes = scope('youtube.upload', 'youtube.readonly')

const verifier = 'v'.repeat(64)
const challenge = createHash('sha256').update(verifier).digest('base64url')

export type Tokens = { access_token: string; refresh_token?: string; expires_in: number; scope: string }

export async function consent(
  fixture: NetworkFixture,
  query: Record<string, string | undefined> = {},
): Promise<URL | undefined> {
  const { back } = await openConsent(fixture, 'accounts.google.com/o/oauth2/v2/auth', {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: allScopes,
    state: 'st-1',
    access_type: 'offline',
    prompt: 'consent',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    auto: 'approve',
    ...query,
  })
  return back
}

export function token(fixture: NetworkFixture, form: Record<string, string>): Promise<Answer> {
  return fixture.call('POST', 'oauth2.googleapis.com/token', { form: { ...client, ...form } })
}

/** Logs in as a channel (the first, or `as`) and returns the tokens. */
export async function login(fixture: NetworkFixture, query: Record<string, string | undefined> = {}): Promise<Tokens> {
  const code = (await consent(fixture, query))?.searchParams.get('code') ?? ''
  const own: Record<string, string> = query['client_id'] ? { client_id: query['client_id'] } : {}
  const answer = await token(fixture, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...own,
  })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body as unknown as Tokens
}

export const bearerHeader = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })

export function get(fixture: NetworkFixture, path: string, accessToken: string): Promise<Answer> {
  return fixture.call('GET', `${api}/${path}`, { headers: bearerHeader(accessToken) })
}

/** The `reason` of a refusal. */
export function reasonOf(answer: Answer): string | undefined {
  const error = answer.body.error as unknown as { errors?: { reason: string }[] } | undefined
  return error?.errors?.[0]?.reason
}

export const koi = {
  snippet: { title: 'Koi half sleeve', description: 'Three sessions', tags: ['koi', 'half sleeve'], categoryId: '22' },
  status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
}

export type Start = { body?: unknown; query?: string; headers?: Record<string, string>; size?: number }

export function start(
  fixture: NetworkFixture,
  accessToken: string,
  { body = koi, query = 'uploadType=resumable&part=snippet,status', headers = {}, size = 1000 }: Start = {},
): Promise<Answer> {
  const own = {
    ...bearerHeader(accessToken),
    'x-upload-content-type': 'video/mp4',
    'x-upload-content-length': String(size),
    ...headers,
  }
  return fixture.call('POST', `${uploadApi}?${query}`, { headers: own, json: body })
}

/** Starts an upload session for a file of `size` bytes and returns its address. */
export async function session(
  fixture: NetworkFixture,
  accessToken: string,
  size: number,
  body: unknown = koi,
): Promise<string> {
  const answer = await start(fixture, accessToken, { size, body })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.headers.get('location') ?? ''
}

export function send(fixture: NetworkFixture, url: string, bytes: Uint8Array, range?: string): Promise<Answer> {
  return fixture.call('PUT', url, { headers: range === undefined ? {} : { 'content-range': range }, body: bytes })
}

/** Asks a session how many bytes it has. */
export function probe(fixture: NetworkFixture, url: string, total: number | '*'): Promise<Answer> {
  return fixture.call('PUT', url, {
    headers: { 'content-range': `bytes */${total}`, 'content-length': '0' },
    body: new Uint8Array(),
  })
}

/** Uploads a whole video and returns its id. */
export async function upload(
  fixture: NetworkFixture,
  accessToken: string,
  bytes: Uint8Array,
  body: unknown = koi,
): Promise<string> {
  const answer = await send(fixture, await session(fixture, accessToken, bytes.byteLength, body), bytes)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return String(answer.body['id'])
}
