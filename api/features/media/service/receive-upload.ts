import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { ErrorBody } from '@flashsheet/contracts/errors/schema'
import { declaredType, declaredFileRefusal } from '@flashsheet/contracts/media/rules'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { LockTimeout } from '@flashsheet/db/named-locks'
import { Server, type Locker, type ServerOptions, type Upload } from '@tus/server'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import {
  conflict,
  errorBody,
  errorHeaders,
  errorTable,
  invalid,
  notFound,
  problemType,
  withProblemMembers,
  toAppError,
  tooLarge,
} from '../../../core/errors.ts'
import { errorLine } from '../../../core/describe-error.ts'
import { newId } from '../../../core/ids.ts'
import { setBounded } from '../../../core/set-bounded.ts'
import { findUpload, recordArrival } from '../queries/uploads.ts'
import { cleanFileName } from '../rules/file-name.ts'
import { emptyFileMessage } from '../rules/refusals.ts'
import { beginUpload, cancelUpload, discardUploads, ingestUpload, isComplete, uploadLock } from './ingest.ts'

export const uploadsPath = '/api/uploads'
const waitForLockMs = 20_000
const maxKnownUploads = 5000
const recordActivityEveryMs = 5 * 60_000
const pieceContentType = 'application/offset+octet-stream'

type TusRequest = Parameters<NonNullable<ServerOptions['onIncomingRequest']>>[0]
type Caller = {
  ctx: SubscriberCtx
  id: string | undefined
  incoming: IncomingMessage
  outgoing: ServerResponse
  createdId?: string
}
type TusEndpoint = {
  server: Server
  /**
   * The owner and length of an upload never change, so its next pieces need no query. `recordedAtMs`: when its activity
   * was last stored.
   */
  known: Map<string, { owner: string; bytes: number; recordedAtMs: number }>
}

/** The request being answered, which the tus server does not pass to all hooks. */
const currentCaller = new AsyncLocalStorage<Caller>()

function callerOfRequest(): Caller {
  const caller = currentCaller.getStore()
  if (!caller) throw new Error('a tus request came past the guards')
  return caller
}

/** One tus server per running system; it holds no state of an upload. */
const endpoints = new WeakMap<System['gateways'], TusEndpoint>()

/**
 * Passes a tus request to the tus server, which writes the response. Throws notFound for another artist's upload, and
 * refuses two optional extensions of the protocol: uploads of unknown length, and concatenation.
 */
export async function receiveUpload(
  ctx: SubscriberCtx,
  id: string | undefined,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (incoming.headers['upload-defer-length'] !== undefined || incoming.headers['upload-concat'] !== undefined)
    throw invalid(errorMessages.malformed)
  const caller: Caller = { ctx, id, incoming, outgoing }
  const violation = protocolViolation(incoming)
  if (violation) {
    const { status, message } = violation
    return answer(caller, status, { 'Tus-Version': '1.0.0' }, { message, code: 'invalid' })
  }
  removeForwardedProto(incoming)
  const endpoint = endpoints.get(ctx.gateways) ?? openEndpoint(ctx)
  endpoints.set(ctx.gateways, endpoint)
  if (id !== undefined && !isNextPiece(endpoint, caller, id) && (await answerFinished(endpoint, caller, id))) return
  if (incoming.method === 'PATCH') await ctx.gateways.diskSpace.requireSpace()
  outgoing.setHeader('x-request-id', ctx.requestId)
  await currentCaller.run(caller, async () => await endpoint.server.handle(incoming, outgoing))
}

/** Errors that the tus server would answer with another status, or with 501. */
function protocolViolation({ method, headers }: IncomingMessage): { status: number; message: string } | undefined {
  const version = headers['tus-resumable']
  if (method !== 'OPTIONS' && version !== '1.0.0') return { status: 412, message: mediaMessages.tusVersion }
  if (method === 'PATCH' && headers['content-type'] !== pieceContentType)
    return { status: 415, message: mediaMessages.tusPieceType }
  const required = method === 'PATCH' ? 'upload-offset' : method === 'POST' ? 'upload-length' : undefined
  if (required !== undefined && headers[required] === undefined)
    return { status: 400, message: mediaMessages.tusHeaders([required]) }
  // A piece has this header only in the extension for uploads of unknown length.
  if (method === 'PATCH' && headers['upload-length'] !== undefined)
    return { status: 400, message: mediaMessages.tusHeaders(['upload-length']) }
  return undefined
}

