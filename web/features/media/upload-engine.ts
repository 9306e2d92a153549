import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { declaredType } from '@flashsheet/contracts/media/rules'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import Uppy from '@uppy/core'
import Tus, { type TusBody, type TusOptions } from '@uppy/tus'
import { errorBodyOf } from '../../lib/failure.ts'
import { answerMs } from '../../lib/send-files.ts'
import { reportCallError } from '../../lib/session-end.ts'
import type { FileMeta, MediaUppy } from './upload-progress.ts'

/** Events of an upload, by its id. Progress is in Uppy's state. */
export type EngineEvents = {
  /** The server created the upload at this URL. */
  created: (id: string, address: string) => void
  done: (id: string, mediaId: string) => void
  failed: (id: string, message: string, retryable: boolean) => void
}

/** Uploads files by tus; loaded with the first picked file. */
export type Engine = ReturnType<typeof openEngine>

const maxConcurrent = 3
/** Long enough for a phone that changes between Wi-Fi and mobile data. */
const retryDelays = [500, 1000, 3000, 5000, 10_000, 20_000, 30_000]
const offlineMessage = 'The connection was lost. What was uploaded is kept: try again, and it continues from there.'

/** Errors are shown beside the file instead. */
const silentLogger = { debug: () => {}, warn: () => {}, error: () => {} }

