import { useSyncExternalStore } from 'react'
import type { Uploads } from './upload.ts'
import { uploads } from './uploads.ts'

/** Every upload of this window as it is now, by id. */
export function useUploads(): Uploads {
  return useSyncExternalStore(uploads.subscribe, uploads.get)
}
