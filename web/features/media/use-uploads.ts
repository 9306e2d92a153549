import { useEffect, useSyncExternalStore } from 'react'
import { trpc } from '../../lib/trpc.ts'
import type { Uploads } from './upload.ts'
import { onLibraryChanged, uploads } from './uploads.ts'

/** Every upload of this window as it is now, by id. */
export function useUploads(): Uploads {
  return useSyncExternalStore(uploads.subscribe, uploads.get)
}

/** Keeps what this screen shows of the library in step with the uploads of this window. */
export function useLibraryInStep(): void {
  const utils = trpc.useUtils()
  useEffect(() => onLibraryChanged(() => void utils.media.invalidate()), [utils])
}