/** Opens Uppy without its interface, with tus, which resumes uploads after lost connections, server restarts and reloads. */
export function openEngine(events: EngineEvents) {
  const uppy: MediaUppy = new Uppy<FileMeta, TusBody>({ autoProceed: true, logger: silentLogger })
  uppy.use(Tus, {
    endpoint: '/api/uploads',
    chunkSize: mediaLimits.chunkBytes,
    limit: maxConcurrent,
    retryDelays,
    allowedMetaFields: ['name', 'type'],
    // The same file picked again after its upload becomes another item.
    removeFingerprintOnSuccess: true,
    // A connection that was lost without a word stays open for the browser. The error makes tus resume the upload.
    onBeforeRequest: (request) => {
      const xhr = request.getUnderlyingObject() as XMLHttpRequest
      const startedAt = performance.now()
      const extendTimeout = () => {
        xhr.timeout = performance.now() - startedAt + answerMs
      }
      extendTimeout()
      xhr.upload.addEventListener('progress', extendTimeout)
      xhr.addEventListener('timeout', (event) => xhr.onerror?.(event))
    },
    // After a failed HEAD request tus would start again at byte 0. The error makes it retry the request.
    onAfterResponse: (request, response) => {
      if (request.getMethod() === 'HEAD' && response.getStatus() >= 500) throw new Error('the upload offset is unknown')
    },
  })
  // A conflict of two requests is temporary and retried. A full library is not, so its message is shown at once.
  const shouldRetry =
    (id: string): TusOptions<FileMeta, TusBody>['onShouldRetry'] =>
    (error, _attempt, _options, next) => {
      // After a 408 the server retains the received bytes, so the upload can resume.
      const isSlow = error.originalResponse?.getStatus() === 408
      if (isFull(error.originalResponse?.getBody()) || !(isSlow || next(error))) return false
      if (isSlow || !error.originalResponse || error.originalResponse.getStatus() >= 500) markStalled(id)
      return true
    }
  const files = new Map<string, string>()
  const reported = new Set<string>()
  const uploadIdOf = (file: { meta: FileMeta } | undefined) => file?.meta.entry

  const setStalledAt = (file: string, stalledAt: number | null) =>
    uppy.setFileState(file, { meta: { ...uppy.getFile(file).meta, stalledAt } })
  const markStalled = (id: string) => {
    const file = fileOf(id)
    if (file === undefined) return
    const bytes = Number(uppy.getFile(file).progress.bytesUploaded) || 0
    setStalledAt(file, bytes)
  }
  const clearStall = (file: string) => {
    if (uppy.getFile(file)?.meta.stalledAt !== null) setStalledAt(file, null)
  }

  uppy.on('upload-start', (started) => {
    for (const file of started) clearStall(file.id)
  })
  uppy.on('upload-progress', (file, progress) => {
    const id = uploadIdOf(file)
    if (!file || id === undefined) return
    const address = uppy.getFile(file.id)?.tus?.uploadUrl
    if (address && !reported.has(id)) {
      reported.add(id)
      events.created(id, address)
    }
    // A resumed attempt reports its offset as progress too. Only more bytes than before prove the connection.
    if (Number(progress.bytesUploaded) > (file.meta.stalledAt ?? Infinity)) clearStall(file.id)
  })
  uppy.on('upload-success', (file, response) => {
    const id = uploadIdOf(file)
    if (id === undefined) return
    const mediaId = response.body?.xhr.getResponseHeader('Media-Id')
    if (response.uploadURL && !reported.has(id)) events.created(id, response.uploadURL)
    if (mediaId) events.done(id, mediaId)
    else events.failed(id, mediaMessages.uploadFailedShort, true)
  })
  uppy.on('upload-error', (file, _error, response) => {
    const id = uploadIdOf(file)
    if (!file || id === undefined) return
    const [message, retryable] = readFailure(response?.body?.xhr)
    // Uppy refuses duplicates, so a permanently failed file is removed and can be picked again.
    if (!retryable) queueMicrotask(() => uppy.removeFile(file.id))
    events.failed(id, message, retryable)
  })
  const fileOf = (id: string) => {
    const file = files.get(id)
    return file !== undefined && uppy.getState().files[file] ? file : undefined
  }
  return {
    uppy,
    send(id: string, file: File) {
      const added = uppy.addFile({
        name: file.name,
        type: declaredType(file.type, file.name),
        data: file,
        source: 'Local',
        meta: { name: file.name, type: declaredType(file.type, file.name), entry: id, stalledAt: null },
      })
      files.set(id, added)
      // Options of one file, because Uppy's global `onShouldRetry` does not receive the file.
      uppy.setFileState(added, { tus: { onShouldRetry: shouldRetry(id) } })
    },
    setPaused(id: string, paused: boolean) {
      const file = fileOf(id)
      if (file !== undefined && Boolean(uppy.getFile(file).isPaused) !== paused) uppy.pauseResume(file)
    },
    isPaused(id: string) {
      const file = fileOf(id)
      return file !== undefined && Boolean(uppy.getFile(file).isPaused)
    },
    retry(id: string) {
      const file = fileOf(id)
      // The events report the outcome.
      if (file !== undefined) uppy.retryUpload(file).catch(() => {})
    },
    /** Stops, and deletes what the server has received. */
    cancel(id: string) {
      const file = fileOf(id)
      if (file !== undefined) {
        ignoreAbortErrors(uppy.getPlugin<Tus<FileMeta, TusBody>>('Tus')?.uploaders[file])
        uppy.removeFile(file)
      }
      files.delete(id)
      reported.delete(id)
    },
  }
}

/** Makes aborting ignore errors, because an upload that has become a library item can no longer be deleted. */
function ignoreAbortErrors(upload: { abort: (terminate?: boolean) => Promise<void> } | null | undefined): void {
  if (!upload) return
  const abort = upload.abort.bind(upload)
  upload.abort = async (terminate) => await abort(terminate).catch(() => {})
}

/** The message of the server, and whether a retry may succeed. */
function readFailure(xhr: XMLHttpRequest | undefined): [message: string, retryable: boolean] {
  if (!xhr || xhr.status === 0) return [offlineMessage, true]
  const body = errorBodyOf(parse(xhr.responseText))
  reportCallError(body)
  const isPermanent = [400, 413, 415].includes(xhr.status) && body?.code !== 'full'
  return [body?.message ?? mediaMessages.uploadFailedShort, !isPermanent]
}

function isFull(text: string | undefined): boolean {
  return errorBodyOf(parse(text ?? ''))?.code === 'full'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
