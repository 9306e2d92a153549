import type { State, Uppy } from '@uppy/core'
import { useUppyState } from '@uppy/react'
import type { TusBody } from '@uppy/tus'
import type { Upload } from './upload.ts'

/** Our metadata on Uppy's files. `entry`: the upload's id; `stalledAt`: bytes sent when the server was last unreachable. */
export type FileMeta = { name: string; type: string; entry: string; stalledAt: number | null }
export type MediaUppy = Uppy<FileMeta, TusBody>
export type UppyFiles = State<FileMeta, TusBody>['files']

export type UploadProgress = {
  /** 0–99 by bytes; the last percent is the server's check of the file. */
  percent: number
  isSending: boolean
  isPaused: boolean
  /** The server is unreachable; retries are automatic. */
  isStalled: boolean
}

export function progressOf(files: UppyFiles, { id, size }: Pick<Upload, 'id' | 'size'>): UploadProgress {
  const file = Object.values(files).find(({ meta }) => meta.entry === id)
  const bytes = Number(file?.progress.bytesUploaded) || 0
  return {
    // An empty file has no bytes to count.
    percent: Math.min(99, (100 * bytes) / (size || 1)),
    isSending: Boolean(file?.progress.uploadStarted),
    isPaused: Boolean(file?.isPaused),
    isStalled: typeof file?.meta.stalledAt === 'number',
  }
}

/** The progress of each upload, and of all together; finished ones count as 100 percent. */
export function useProgress(uppy: MediaUppy, uploads: readonly Pick<Upload, 'id' | 'size' | 'state'>[]) {
  const files = useUppyState(uppy, (state) => state.files)
  const each = uploads.map((upload) => progressOf(files, upload))
  const sum = uploads.reduce((all, { state }, at) => all + (state === 'done' ? 100 : (each[at]?.percent ?? 0)), 0)
  return { each, percent: uploads.length === 0 ? 0 : Math.floor(sum / uploads.length) }
}
