import { openConsent } from '../consent-for-tests.ts'
import type { Answer, NetworkFixture } from '../network-fixture.ts'

const rest = 'api.linkedin.com/rest'
export const redirectUri = 'http://localhost:4000/connect/linkedin'
export const client = { client_id: '86flash', client_secret: 'made-up' }
export const allScopes = 'w_organization_social r_organization_social rw_organization_admin'
/** The first member's pages, and the member without refresh tokens. */
export const studio = 'urn:li:organization:40718201'
export const supply = 'urn:li:organization:40718202'
export const foreignPage = 'urn:li:organization:40718203'
export const imogen = 'mV4cJ7yBnZ'

export type Tokens = {
  access_token: string
  refresh_token?: string
  refresh_token_expires_in?: number
  expires_in: number
  scope: string
}

export async function consent(
  fixture: NetworkFixture,
  query: Record<string, string | undefined> = {},
): Promise<Answer & { back: URL | undefined }> {
  return await openConsent(fixture, 'www.linkedin.com/oauth/v2/authorization', {
    client_id: client.client_id,
    scope: allScopes,
    response_type: 'code',
    redirect_uri: redirectUri,
    state: 'st-1',
    auto: 'approve',
    ...query,
  })
}

/** A call of the OAuth endpoints with the client's own id and secret. */
export function oauth(fixture: NetworkFixture, call: string, form: Record<string, string>): Promise<Answer> {
  return fixture.call('POST', `www.linkedin.com/oauth/v2/${call}`, { form: { ...client, ...form } })
}

export async function login(fixture: NetworkFixture, query: Record<string, string | undefined> = {}): Promise<Tokens> {
  const code = (await consent(fixture, query)).back?.searchParams.get('code') ?? ''
  const answer = await oauth(fixture, 'accessToken', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
  })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body as unknown as Tokens
}

type Error = {
  status: number
  code?: string
  message?: string
  errorDetails?: { inputErrors: { code: string }[] }
}

/** A REST call with the product's headers: token, version, protocol. */
export function call(
  fixture: NetworkFixture,
  method: string,
  path: string,
  accessToken: string,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const own = {
    authorization: `Bearer ${accessToken}`,
    'linkedin-version': '202609',
    'x-restli-protocol-version': '2.0.0',
    ...headers,
  }
  return fixture.call(method, `${rest}/${path}`, { headers: own, ...(json === undefined ? {} : { json }) })
}

/** The error code of an answer, wherever LinkedIn put it. */
export function codeOf(answer: Answer): string | undefined {
  const body = answer.body as unknown as Error
  return body.errorDetails?.inputErrors[0]?.code ?? body.code
}

/** Uploads an image for a page and returns its URN. */
export async function image(
  fixture: NetworkFixture,
  accessToken: string,
  bytes: Uint8Array,
  owner = studio,
): Promise<string> {
  const made = await call(fixture, 'POST', 'images?action=initializeUpload', accessToken, {
    initializeUploadRequest: { owner },
  })
  const { uploadUrl, image: urn } = made.body['value'] as { uploadUrl: string; image: string }
  const sent = await fixture.call('PUT', uploadUrl, {
    headers: { authorization: `Bearer ${accessToken}` },
    body: bytes,
  })
  if (sent.status !== 201) throw new Error(JSON.stringify(sent.body))
  return urn
}

type VideoUpload = {
  video: string
  uploadToken: string
  uploadUrlsExpireAt: number
  uploadInstructions: { uploadUrl: string; firstByte: number; lastByte: number }[]
}

export async function beginVideo(
  fixture: NetworkFixture,
  accessToken: string,
  fileSizeBytes: number,
): Promise<VideoUpload> {
  const request = { owner: studio, fileSizeBytes, uploadCaptions: false, uploadThumbnail: false }
  const made = await call(fixture, 'POST', 'videos?action=initializeUpload', accessToken, {
    initializeUploadRequest: request,
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  return made.body['value'] as VideoUpload
}

export function putPart(
  fixture: NetworkFixture,
  url: string,
  bytes: Uint8Array | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return fixture.call('PUT', url, { headers: { 'content-type': 'application/octet-stream', ...headers }, body: bytes })
}

export function finalize(
  fixture: NetworkFixture,
  accessToken: string,
  video: string,
  uploadToken: string,
  uploadedPartIds: unknown,
): Promise<Answer> {
  return call(fixture, 'POST', 'videos?action=finalizeUpload', accessToken, {
    finalizeUploadRequest: { video, uploadToken, uploadedPartIds },
  })
}

/** A whole video upload: parts, ETags without their quotes, finalizing. */
export async function video(fixture: NetworkFixture, accessToken: string, bytes: Uint8Array): Promise<string> {
  const made = await beginVideo(fixture, accessToken, bytes.byteLength)
  const ids: string[] = []
  for (const { uploadUrl, firstByte, lastByte } of made.uploadInstructions) {
    const sent = await putPart(fixture, uploadUrl, bytes.subarray(firstByte, lastByte + 1))
    ids.push((sent.headers.get('etag') ?? '').replaceAll('"', ''))
  }
  const ended = await finalize(fixture, accessToken, made.video, made.uploadToken, ids)
  if (ended.status !== 200) throw new Error(JSON.stringify(ended.body))
  return made.video
}

export const textPost = (commentary: string, more: Record<string, unknown> = {}) => ({
  author: studio,
  commentary,
  visibility: 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: false,
  ...more,
})

export const encoded = encodeURIComponent
