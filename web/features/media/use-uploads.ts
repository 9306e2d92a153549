import { useCallback, useSyncExternalStore } from 'react'
import { progressOf, type UppyFiles } from './upload-progress.ts'
import type { Upload, Uploads } from './upload.ts'
import { uploads } from './uploads.ts'

export function useUploads(): Uploads {
  return useSyncExternalStore(uploads.subscribe, uploads.get)
}

const noFiles: UppyFiles = {}

/** The progress of each upload, and of all together; finished ones count as 100 percent. Uppy is loaded with the first file that is sent. */
export function useProgress(of: readonly Pick<Upload, 'id' | 'size' | 'state'>[]) {
  const uppy = useSyncExternalStore(uploads.subscribe, uploads.uppy)
  const subscribe = useCallback(
    (listener: () => void) => {
      uppy?.on('state-update', listener)
      return () => uppy?.off('state-update', listener)
    },
    [uppy],
  )
  const files = useSyncExternalStore(subscribe, () => uppy?.getState().files ?? noFiles)
  const each = of.map((upload) => progressOf(files, upload))
  const sum = of.reduce((all, { state }, at) => all + (state === 'done' ? 100 : (each[at]?.percent ?? 0)), 0)
  return { each, percent: of.length === 0 ? 0 : Math.floor(sum / of.length) }
}
