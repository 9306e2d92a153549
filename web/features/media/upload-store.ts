import { declaredType, declaredFileRefusal } from '@flashsheet/contracts/media/rules'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { failureOf } from '../../lib/failure.ts'
import { createListeners } from '../../ui/listeners.ts'
import { filesToUpload, type PickResult, type Upload, type Uploads } from './upload.ts'
import type { Engine, EngineEvents } from './upload-engine.ts'
import type { MediaUppy } from './upload-progress.ts'
import type { VideoMetadata } from './read-video-metadata.ts'

/** The browser and the server, which tests replace. */
export type UploadEnvironment = {
  openEngine: (events: EngineEvents) => Promise<Engine>
  readVideoMetadata: (file: File) => Promise<VideoMetadata>
  drawPoster: (src: string, duration: number) => Promise<Blob | null>
  sendPoster: (address: string, poster: Blob) => Promise<void>
  fetchItem: (mediaId: string) => Promise<MediaItem>
  /** Something in the library changed. */
  onLibraryChanged: () => void
  addressOf: (blob: Blob) => string
  revokeAddress: (address: string) => void
  now: () => number
}

export type UploadStore = ReturnType<typeof createUploadStore>

/** Equal for a file that is picked again. */
const fileKey = (file: File) => [file.name, file.size, file.lastModified, file.type].join('/')

/**
 * All uploads of the window. Outside of components, because an upload starts when its file is picked, and continues during navigation
 * (docs/decisions/0003-uploads-begin-at-the-pick.md).
 */
