import { claimedType, refuseDeclaredFile } from '@flashsheet/contracts/media/rules'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { filesToUpload, type PickResult, type Upload, type Uploads } from './upload.ts'
import type { Engine, EngineEvents } from './upload-engine.ts'
import type { MediaUppy } from './upload-progress.ts'
import type { VideoMetadata } from './read-video-metadata.ts'

/** Dependencies, so that tests replace browser and server. */
export type UploadEnvironment = {
  openEngine: (events: EngineEvents) => Promise<Engine>
  readVideoMetadata: (file: File) => Promise<VideoMetadata>
  drawPoster: (src: string, duration: number) => Promise<Blob | null>
  sendPoster: (address: string, poster: Blob) => Promise<void>
  fetchItem: (mediaId: string) => Promise<MediaItem>
  /** Something in the library changed. */
  onLibraryChanged: () => void
  addressOf: (blob: Blob) => string
  forgetAddress: (address: string) => void
  now: () => number
}

export type UploadStore = ReturnType<typeof createUploadStore>

/** A picked file is the same as one picked before. */
const nameOf = (file: File) => [file.name, file.size, file.lastModified, file.type].join('/')

/** All uploads of the window, outside of components, since they start at the pick and survive navigation (decision 3). */
export function createUploadStore(around: UploadEnvironment) {
  let uploads: Uploads = new Map()
  const files = new Map<string, File>()
  const posters = new Map<string, Blob>()
  const addresses = new Map<string, string>()
  const listeners = new Set<() => void>()
  let engine: Promise<Engine> | undefined
  let opened: Engine | null = null

  const publish = (next: Uploads) => {
    uploads = next
    for (const listener of listeners) listener()
  }
  const change = (id: string, patch: Partial<Upload>) => {
    const upload = uploads.get(id)
    if (upload) publish(new Map(uploads).set(id, { ...upload, ...patch }))
  }
  const fail = (id: string, failure: string, retryable: boolean) => change(id, { state: 'failed', failure, retryable })

  /** Sends the poster once both it and the upload's address exist. */
  const offerPoster = (id: string) => {
    const [poster, address] = [posters.get(id), addresses.get(id)]
    if (!poster || address === undefined) return
    posters.delete(id)
    around.sendPoster(address, poster).then(around.onLibraryChanged, () => {
      // The server makes a poster itself, so a failure here does not matter.
    })
  }

  const events: EngineEvents = {
    located: (id, address) => {
      addresses.set(id, address)
      offerPoster(id)
    },
    done: (id, mediaId) => {
      around.onLibraryChanged()
      around.fetchItem(mediaId).then(
        (item) => change(id, { state: 'done', failure: null, item }),
        () => fail(id, mediaMessages.uploadFailedShort, true),
      )
    },
    failed: fail,
  }
  const withEngine = (id: string, act: (engine: Engine) => void) => {
    engine ??= around.openEngine(events).then((loaded) => {
      opened = loaded
      publish(new Map(uploads))
      return loaded
    })
    const loaded = engine.catch((error: unknown) => {
      // A chunk did not load; the next try requests it again.
      engine = undefined
      throw error
    })
    loaded.then(act).catch(() => fail(id, mediaMessages.uploadFailed, true))
  }

  const send = (id: string): void => {
    const file = files.get(id)
    if (!file || uploads.get(id)?.state !== 'ready') return
    change(id, { state: 'begun' })
    withEngine(id, (ready) => ready.send(id, file))
  }

  const begin = (file: File, type: Upload['type'], metadata: VideoMetadata | null, hold: boolean): Upload => {
    const stamp = around.now()
    let id = `${stamp}-${file.name}`
    for (let n = 1; uploads.has(id); n++) id = `${stamp}-${n}-${file.name}`
    const src = around.addressOf(file)
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
      listed: hold,
      failure: null,
      retryable: true,
      item: null,
    }
    files.set(id, file)
    publish(new Map(uploads).set(id, upload))
    if (!hold) send(id)
    if (metadata) {
      void around.drawPoster(src, metadata.duration).then((poster) => {
        if (!poster || !uploads.has(id)) return
        posters.set(id, poster)
        change(id, { preview: around.addressOf(poster) })
        offerPoster(id)
      })
    }
    return uploads.get(id) ?? upload
  }

  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  const retry = (id: string): void => {
    if (uploads.get(id)?.state !== 'failed') return
    change(id, { state: 'begun', failure: null })
    withEngine(id, (ready) => ready.retry(id))
  }

  /** The upload of the same file, unless it failed for good. */
  const known = (file: File): Upload | undefined => {
    const same = [...files].find(([id, other]) => nameOf(other) === nameOf(file) && uploads.get(id)?.retryable)
    return same && uploads.get(same[0])
  }

  const add = async (picked: readonly File[], { hold = false }: { hold?: boolean } = {}): Promise<PickResult> => {
    if (picked.length === 0) return { uploads: [], refusal: { message: mediaMessages.emptyPick, file: null } }
    const taken: Upload[] = []
    for (const file of picked) {
      const before = known(file)
      if (before) {
        if (!hold) send(before.id)
        retry(before.id)
        taken.push(uploads.get(before.id) ?? before)
        continue
      }
      const claimed = claimedType(file.type, file.name)
      const refusal = refuseDeclaredFile(claimed, file.size)
      if (refusal !== undefined) return { uploads: taken, refusal: { message: refusal, file } }
      try {
        const isVideo = claimed.startsWith('video/')
        taken.push(
          begin(file, isVideo ? 'video' : 'image', isVideo ? await around.readVideoMetadata(file) : null, hold),
        )
      } catch (error) {
        return {
          uploads: taken,
          refusal: { message: error instanceof Error ? error.message : mediaMessages.videoUnreadable, file },
        }
      }
    }
    return { uploads: taken, refusal: null }
  }

  const remove = (id: string): void => {
    const upload = uploads.get(id)
    if (!upload) return
    if (upload.state !== 'ready') withEngine(id, (ready) => ready.cancel(id))
    around.forgetAddress(upload.src)
    if (upload.preview !== null && upload.preview !== upload.src) around.forgetAddress(upload.preview)
    for (const map of [files, posters, addresses]) map.delete(id)
    const next = new Map(uploads)
    next.delete(id)
    publish(next)
  }

  /** Empties the library's list once all of it has been uploaded. */
  const clearList = (): void => {
    if (filesToUpload(uploads).length > 0) return
    for (const upload of uploads.values()) if (upload.listed) remove(upload.id)
  }

  /** The items of these uploads; undefined while one is running. Throws the message of the first failed one. */
  const arrived = (ids: readonly string[]): MediaItem[] | undefined => {
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
      const look = () => {
        try {
          const items = arrived(ids)
          if (!items) return
          resolve(items)
        } catch (error) {
          reject(error instanceof Error ? error : new Error(mediaMessages.uploadFailed))
        }
        stop()
      }
      stop = subscribe(look)
      look()
    })

  return {
    subscribe,
    get: (): Uploads => uploads,
    /**
     * Checks picked files and uploads each at once, or with `hold` on a later `send`. Stops at the first refused file, with its message. A
     * file that is being uploaded already is returned, not sent twice.
     */
    add,
    /** Sends one that was held; nothing for any other. */
    send,
    clearList,
    pause(id: string): void {
      withEngine(id, (ready) => {
        ready.setPaused(id, true)
        // Notifies subscribers: `arrive` rejects when an upload is paused.
        publish(new Map(uploads))
      })
    },
    resume(id: string): void {
      withEngine(id, (ready) => ready.setPaused(id, false))
    },
    /** Uppy, which has the progress of each upload; null until the first file is sent. */
    uppy: (): MediaUppy | null => opened?.uppy ?? null,
    isPaused: (id: string): boolean => opened?.isPaused(id) ?? false,
    /** Uploads that are running. */
    underWay: (): Upload[] =>
      [...uploads.values()].filter(({ id, state }) => state === 'begun' && !opened?.isPaused(id)),
    /** Resumes from the server's offset. */
    retry,
    /** Cancels an upload and deletes its bytes; a finished one is only removed from the list. */
    remove,
    /** Resolves with the items, in order, once all are uploaded. Rejects with the first failure. */
    awaitUploads,
  }
}
