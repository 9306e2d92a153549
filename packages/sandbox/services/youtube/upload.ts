import { splitWords } from '../../split-words.ts'
import { type Context, Hono } from 'hono'
import { faulted, faultOf, applyDelays, statusAsOf } from '../../request-faults.ts'
import { contentRange, serialize, isRecord, jsonBody, bearer } from '../../request-body.ts'
import type { SandboxContext } from '../../context.ts'
import { caller, requestedParts, refuse, chargeQuota, uploadScopes } from './answers.ts'
import { readMetadata } from './metadata.ts'
import { type Session, youtubeState } from './state.ts'
import { scriptedFailureOf, makeVideo, resource } from './videos.ts'

const chunkUnitBytes = 256 * 1024
const maxFileBytes = 256 * 1024 ** 3
const sessionLifeMs = 7 * 86_400_000
const writable = splitWords(
  `snippet status contentDetails localizations player processingDetails recordingDetails statistics id`,
)

/** The first step of a resumable upload, which rejects invalid metadata before any byte is sent. */
async function start(c: Context, sandbox: SandboxContext): Promise<Response> {
  const who = caller(c, sandbox, uploadScopes)
  if (c.req.query('uploadType') !== 'resumable') {
    throw refuse(400, 'badRequest', 'This stand-in takes resumable uploads only: uploadType=resumable.', 'global')
  }
  const parts = requestedParts(c, writable)
  const type = c.req.header('x-upload-content-type') ?? 'application/octet-stream'
  if (!/^(video\/[\w.*+-]+|application\/octet-stream)$/.test(type)) {
    throw refuse(
      400,
      'badContent',
      `Media type '${type}' is not supported. Valid media types: [video/*, application/octet-stream]`,
      'global',
    )
  }
  const declared = c.req.header('x-upload-content-length')
  const total = declared === undefined ? -1 : Number(declared)
  if (!Number.isSafeInteger(total) || total > maxFileBytes) {
    throw refuse(400, 'badRequest', 'X-Upload-Content-Length is not a size a video may have.', 'global')
  }
  const metadata = readMetadata(await jsonBody(c), parts)
  chargeQuota(sandbox, who.clientId, 'uploads')
  const id = `AH${sandbox.secret(40)}`
  const { sessions } = youtubeState(sandbox)
  sessions[id] = {
    id,
    channel: who.channel.id,
    metadata,
    part: parts.join(','),
    total,
    received: 0,
    expiresAt: sandbox.now() + sessionLifeMs,
    lost: faulted(c, 'lose-session') ? 404 : 0,
    failsWith: scriptedFailureOf(c),
    videoId: '',
  }
  applyDelays(c, sessions[id])
  const query = `uploadType=resumable&part=${encodeURIComponent(parts.join(','))}&upload_id=${id}`
  const location = `${sandbox.url}/www.googleapis.com/upload/youtube/v3/videos?${query}`
  return c.body(null, 200, { location, 'x-guploader-uploadid': id })
}

function incomplete(c: Context, session: Session, received = session.received): Response {
  const range = received ? { range: `bytes=0-${received - 1}` } : undefined
  return c.body(null, 308, { ...range, 'x-guploader-uploadid': session.id })
}

function finished(c: Context, sandbox: SandboxContext, session: Session, status: 200 | 201): Response {
  const video = youtubeState(sandbox).videos[session.videoId]
  if (!video) return c.text('Not Found', 404)
  return c.json(resource(c, sandbox, video, session.part.split(',')), status)
}

/** The body without its first `count` bytes, which are stored already. */
function withoutFirst(body: ReadableStream<Uint8Array> | null, count: number): ReadableStream<Uint8Array> | null {
  let left = count
  return (
    body &&
    body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          const skip = Math.min(left, piece.byteLength)
          left -= skip
          if (skip < piece.byteLength) controller.enqueue(piece.subarray(skip))
        },
      }),
    )
  )
}

