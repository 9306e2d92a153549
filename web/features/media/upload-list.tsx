import { Pause, Play, X } from 'lucide-react'
import { formatBytes } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { FileThumb, FileInfo, UploadStatus } from './file-row.tsx'
import layout from '../../ui/layout.module.css'
import styles from './upload-list.module.css'
import { useProgress, type MediaUppy } from './upload-progress.ts'
import type { Upload } from './upload.ts'
import { useUppy } from './use-uploads.ts'

export type UploadListProps = {
  uploads: readonly Upload[]
  onPause: (id: string) => void
  onResume: (id: string) => void
  onRetry: (id: string) => void
  /** Cancels a running upload, removes any other. */
  onRemove: (id: string) => void
}

export function UploadList({ uploads, onRetry, ...handlers }: UploadListProps) {
  return (
    <ul className={layout['panel']} aria-label="Files to Upload">
      {uploads.map((upload) => (
        <li key={upload.id} className={styles['item']}>
          <FileThumb picture={upload.preview} duration={upload.duration} />
          <FileInfo name={upload.name}>
            <UploadStatus
              upload={upload}
              done={`In your library, ${formatBytes(upload.size)}`}
              onRetry={() => onRetry(upload.id)}
            />
          </FileInfo>
          <UploadActions upload={upload} {...handlers} />
        </li>
      ))}
    </ul>
  )
}

function UploadActions({
  upload,
  onPause,
  onResume,
  onRemove,
}: { upload: Upload } & Pick<UploadListProps, 'onPause' | 'onResume' | 'onRemove'>) {
  const uppy = useUppy()
  const isStarted = upload.state === 'started'
  return (
    <div className={styles['acts']}>
      {uppy && isStarted && (
        <PauseButton
          uppy={uppy}
          upload={upload}
          onPause={() => onPause(upload.id)}
          onResume={() => onResume(upload.id)}
        />
      )}
      <IconButton label={`${isStarted ? 'Cancel' : 'Remove'} ${upload.name}`} onPress={() => onRemove(upload.id)}>
        <X />
      </IconButton>
    </div>
  )
}

function PauseButton({
  uppy,
  upload,
  onPause,
  onResume,
}: {
  uppy: MediaUppy
  upload: Upload
  onPause: () => void
  onResume: () => void
}) {
  const [progress] = useProgress(uppy, [upload]).each
  if (progress?.isPaused)
    return (
      <IconButton label={`Resume ${upload.name}`} onPress={onResume}>
        <Play />
      </IconButton>
    )
  return (
    progress?.isSending && (
      <IconButton label={`Pause ${upload.name}`} onPress={onPause}>
        <Pause />
      </IconButton>
    )
  )
}
