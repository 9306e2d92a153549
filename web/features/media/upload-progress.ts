import type { State, Uppy } from '@uppy/core'
import { useUppyState } from '@uppy/react'
import type { TusBody } from '@uppy/tus'
import type { Upload } from './upload.ts'

/** What Uppy keeps with a file for us. `entry`: the upload's id; `stalledAt`: bytes that had gone when the server was last out of reach. */
export type FileMeta = { name: string; type: string; entry: string; stalledAt: number | null }
export type MediaUppy = Uppy<FileMeta, TusBody>
export type UppyFiles = State<FileMeta, TusBody>['files']

export type UploadProgress = {
  /** 0–99 of the bytes that arrived; the last percent is the server's, which looks at what came. */
  percent: number
  /** Its turn came. */
  isSending: boolean
  isPaused: boolean
  /** The server cannot be reached; it is asked again by itself. */
  isStalled: boolean
}

/** How far an upload is, by Uppy's files. */
export function progressOf(files: UppyFiles, { id, size }: Pick<Upload, 'id' | 'size'>): UploadProgress {
  const file = Object.values(files).find(({ meta }) => meta.entry === id)
  const bytes = Number(file?.progress.bytesUploaded) || 0
  return {
    percent: Math.min(99, (100 * bytes) / size),
    isSending: Boolean(file?.progress.uploadStarted),
    isPaused: Boolean(file?.isPaused),
    isStalled: typeof file?.meta.stalledAt === 'number',
  }
}

/** How far these are; of what is in the library, all of it. */
export function useProgress(uppy: MediaUppy, uploads: readonly Pick<Upload, 'id' | 'size' | 'state'>[]) {
  const files = useUppyState(uppy, (state) => state.files)
  const each = uploads.map((upload) => progressOf(files, upload))
  const sum = uploads.reduce((all, { state }, at) => all + (state === 'done' ? 100 : (each[at]?.percent ?? 0)), 0)
  return { each, percent: uploads.length === 0 ? 0 : Math.floor(sum / uploads.length) }
}
