import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { VideoEncoding } from '@flashsheet/contracts/video'

/**
 * ready: picked, to be sent on a press · begun: Uppy has it, and knows how far it is (`upload-progress.ts`) · done: `item` is
 * in the library · failed: `failure` says why.
 */
export type UploadState = 'ready' | 'begun' | 'done' | 'failed'

/** One picked file on its way into the library. */
export type Upload = {
  /** A timestamp plus the file's name. */
  id: string
  name: string
  type: 'image' | 'video'
  /** Bytes. */
  size: number
  /** Address of a picture to show: the file itself, or a frame of it; null where this browser cannot show one (yet). */
  preview: string | null
  /** Address of the file in this browser. */
  src: string
  /** Seconds; null for images. */
  duration: number | null
  /** As seen; null for images, which the server measures. */
  dimensions: { width: number; height: number } | null
  /** What the networks' rules ask of a video; null for images. */
  film: VideoEncoding | null
  state: UploadState
  /** It stands in the library's list of files until all of that list have arrived. */
  listed: boolean
  /** Why it stopped, as the server or the check before it says. */
  failure: string | null
  /** Whether another try of the same bytes can end better. */
  retryable: boolean
  /** What it became. */
  item: MediaItem | null
}

export type Uploads = ReadonlyMap<string, Upload>

/** What a pick came to: the uploads that began (or had begun before), and why the rest was not taken, from `file` on (null: there was none). */
export type PickResult = { uploads: Upload[]; refusal: { message: string; file: File | null } | null }

/**
 * The library's list of files: what was picked for it, and whatever else of this window is still on its way. Empty once
 * all have arrived (the queue clears).
 */
export function filesToUpload(uploads: Uploads): Upload[] {
  const open = [...uploads.values()].filter((upload) => upload.listed || upload.state !== 'done')
  return open.some((upload) => upload.state !== 'done') ? open : []
}
