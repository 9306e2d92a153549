import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { VideoEncoding } from '@flashsheet/contracts/video'

/**
 * ready: picked, and uploaded later · started: in Uppy, which has its progress (`upload-progress.ts`) · done: `item` is in the library ·
 * failed: `failure` is the reason.
 */
type UploadState = 'ready' | 'started' | 'done' | 'failed'

export type Upload = {
  /** A timestamp plus the file's name. */
  id: string
  name: string
  type: 'image' | 'video'
  /** Bytes. */
  size: number
  /** URL of the image or of a frame of the video; null while this browser has none. */
  preview: string | null
  /** Object URL of the local file. */
  src: string
  /** Seconds; null for images. */
  duration: number | null
  /** After rotation; null for images, which the server measures. */
  dimensions: { width: number; height: number } | null
  /** Encoding that the networks' rules check; null for images. */
  encoding: VideoEncoding | null
  state: UploadState
  /** Was picked for the library, whose list shows it until all files of the list are uploaded. */
  isListed: boolean
  /** The message of the server, or of the check before the upload. */
  failure: string | null
  retryable: boolean
  item: MediaItem | null
}

export type Uploads = ReadonlyMap<string, Upload>

/** The uploads of a pick, including those that were already running, and why the files from `file` on were refused. */
export type PickResult = { uploads: Upload[]; refusal: { message: string; file: File | null } | null }

/**
 * The library's list of files: those picked for the library, and all other running uploads of this window. Empty once all are
 * uploaded.
 */
export function filesToUpload(uploads: Uploads): Upload[] {
  const open = [...uploads.values()].filter((upload) => upload.isListed || upload.state !== 'done')
  return open.some((upload) => upload.state !== 'done') ? open : []
}
