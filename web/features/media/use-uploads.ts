import { useSyncExternalStore } from 'react'
import type { MediaUppy } from './upload-progress.ts'
import type { Uploads } from './upload.ts'
import { uploads } from './uploads.ts'

export function useUploads(): Uploads {
  return useSyncExternalStore(uploads.subscribe, uploads.get)
}

/** Uppy, for `useProgress`; null until the first file is sent. */
export function useUppy(): MediaUppy | null {
  return useSyncExternalStore(uploads.subscribe, uploads.uppy)
}