/** Several proxies may write a list into this header. The tus server would reject it and does not need it here. */
function removeForwardedProto({ rawHeaders }: IncomingMessage): void {
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    if (rawHeaders[at]?.toLowerCase() === 'x-forwarded-proto') rawHeaders.splice(at, 2)
  }
}

/** Whether this is a piece of a known upload of the caller, whose bytes have not all arrived yet. */
function isNextPiece(endpoint: TusEndpoint, { ctx, incoming }: Caller, id: string): boolean {
  const known = endpoint.known.get(id)
  return (
    incoming.method === 'PATCH' &&
    known?.owner === ctx.owner &&
    incoming.headers['upload-offset'] !== String(known.bytes)
  )
}

/**
 * Answers DELETE, and a request for the result of an upload whose bytes have all arrived, which is ingested first if
 * necessary. False: the tus server must answer.
 */
async function answerFinished(endpoint: TusEndpoint, caller: Caller, id: string): Promise<boolean> {
  const { ctx } = caller
  const upload = await findUpload(ctx.db, ctx.owner, id)
  if (!upload) throw notFound()
  const recordedAtMs = endpoint.known.get(id)?.recordedAtMs ?? 0
  setBounded(endpoint.known, id, { owner: upload.userId, bytes: upload.bytes, recordedAtMs }, maxKnownUploads)
  const { method, headers } = caller.incoming
  if (method === 'DELETE') {
    await cancelUpload(ctx, id)
    answer(caller, 204, {})
    return true
  }
  // The item made from it was deleted.
  if (upload.finishedAt && !upload.mediaId && upload.refusal === null) throw notFound()
  const isResultRequest = method === 'HEAD' || (method === 'PATCH' && headers['upload-offset'] === String(upload.bytes))
  if (method === 'PATCH' && isResultRequest && Number(headers['content-length'] ?? 0) > 0)
    throw tooLarge(mediaMessages.tusLonger)
  if (!isResultRequest || headers['tus-resumable'] !== '1.0.0') {
    if (upload.finishedAt && method === 'PATCH') throw conflict(mediaMessages.tusOffset)
    return false
  }
  if (!upload.finishedAt && !(await isComplete(ctx, upload))) return false
  const mediaId = await ingestUpload(ctx, id)
  const responseHeaders = {
    'Cache-Control': 'no-store',
    'Upload-Offset': upload.bytes,
    'Upload-Length': upload.bytes,
    'Media-Id': mediaId,
  }
  if (method === 'HEAD') answer(caller, 200, { ...responseHeaders, 'Content-Length': 0 })
  else answer(caller, 204, responseHeaders)
  return true
}

function answer(
  { ctx, incoming, outgoing }: Caller,
  status: number,
  headers: Record<string, string | number>,
  body?: ErrorBody,
): void {
  const text = body && refusalText(ctx, incoming.headers.accept, status, body)
  const type = text === undefined ? {} : { 'Content-Type': typeOf(text) }
  outgoing.writeHead(status, { 'Tus-Resumable': '1.0.0', 'X-Request-Id': ctx.requestId, ...type, ...headers }).end(text)
}

