import type { Platform } from '@flashsheet/contracts/networks'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { bareAdapters } from '../../testing/bare-adapters.ts'
import { NetworkError, type PublishJob, type PublishMedia } from './adapter.ts'

type Answer = { status: number; body?: unknown }
type Step = 'prepare' | 'publish' | 'confirm'

const bytes = 200_000
const media = {
  bytes,
  width: 1080,
  height: 1920,
  fps: 30,
  rotation: 0,
  codec: 'avc',
  audioCodec: 'aac',
  moovFirst: true,
  editList: false,
  open: async (start = 0, end = bytes - 1) => {
    // As the storage does.
    if (start > end) throw new RangeError('no bytes')
    return await Promise.resolve(Readable.from([Buffer.alloc(end - start + 1)]))
  },
  url: async () => await Promise.resolve('https://ink.example/m'),
}
const video = { ...media, kind: 'video', mimeType: 'video/mp4', durationMs: 20_000 } as unknown as PublishMedia
const picture = { ...media, kind: 'image', mimeType: 'image/jpeg', durationMs: null } as unknown as PublishMedia

/** The outcome of one step when the requests that match `asked` are answered with `answer`, and all others with 200. */
async function outcome(
  platform: Platform,
  step: Step,
  {
    asked,
    answer,
    others = {},
    checkpoint = {},
    remoteId = null,
    isVideo = true,
  }: {
    asked: RegExp
    answer: Answer
    others?: unknown
    checkpoint?: Record<string, unknown>
    remoteId?: string | null
    isVideo?: boolean
  },
): Promise<string> {
  let hits = 0
  const adapter = bareAdapters(async (url, init) => {
    if (init.body) await new Response(init.body).arrayBuffer()
    const isMeant = asked.test(`${init.method ?? 'GET'} ${url.pathname}${url.search}`)
    if (isMeant) hits += 1
    const { status, body } = isMeant ? answer : { status: 200, body: others }
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json' },
    })
  })[platform]
  const job = {
    targetId: 't',
    accessToken: 'token',
    pageAccessToken: 'token',
    pageId: 'p',
    title: 'Koi',
    message: 'Koi',
    options: {},
    media: async () => await Promise.resolve([isVideo ? video : picture]),
    checkpoint: { ...checkpoint },
    save: async (patch: object) => await Promise.resolve(void Object.assign(job.checkpoint, patch)),
    saveLater: (patch: object) => void Object.assign(job.checkpoint, patch),
    progress: async () => await Promise.resolve(),
    remoteId,
    firstPublishAt: new Date(),
    lastPublishAt: new Date(),
    unanswered: 1,
    acquireTurn: async () => await Promise.resolve({ end: async () => await Promise.resolve() }),
    assertLease: async () => await Promise.resolve(),
    concurrentPublishes: async () => await Promise.resolve([]),
    signal: new AbortController().signal,
    now: () => new Date(),
  } as unknown as PublishJob
  const result = await adapter.publish[step](job).then(
    (result) => ('evidence' in result ? `${result.state}, ${result.evidence}` : result.state),
    (error: unknown) => {
      if (!(error instanceof NetworkError)) throw error
      return error.idsLapsed ? `${error.class}, new upload` : error.class
    },
  )
  expect(hits).toBeGreaterThan(0)
  return result
}

const graph = (status: number, code: number, error_subcode?: number): Answer => ({
  status,
  body: { error: { message: 'no', type: 'OAuthException', code, error_subcode } },
})
const google = (status: number, reason: string): Answer => ({
  status,
  body: { error: { code: status, message: 'no', errors: [{ reason, message: 'no' }] } },
})
const tiktok = (status: number, code: string): Answer => ({
  status,
  body: { data: {}, error: { code, message: 'no', log_id: 'l' } },
})
const linkedin = (status: number, code?: string, message = 'no'): Answer => ({
  status,
  body: { status, code, message },
})