export function createUploadStore(environment: UploadEnvironment) {
  let uploads: Uploads = new Map()
  const files = new Map<string, File>()
  const posters = new Map<string, Blob>()
  const addresses = new Map<string, string>()
  /** Of files that the server has stored. */
  const mediaIds = new Map<string, string>()
  const { subscribe, notify } = createListeners()
  let engine: Promise<Engine> | undefined
  let opened: Engine | null = null

  const publish = (next: Uploads) => {
    uploads = next
    notify()
  }
  const change = (id: string, patch: Partial<Upload>) => {
    const upload = uploads.get(id)
    if (upload) publish(new Map(uploads).set(id, { ...upload, ...patch }))
  }
  const fail = (id: string, failure: string, retryable: boolean) => change(id, { state: 'failed', failure, retryable })

  /** Sends the poster once both it and the upload's URL exist. */
  const sendPosterWhenReady = (id: string) => {
    const [poster, address] = [posters.get(id), addresses.get(id)]
    if (!poster || address === undefined) return
    posters.delete(id)
    environment.sendPoster(address, poster).then(environment.onLibraryChanged, () => {
      // Without it the server makes a poster.
    })
  }

  const fetchItem = (id: string, mediaId: string) => {
    environment.fetchItem(mediaId).then(
      (item) => change(id, { state: 'done', failure: null, item }),
      // After its deletion, only picking the file again helps.
      (error: unknown) => fail(id, mediaMessages.uploadFailedShort, failureOf(error, '').code !== 'notFound'),
    )
  }

  const events: EngineEvents = {
    created: (id, address) => {
      addresses.set(id, address)
      sendPosterWhenReady(id)
    },
    done: (id, mediaId) => {
      environment.onLibraryChanged()
      mediaIds.set(id, mediaId)
      fetchItem(id, mediaId)
    },
    failed: fail,
  }
  const withEngine = (id: string, act: (engine: Engine) => void) => {
    engine ??= environment.openEngine(events).then((loaded) => {
      opened = loaded
      publish(new Map(uploads))
      return loaded
    })
    const loaded = engine.catch((error: unknown) => {
      // The chunk could not be loaded; the next attempt requests it again.
      engine = undefined
      throw error
    })
    loaded.then(act).catch(() => fail(id, mediaMessages.uploadFailed, true))
  }

  const send = (id: string): void => {
    const file = files.get(id)
    if (!file || uploads.get(id)?.state !== 'ready') return
    change(id, { state: 'started' })
    withEngine(id, (ready) => ready.send(id, file))
  }

  const register = (file: File, type: Upload['type'], metadata: VideoMetadata | null, hold: boolean): Upload => {
    const stamp = environment.now()
    let id = `${stamp}-${file.name}`
    for (let n = 1; uploads.has(id); n++) id = `${stamp}-${n}-${file.name}`
    const src = environment.addressOf(file)
    const upload: Upload = {
      id,
      name: file.name,
      type,
      size: file.size,
      preview: type === 'image' ? src : null,
      src,
      duration: metadata?.duration ?? null,
      dimensions: metadata?.dimensions ?? null,
      encoding: metadata?.encoding ?? null,
      state: 'ready',
      isListed: hold,
      failure: null,
      retryable: true,
      item: null,
    }
    files.set(id, file)
    publish(new Map(uploads).set(id, upload))
    if (!hold) send(id)
    if (metadata) {
      void environment.drawPoster(src, metadata.duration).then((poster) => {
        if (!poster || !uploads.has(id)) return
        posters.set(id, poster)
        change(id, { preview: environment.addressOf(poster) })
        sendPosterWhenReady(id)
      })
    }
    return uploads.get(id) ?? upload
  }

  const retry = (id: string): void => {
    if (uploads.get(id)?.state !== 'failed') return
    change(id, { state: 'started', failure: null })
    const mediaId = mediaIds.get(id)
    if (mediaId === undefined) withEngine(id, (ready) => ready.retry(id))
    else fetchItem(id, mediaId)
  }

  /** The upload of the same file, unless it failed permanently. */
  const findExisting = (file: File): Upload | undefined => {
    const same = [...files].find(([id, other]) => fileKey(other) === fileKey(file) && uploads.get(id)?.retryable)
    return same && uploads.get(same[0])
  }

  const add = async (picked: readonly File[], { hold = false }: { hold?: boolean } = {}): Promise<PickResult> => {
    if (picked.length === 0) return { uploads: [], refusal: { message: mediaMessages.emptyPick, file: null } }
    const accepted: Upload[] = []
    for (const file of picked) {
      const existing = findExisting(file)
      if (existing) {
        if (!hold) send(existing.id)
        retry(existing.id)
        accepted.push(uploads.get(existing.id) ?? existing)
        continue
      }
      const claimed = declaredType(file.type, file.name)
      const refusal = declaredFileRefusal(claimed, file.size)
      if (refusal !== undefined) return { uploads: accepted, refusal: { message: refusal, file } }
      try {
        const isVideo = claimed.startsWith('video/')
        accepted.push(
          register(file, isVideo ? 'video' : 'image', isVideo ? await environment.readVideoMetadata(file) : null, hold),
        )
      } catch (error) {
        // A TypeError means that the script that reads videos could not be loaded.
        const isVideoRefused = error instanceof Error && !(error instanceof TypeError)
        return {
          uploads: accepted,
          refusal: { message: isVideoRefused ? error.message : mediaMessages.uploadFailed, file },
        }
      }
    }
    return { uploads: accepted, refusal: null }
  }

  const remove = (id: string): void => {
    const upload = uploads.get(id)
    if (!upload) return
    if (upload.state !== 'ready') withEngine(id, (ready) => ready.cancel(id))
    environment.revokeAddress(upload.src)
    if (upload.preview !== null && upload.preview !== upload.src) environment.revokeAddress(upload.preview)
    for (const map of [files, posters, addresses, mediaIds]) map.delete(id)
    const next = new Map(uploads)
    next.delete(id)
    publish(next)
  }

  /** Empties the library's list once all its files are uploaded. */
  const clearList = (): void => {
    if (filesToUpload(uploads).length > 0) return
    for (const upload of uploads.values()) if (upload.isListed) remove(upload.id)
  }

  /** The items of these uploads; undefined while one is running. Throws the message of the first failed or paused one. */
  const uploadedItems = (ids: readonly string[]): MediaItem[] | undefined => {
    const items: MediaItem[] = []
    for (const id of ids) {
      const upload = uploads.get(id)
      if (!upload || upload.state === 'failed' || (!upload.item && opened?.isPaused(id)))
        throw new Error(upload?.failure ?? mediaMessages.uploadFailed)
      if (upload.item) items.push(upload.item)
    }
    return items.length === ids.length ? items : undefined
  }

  const awaitUploads = async (ids: readonly string[]): Promise<MediaItem[]> =>
    await new Promise((resolve, reject) => {
      let stop = () => {}
      const settle = () => {
        try {
          const items = uploadedItems(ids)
          if (!items) return
          resolve(items)
        } catch (error) {
          reject(error instanceof Error ? error : new Error(mediaMessages.uploadFailed))
        }
        stop()
      }
      stop = subscribe(settle)
      settle()
    })

  return {
    subscribe,
    get: (): Uploads => uploads,
    /**
     * Checks picked files and uploads each at once, or with `hold` at a later `send`. Stops at the first refused file and returns its
     * message. For a file that is already being uploaded it returns that upload.
     */
    add,
    /** Sends a file that was added with `hold`; no effect on others. */
    send,
    clearList,
    pause(id: string): void {
      withEngine(id, (ready) => {
        ready.setPaused(id, true)
        // Notifies subscribers: `awaitUploads` rejects when an upload is paused.
        publish(new Map(uploads))
      })
    },
    resume(id: string): void {
      withEngine(id, (ready) => ready.setPaused(id, false))
    },
    /** Uppy, which has the progress of each upload; null until the first file is sent. */
    uppy: (): MediaUppy | null => opened?.uppy ?? null,
    isPaused: (id: string): boolean => opened?.isPaused(id) ?? false,
    /** The uploads that are not paused. */
    running: (): Upload[] =>
      [...uploads.values()].filter(({ id, state }) => state === 'started' && !opened?.isPaused(id)),
    /** Resumes from the server's offset. */
    retry,
    /** Cancels an upload and deletes its bytes on the server; a finished one is only removed from the list. */
    remove,
    /** Resolves with the items, in order, once all are uploaded. Rejects with the first failure. */
    awaitUploads,
  }
}
