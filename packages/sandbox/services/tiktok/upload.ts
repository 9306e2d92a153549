import { type Context, Hono } from 'hono'
import { faulted, applyDelays } from '../../request-faults.ts'
import { contentRange, serialize } from '../../request-body.ts'
import { withoutTracking } from '../../store-track.ts'
import type { SandboxContext } from '../../context.ts'
import { logId, withAndWithoutSlash } from './answers.ts'
import { scriptedFailReason } from './publish.ts'
import { accept, partsOf } from './processing.ts'
import { type Publish, tiktokState } from './state.ts'

const types = ['video/mp4', 'video/quicktime', 'video/webm']

function answer(c: Context, status: 201 | 206 | 400 | 403 | 404 | 416, message: string, publish?: Publish): Response {
  const arrived = publish?.received ? `0-${publish.received - 1}` : '*'
  const headers = publish ? { 'content-range': `bytes ${arrived}/${publish.size}` } : undefined
  return c.json({ message, log_id: logId() }, status, headers)
}

/**
 * The byte range of the next PUT: chunks come strictly in order and the last includes the remainder
 * (docs/networks/tiktok.md).
 */
function nextRange(publish: Publish): { first: number; last: number } {
  const index = Math.floor(publish.received / publish.chunk)
  const first = publish.received
  return { first, last: index >= publish.chunks - 1 ? publish.size - 1 : first + publish.chunk - 1 }
}

async function put(c: Context, sandbox: SandboxContext, publish: Publish): Promise<Response> {
  // The last byte invalidates the address.
  if (publish.acceptedAt) return answer(c, 404, 'This upload does not exist.')
  applyDelays(c, publish)
  if (faulted(c, 'lose-session')) publish.urlExpiresAt = sandbox.now()
  publish.failsWith ||= scriptedFailReason(c)
  if (publish.urlExpiresAt <= sandbox.now()) return answer(c, 403, 'The upload URL has expired.')
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim() ?? ''
  if (!types.includes(type)) return answer(c, 400, 'Content-Type must be video/mp4, video/quicktime or video/webm.')
  const length = Number(c.req.header('content-length') ?? Number.NaN)
  if (!Number.isSafeInteger(length)) return answer(c, 400, 'Content-Length is required.')
  const range = contentRange(c.req.header('content-range'))
  if (range?.first === undefined || range.last === undefined || range.total === undefined) {
    return answer(c, 400, 'Content-Range must read bytes FIRST-LAST/TOTAL.')
  }
  if (range.last - range.first + 1 !== length) return answer(c, 400, 'Content-Length and Content-Range disagree.')
  const next = nextRange(publish)
  if (range.total !== publish.size || range.first !== next.first || range.last !== next.last) {
    return answer(c, 416, 'Content-Range does not follow what has arrived.', publish)
  }
  // Only a complete chunk counts; the sender repeats an interrupted one.
  const size = await partsOf(sandbox, publish)
    .write(c.req.raw.body, range.first)
    .catch(() => -1)
  if (size !== range.last + 1) return answer(c, 400, 'The chunk ended early.')
  if (size < publish.size) {
    publish.received = size
    return answer(c, 206, 'More chunks are wanted.', publish)
  }
  publish.beforeLast = range.first
  await accept(sandbox, publish)
  return answer(c, 201, 'Everything has arrived.', publish)
}

/** The upload host: PUTs to an `upload_url`. The address itself is the credential; no token is needed. */
export function uploadRoutes(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.on('PUT', withAndWithoutSlash('/video'), async (c) => {
    const id = c.req.query('upload_id') ?? ''
    const { publishes } = tiktokState(sandbox)
    const found = Object.values(withoutTracking(publishes)).find((one) => one.uploadId === id)
    const publish = found && publishes[found.id]
    if (!publish || publish.uploadToken !== c.req.query('upload_token')) {
      return answer(c, 404, 'This upload does not exist.')
    }
    return serialize(`tiktok ${id}`, () => put(c, sandbox, publish))
  })
  return routes
}