// Only 'reconnect' asks the artist to connect again (docs/networks).
describe('which answers mean a lost connection', () => {
  const chunk = {
    publishId: 'v1',
    uploadUrl: 'https://open-upload.tiktokapis.com/video/?upload_id=1',
    begunAt: new Date().toISOString(),
    total: bytes,
    stored: 0,
  }
  const status = { asked: /status\/fetch/, checkpoint: chunk }
  test.each([
    [tiktok(401, 'access_token_invalid'), 'reconnect'],
    [tiktok(200, 'access_token_invalid'), 'reconnect'],
    [tiktok(401, 'scope_not_authorized'), 'reconnect'],
    [tiktok(400, 'invalid_publish_id'), 'absent, inconclusive'],
    [tiktok(400, 'token_not_authorized_for_specified_publish_id'), 'absent, inconclusive'],
    [tiktok(401, 'token_not_authorized_for_specified_publish_id'), 'absent, inconclusive'],
    [tiktok(429, 'rate_limit_exceeded'), 'later'],
    [tiktok(500, 'internal_error'), 'retry'],
  ])('the status of a publish id at TikTok: %j is %s', async (answer, meaning) => {
    expect(await outcome('tiktok', 'confirm', { ...status, answer })).toBe(meaning)
  })

  test.each([401, 403, 404, 410])(
    'the last chunk at TikTok, whose upload address takes no token: %i is unknown',
    async (code) => {
      const asked = { asked: /^PUT/, checkpoint: chunk, answer: { status: code } }
      expect(await outcome('tiktok', 'publish', asked)).toBe('unknown')
    },
  )

  const uploads = { contentDetails: { relatedPlaylists: { uploads: 'UU1' } } }
  const ended = { session: 'https://www.googleapis.com/upload/youtube/v3/videos?upload_id=1', total: bytes }
  test.each([
    ['its video', /\/videos\?part=status/, google(401, 'authError'), 'reconnect'],
    ['its video', /\/videos\?part=status/, google(401, 'youtubeSignupRequired'), 'reconnect'],
    ['its video', /\/videos\?part=status/, google(403, 'insufficientPermissions'), 'reconnect'],
    ['its video', /\/videos\?part=status/, google(403, 'quotaExceeded'), 'later'],
    ['its video', /\/videos\?part=status/, google(403, 'rateLimitExceeded'), 'retry'],
    ['its video', /\/videos\?part=status/, google(403, 'accessNotConfigured'), 'config'],
    ['its video', /\/videos\?part=status/, { status: 200, body: { items: [] } }, 'posted'],
  ])('%s at YouTube (%s): %j is %s', async (_what, asked, answer, meaning) => {
    expect(await outcome('youtube', 'confirm', { asked, answer, remoteId: 'v1' })).toBe(meaning)
  })

  const others = { items: [uploads] }
  test.each([
    ['its session', /^PUT .*upload_id/, { status: 404 }, ended, 'absent, inconclusive'],
    ['its session', /^PUT .*upload_id/, { status: 410 }, ended, 'absent, inconclusive'],
    ['its session', /^PUT .*upload_id/, google(401, 'authError'), ended, 'reconnect'],
    ['the uploads of a channel', /playlistItems/, google(404, 'playlistNotFound'), {}, 'absent, inconclusive'],
    ['the uploads of a channel', /playlistItems/, google(401, 'authError'), {}, 'reconnect'],
  ])('%s at YouTube (%s): %j with %j is %s', async (_what, asked, answer, checkpoint, meaning) => {
    expect(await outcome('youtube', 'confirm', { asked, answer, others, checkpoint })).toBe(meaning)
  })

  test.each([
    [403, undefined, 'no', 'posted'],
    [404, 'NOT_FOUND', 'no', 'posted'],
    [401, 'EXPIRED_ACCESS_TOKEN', 'no', 'reconnect'],
    [401, 'REVOKED_ACCESS_TOKEN', 'no', 'reconnect'],
  ])('an own post at LinkedIn: %i %s %s is %s', async (code, name, words, meaning) => {
    const asked = { asked: /posts\/urn/, answer: linkedin(code, name, words), remoteId: 'urn:li:share:1' }
    expect(await outcome('linkedin', 'confirm', asked)).toBe(meaning)
  })

  test.each([
    [403, 'ACCESS_DENIED', 'no', 'reconnect'],
    [400, undefined, 'Organization permissions must be used with an organization', 'reconnect'],
    [403, undefined, 'resource is forbidden', 'retry'],
  ])('the posts of the page at LinkedIn: %i %s %s is %s', async (code, name, words, meaning) => {
    const asked = { asked: /q=author/, answer: linkedin(code, name, words) }
    expect(await outcome('linkedin', 'confirm', asked)).toBe(meaning)
  })

  const part = { uploadUrl: 'https://www.linkedin.com/dms-uploads/1', firstByte: 0, lastByte: bytes - 1 }
  const image = { images: ['urn:li:image:1'], uploadUrl: part.uploadUrl, sent: 0 }
  const begun = { video: 'urn:li:video:1', parts: [part], total: bytes }
  test.each([
    ['the upload of a picture', /^PUT/, 401, image, 'retry, new upload'],
    ['the upload of a picture', /^PUT/, 403, image, 'retry, new upload'],
    ['the upload of a picture', /^PUT/, 404, image, 'retry, new upload'],
    ['a part of a video', /^PUT/, 403, { ...begun, etags: [] }, 'retry, new upload'],
    ['the end of a video', /finalizeUpload/, 403, { ...begun, etags: ['e'] }, 'retry, new upload'],
    ['the end of a video', /finalizeUpload/, 404, { ...begun, etags: ['e'] }, 'retry, new upload'],
    ['the end of a video', /finalizeUpload/, 401, { ...begun, etags: ['e'] }, 'reconnect'],
    ['the beginning of an upload', /initializeUpload/, 403, {}, 'reconnect'],
  ])('%s at LinkedIn (%s): %i with %j is %s', async (_what, asked, code, checkpoint, meaning) => {
    const isVideo = !('images' in checkpoint)
    const answer = linkedin(code)
    expect(await outcome('linkedin', 'prepare', { asked, answer, checkpoint, isVideo })).toBe(meaning)
  })

  test.each([
    ['facebook', graph(400, 100, 33), 'absent, inconclusive'],
    ['facebook', graph(401, 190, 460), 'reconnect'],
    ['facebook', graph(403, 200), 'reconnect'],
    ['instagram', graph(400, 100, 33), 'absent, inconclusive'],
    ['instagram', graph(401, 190, 463), 'reconnect'],
  ] as const)('an own object at %s: %j is %s', async (platform, answer, meaning) => {
    const checkpoint = { way: 'reel', videoId: '17', container: '17' }
    expect(await outcome(platform, 'confirm', { asked: /\/17/, answer, checkpoint })).toBe(meaning)
  })
})

test('a reel of which Facebook has all bytes, but has not begun to process them: a request without bytes finds out that they are accepted', async () => {
  const checkpoint = { way: 'reel', videoId: 'v', uploadUrl: 'https://rupload.facebook.com/video-upload/v' }
  const uploading = { video_status: 'uploading', uploading_phase: { status: 'in_progress', bytes_transfered: bytes } }
  const answer = { status: 200, body: { success: true } }
  expect(
    await outcome('facebook', 'prepare', {
      asked: /^POST .*video-upload/,
      answer,
      others: { status: uploading },
      checkpoint,
    }),
  ).toBe('ready')
})
