import type { ReactNode } from 'react'
import { useProgress, type MediaUppy } from './upload-progress.ts'
import type { Upload } from './upload.ts'
import { useUppy } from './use-uploads.ts'

type Props = {
  uploads: readonly Pick<Upload, 'id' | 'size' | 'state'>[]
  children: (progress: ReturnType<typeof useProgress>) => ReactNode
}

/** Renders `children` with the progress of these uploads, whenever it changes. Until the first file is sent there is none. */
export function WithProgress({ uploads, children }: Props) {
  const uppy = useUppy()
  if (!uppy) return children({ each: [], percent: 0 })
  return (
    <Tracked uppy={uppy} uploads={uploads}>
      {children}
    </Tracked>
  )
}

function Tracked({ uppy, uploads, children }: Props & { uppy: MediaUppy }) {
  return children(useProgress(uppy, uploads))
}