function openEndpoint(system: System): TusEndpoint {
  const server = new UploadServer({
    path: uploadsPath,
    relativeLocation: true,
    datastore: system.gateways.storage.partialUploads.store,
    locker: tusLocker(system),
    lockDrainTimeout: 1000,
    // Only for OPTIONS: onUploadCreate refuses a length that is too large, with the product's message.
    maxSize: (_request, id) => (id === null ? mediaLimits.videoBytes : 0),
    allowedOrigins: () => false,
    namingFunction: () => newId(),
    // The id whose owner was checked, never one parsed from the address a second time.
    getFileIdFromRequest: () => callerOfRequest().id,
    onIncomingRequest: async (request) => {
      const caller = callerOfRequest()
      readFromSocket(request, caller.incoming, () => recordActivity(endpoint, caller))
    },
    onUploadCreate: async (_request, upload) => {
      const caller = callerOfRequest()
      await createUpload(caller.ctx, upload)
      caller.createdId = upload.id
      return {}
    },
    // The tus server still reads an upload that is complete at its creation, so `ingestOnCreation` ingests it later.
    onUploadFinish: async (request, upload) =>
      request.method === 'POST' ? {} : await finishUpload(callerOfRequest(), upload.id),
    onResponseError: async (_request, error) => {
      const caller = callerOfRequest()
      const { ctx, createdId } = caller
      // The caller never learns the address of an upload whose creation failed, so it must not occupy a place.
      if (createdId !== undefined) await discardUploads(ctx, ctx.owner, [createdId], error)
      const isRefusal = 'status_code' in error && (error.status_code < 500 || isTemporary(error.status_code))
      if (!isRefusal) return refusalOf(caller, error)
      if (error.status_code === 404 && (await isFinished(caller)))
        return refusalOf(caller, conflict(mediaMessages.tusOffset))
      return { status_code: error.status_code, body: error.body }
    },
  })
  ingestOnCreation(server)
  const endpoint: TusEndpoint = { server, known: new Map() }
  return endpoint
}

/** Whether the upload was finished meanwhile: the tus server does not find one whose bytes have become an item. */
async function isFinished({ ctx, id }: Caller): Promise<boolean> {
  return id !== undefined && Boolean((await findUpload(ctx.db, ctx.owner, id))?.finishedAt)
}

/** Stores, every few minutes, that bytes of an upload have arrived. */
function recordActivity(endpoint: TusEndpoint, { ctx, id }: Caller): void {
  const known = id === undefined ? undefined : endpoint.known.get(id)
  if (id === undefined || !known || Date.now() - known.recordedAtMs < recordActivityEveryMs) return
  known.recordedAtMs = Date.now()
  // A failure is harmless: later bytes store it again.
  recordArrival(ctx.db, ctx.owner, id, ctx.now()).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'the activity of an upload could not be stored'),
  )
}

/** Ingests a file that was sent with its creation (tus: creation-with-upload), once the tus server is done with it. */
function ingestOnCreation(server: UploadServer): void {
  const { POST } = server.handlers
  const send = POST.send.bind(POST)
  POST.send = async (request, ...rest) => {
    const created = await send(request, ...rest)
    const id = created.headers.get('location')?.split('/').at(-1)
    if (id === undefined || created.headers.get('upload-offset') !== request.headers.get('upload-length'))
      return created
    const { status_code: status = created.status, headers, body } = await finishUpload(callerOfRequest(), id)
    for (const [name, value] of Object.entries(headers)) created.headers.set(name, value)
    if (body !== undefined) created.headers.set('Content-Length', String(Buffer.byteLength(body)))
    return new Response(body ?? created.body, { status, headers: created.headers })
  }
}

/**
 * Replaces the request's body by the socket's own chunks, which the store may free once they are written: the request
 * adapter of the tus server copies each of them.
 */
function readFromSocket(request: TusRequest, incoming: IncomingMessage, onChunk: () => void): void {
  if (request.method !== 'PATCH' && request.method !== 'POST') return
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else {
          onChunk()
          controller.enqueue(value)
        }
      },
    },
    { highWaterMark: 0 },
  )
  Object.defineProperty(request, 'body', { value: body })
}

/** Checks the declared type and size, then inserts the upload for its artist. */
async function createUpload(ctx: SubscriberCtx, upload: Upload): Promise<void> {
  const fileName = cleanFileName(upload.metadata?.['filename'] ?? upload.metadata?.['name'])
  const claimed = declaredType(upload.metadata?.['filetype'] ?? upload.metadata?.['type'], fileName)
  const bytes = upload.size ?? 0
  const wrongType = declaredFileRefusal(claimed, 0)
  if (wrongType !== undefined) throw invalid(wrongType)
  const wrongSize = declaredFileRefusal(claimed, bytes)
  if (wrongSize !== undefined) throw tooLarge(wrongSize)
  if (bytes === 0) throw invalid(emptyFileMessage(claimed))
  await ctx.gateways.diskSpace.requireSpace(bytes)
  await beginUpload(ctx, ctx.owner, { id: upload.id, source: 'tus', fileName, mimeType: claimed, bytes })
}