async function put(c: Context, sandbox: SandboxContext, session: Session): Promise<Response> {
  const fault = faultOf(c)
  session.failsWith ??= scriptedFailureOf(c)
  if (fault?.kind === 'lose-session') session.lost = isRecord(fault.body) && fault.body['status'] === 410 ? 410 : 404
  if (!session.lost && session.expiresAt <= sandbox.now()) session.lost = 404
  if (session.lost) return c.text(session.lost === 410 ? 'Gone' : 'Not Found', session.lost === 410 ? 410 : 404)
  if (bearer(c)) caller(c, sandbox, uploadScopes)
  const isProbe = c.req.header('content-range')?.startsWith('bytes */') === true
  // While a delay hides the end of a session, a probe answers as before it; repeated bytes get the video.
  if (session.videoId && isProbe && (session.endedAt ?? 0) > statusAsOf(c, session, sandbox.now()))
    return incomplete(c, session, session.beforeLast ?? 0)
  if (session.videoId) return finished(c, sandbox, session, 200)
  if (!isProbe) applyDelays(c, session)
  const length = Number(c.req.header('content-length') ?? Number.NaN)
  if (!Number.isSafeInteger(length)) return c.text('Content-Length is required.', 411)
  const header = c.req.header('content-range')
  // A body without a range is the whole file.
  const range = header === undefined ? { first: 0, last: length - 1, total: length } : contentRange(header)
  if (!range) return c.text('Failed to parse Content-Range header.', 400)
  const total = range.total ?? session.total
  if (session.total >= 0 && total !== session.total)
    return c.text('Content-Range does not match X-Upload-Content-Length.', 400)
  const { first, last } = range
  if (first === undefined || last === undefined)
    return length === 0 ? incomplete(c, session) : c.text('Invalid request.', 400)
  if (header !== undefined && last - first + 1 !== length)
    return c.text('Content-Range does not match Content-Length.', 400)
  const isLast = total >= 0 && last === total - 1
  if (!isLast && length % chunkUnitBytes !== 0) {
    return c.text(
      `Invalid request. Every chunk but the last must be a multiple of ${chunkUnitBytes} bytes; this one has ${length}.`,
      400,
    )
  }
  if (first > session.received) {
    const message = `Invalid request. The upload offset is ${first} byte(s), which exceeds the already uploaded size of ${session.received} byte(s).`
    return c.text(message, 503)
  }
  return storeChunk(c, sandbox, session, { first, last, total })
}

async function storeChunk(
  c: Context,
  sandbox: SandboxContext,
  session: Session,
  range: { first: number; last: number; total: number },
): Promise<Response> {
  const parts = sandbox.parts(`youtube ${session.id}`)
  // YouTube skips bytes that it already has.
  await parts
    .write(withoutFirst(c.req.raw.body, session.received - range.first), session.received)
    .catch(() => undefined)
  const size = parts.size()
  const isComplete = range.total >= 0 && size === range.total
  // The whole units of an interrupted chunk are kept. The sender queries the offset and resumes there.
  session.received = isComplete ? size : Math.max(session.received, Math.floor(size / chunkUnitBytes) * chunkUnitBytes)
  if (!isComplete) {
    parts.truncate(session.received)
    return incomplete(c, session)
  }
  session.total = range.total
  session.beforeLast = range.first
  session.endedAt = sandbox.now()
  await makeVideo(sandbox, session)
  return finished(c, sandbox, session, 201)
}

/**
 * Resumable `videos.insert` below `www.googleapis.com/upload` (docs/networks/youtube.md). The session's address is its
 * credential.
 */
export function uploadRoutes(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  const path = '/upload/youtube/v3/videos'
  routes.post(path, (c) => start(c, sandbox))
  routes.put(path, async (c) => {
    const id = c.req.query('upload_id') ?? ''
    return serialize(`youtube ${id}`, async () => {
      const session = youtubeState(sandbox).sessions[id]
      return session ? put(c, sandbox, session) : c.text('Not Found', 404)
    })
  })
  return routes
}
