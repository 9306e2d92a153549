import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { claimedType } from '@flashsheet/contracts/media/rules'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import Uppy from '@uppy/core'
import Tus, { type TusBody, type TusOptions } from '@uppy/tus'
import { errorBodyOf } from '../../lib/failure.ts'
import { noteRefusal } from '../../lib/session-end.ts'
import type { FileMeta, MediaUppy } from './upload-progress.ts'

/** What the engine tells of an upload, by the id it was given. How far it is stands in Uppy's own state. */
export type EngineEvents = {
  /** The server knows the upload now, under this address. */
  located: (id: string, address: string) => void
  done: (id: string, mediaId: string) => void
  failed: (id: string, message: string, retryable: boolean) => void
}

/** Sends files to the tus door; loaded with the first file that is picked. */
export type Engine = {
  uppy: MediaUppy
  send: (id: string, file: File) => void
  setPaused: (id: string, paused: boolean) => void
  isPaused: (id: string) => boolean
  retry: (id: string) => void
  /** Stops, and tells the server to drop what it has. */
  cancel: (id: string) => void
}

const atOnce = 3
/** Milliseconds; a phone that changes from Wi-Fi to mobile and back needs a while. */
const retryDelays = [500, 1000, 3000, 5000, 10_000, 20_000, 30_000]
const offline = 'The connection was lost. What has arrived is kept: try again and it goes on.'

/** What goes wrong is shown beside the file. */
const silent = { debug: () => {}, warn: () => {}, error: () => {} }

/** Uppy without any of its interface, with tus: resumable over lost connections, restarted servers and reloads. */
export function openEngine(events: EngineEvents): Engine {
  const uppy: MediaUppy = new Uppy<FileMeta, TusBody>({
    autoProceed: true,
    allowMultipleUploadBatches: true,
    logger: silent,
  })
  uppy.use(Tus, {
    endpoint: '/api/uploads',
    chunkSize: mediaLimits.chunkBytes,
    limit: atOnce,
    retryDelays,
    allowedMetaFields: ['name', 'type'],
    // A finished upload is done with: the same file picked again is another item.
    removeFingerprintOnSuccess: true,
    // Told of a failure when it asks how far it is, tus would begin anew, with every byte; so it asks again.
    onAfterResponse: (request, response) => {
      if (request.getMethod() === 'HEAD' && response.getStatus() >= 500)
        throw new Error('the server cannot say just now')
    },
  })
  // A conflict of two requests passes; a full library is one that does not, and must be said at once.
  const retriesOf =
    (id: string): TusOptions<FileMeta, TusBody>['onShouldRetry'] =>
    (error, _attempt, _options, next) => {
      // What was sent too slowly is kept, and goes on from there.
      const isSlow = error.originalResponse?.getStatus() === 408
      if (isFull(error.originalResponse?.getBody()) || !(isSlow || next(error))) return false
      if (isSlow || !error.originalResponse || error.originalResponse.getStatus() >= 500) noteStall(id)
      return true
    }
  const files = new Map<string, string>()
  const located = new Set<string>()
  const entryOf = (file: { meta: FileMeta } | undefined) => file?.meta.entry

  const setStalledAt = (file: string, stalledAt: number | null) =>
    uppy.setFileState(file, { meta: { ...uppy.getFile(file).meta, stalledAt } })
  const noteStall = (id: string) => {
    const file = fileOf(id)
    if (file === undefined) return
    const bytes = Number(uppy.getFile(file).progress.bytesUploaded) || 0
    setStalledAt(file, bytes)
  }
  const endStall = (file: string) => {
    if (uppy.getFile(file)?.meta.stalledAt !== null) setStalledAt(file, null)
  }

  uppy.on('upload-start', (started) => {
    for (const file of started) endStall(file.id)
  })
  uppy.on('upload-progress', (file, progress) => {
    const id = entryOf(file)
    if (!file || id === undefined) return
    const address = uppy.getFile(file.id)?.tus?.uploadUrl
    if (address && !located.has(id)) {
      located.add(id)
      events.located(id, address)
    }
    // Where a try begins again is told as progress too; only bytes that are new say that the way is open.
    if (Number(progress.bytesUploaded) > (file.meta.stalledAt ?? Infinity)) endStall(file.id)
  })
  uppy.on('upload-success', (file, response) => {
    const id = entryOf(file)
    if (id === undefined) return
    const mediaId = response.body?.xhr.getResponseHeader('Media-Id')
    if (response.uploadURL && !located.has(id)) events.located(id, response.uploadURL)
    if (mediaId) events.done(id, mediaId)
    else events.failed(id, mediaMessages.uploadFailedShort, true)
  })
  uppy.on('upload-error', (file, _error, response) => {
    const id = entryOf(file)
    if (!file || id === undefined) return
    const [message, retryable] = readFailure(response?.body?.xhr)
    // Uppy takes no file twice; one that is refused for good must not stand in its own way.
    if (!retryable) queueMicrotask(() => uppy.removeFile(file.id))
    events.failed(id, message, retryable)
  })
  const fileOf = (id: string) => {
    const file = files.get(id)
    return file !== undefined && uppy.getState().files[file] ? file : undefined
  }
  return {
    uppy,
    send(id, file) {
      const added = uppy.addFile({
        name: file.name,
        type: claimedType(file.type, file.name),
        data: file,
        source: 'Local',
        meta: { name: file.name, type: claimedType(file.type, file.name), entry: id, stalledAt: null },
      })
      files.set(id, added)
      // The options of one file: Uppy's own for all do not say which of them waits.
      uppy.setFileState(added, { tus: { onShouldRetry: retriesOf(id) } })
    },
    setPaused(id, paused) {
      const file = fileOf(id)
      if (file !== undefined && Boolean(uppy.getFile(file).isPaused) !== paused) uppy.pauseResume(file)
    },
    isPaused(id) {
      const file = fileOf(id)
      return file !== undefined && Boolean(uppy.getFile(file).isPaused)
    },
    retry(id) {
      const file = fileOf(id)
      // How it ends is told by the events.
      if (file !== undefined) uppy.retryUpload(file).catch(() => {})
    },
    cancel(id) {
      const file = fileOf(id)
      if (file !== undefined) {
        stopQuietly(uppy.getPlugin<Tus<FileMeta, TusBody>>('Tus')?.uploaders[file])
        uppy.removeFile(file)
      }
      files.delete(id)
      located.delete(id)
    },
  }
}

/** Uppy does not look how stopping ends. An upload that became an item in that moment is no longer there to be dropped, which is no fault. */
function stopQuietly(upload: { abort: (terminate?: boolean) => Promise<void> } | null | undefined): void {
  if (!upload) return
  const abort = upload.abort.bind(upload)
  upload.abort = async (terminate) => await abort(terminate).catch(() => {})
}

/** The server's words, and whether the same bytes may fare better another time. */
function readFailure(xhr: XMLHttpRequest | undefined): [message: string, retryable: boolean] {
  if (!xhr || xhr.status === 0) return [offline, true]
  const body = errorBodyOf(parse(xhr.responseText))
  noteRefusal(body)
  const lasting = [400, 413, 415].includes(xhr.status) && body?.code !== 'full'
  return [body?.message ?? mediaMessages.uploadFailedShort, !lasting]
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