/** Ingests a complete upload; the response has its Media-Id, or says why the file was refused. */
async function finishUpload(
  { ctx, incoming }: Caller,
  id: string,
): Promise<{ status_code?: number; headers: Record<string, string>; body?: string }> {
  try {
    return { headers: { 'Media-Id': await ingestUpload(ctx, id) } }
  } catch (thrown) {
    const error = toAppError(thrown)
    const { status } = errorTable[error.kind]
    if (error.kind === 'internal') throw thrown
    // A refusal at the end is 400, whatever its kind, unless storage is unavailable or full (which has Retry-After).
    const sentStatus = isTemporary(status) ? status : 400
    const body = refusalText(ctx, incoming.headers.accept, sentStatus, errorBody(error))
    return { status_code: sentStatus, headers: { 'Content-Type': typeOf(body), ...errorHeaders(error) }, body }
  }
}

/** Whether a status means that something is unavailable or full, which is no bug. */
const isTemporary = (status: number) => status === errorTable.unavailable.status || status === errorTable.noRoom.status

/** The status and text of an error that the tus server did not make. */
function refusalOf({ ctx, incoming, outgoing }: Caller, error: unknown): { status_code: number; body: string } {
  const { method } = incoming
  const refusal = toAppError(error)
  const { status } = errorTable[refusal.kind]
  if (refusal.kind === 'internal') ctx.log.error({ err: error, method }, 'an upload request failed')
  if (isTemporary(status))
    ctx.log.warn({ reason: errorLine(error), method }, 'an upload request could not be answered now')
  if (refusal.retryAfter !== undefined && !outgoing.headersSent)
    outgoing.setHeader('retry-after', String(refusal.retryAfter))
  return { status_code: status, body: JSON.stringify(errorBody(refusal)) }
}

/** The refusals of the tus server, which has texts of its own. */
const tusRefusals: Record<number, ErrorBody> = {
  404: { message: errorMessages.notFound, code: 'notFound' },
  409: { message: mediaMessages.tusOffset, code: 'conflict' },
  410: { message: errorMessages.notFound, code: 'notFound' },
  413: { message: mediaMessages.tusLonger, code: 'tooLarge' },
  423: { message: mediaMessages.tusLocked, code: 'locked' },
}

/** The tus server's text for headers that break the protocol. */
const invalidHeaders = /^Invalid ([a-z -]+)$/

/** The error body of a refusal by the tus server; `text` may also be a body of ours. */
function tusRefusal(status: number, text: string): ErrorBody {
  if (text.startsWith('{')) return JSON.parse(text) as ErrorBody
  const [, names] = invalidHeaders.exec(text.trim()) ?? []
  if (names !== undefined) return { message: mediaMessages.tusHeaders(names.split(' ')), code: 'invalid' }
  return tusRefusals[status] ?? { message: errorMessages.malformed, code: 'invalid' }
}

function refusalText(
  { requestId }: Pick<SubscriberCtx, 'requestId'>,
  accept: string | null | undefined,
  status: number,
  body: ErrorBody,
): string {
  return JSON.stringify(withProblemMembers(accept, status, body, requestId))
}

/** Problem details begin with their `type`; no other body does. */
const typeOf = (text: string): string => (text.startsWith('{"type":') ? problemType : 'application/json')

/** The tus server with the product's error bodies. */
class UploadServer extends Server {
  override async write(
    ...[context, headers, status, body = '']: Parameters<Server['write']>
  ): ReturnType<Server['write']> {
    if (status < 400) return await super.write(context, headers, status, body)
    const { ctx, incoming } = callerOfRequest()
    const text = refusalText(ctx, incoming.headers.accept, status, tusRefusal(status, body))
    headers.set('Content-Type', typeOf(text))
    return await super.write(context, headers, status, text)
  }
}

function tusLocker(system: System): Locker {
  return {
    newLock: (id) => {
      let release: (() => Promise<void>) | undefined
      return {
        async lock(signal, requestRelease) {
          try {
            const onWanted = () => void requestRelease()
            release = await system.locks.acquire(uploadLock(id), { signal, waitMs: waitForLockMs, onWanted })
          } catch (error) {
            if (error instanceof LockTimeout)
              throw Object.assign(new Error(mediaMessages.tusLocked), {
                status_code: 423,
                body: mediaMessages.tusLocked,
              })
            throw error
          }
        },
        async unlock() {
          await release?.()
        },
      }
    },
  }
}
