import { Pause, Play, X } from 'lucide-react'
import { formatBytes } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useSettling } from '../../ui/use-settling.ts'
import { FileThumb, FileInfo, UploadStatus } from './file-row.tsx'
import layout from '../../ui/layout.module.css'
import styles from './upload-list.module.css'
import type { Upload } from './upload.ts'
import { WithProgress } from './with-progress.tsx'

export type UploadListProps = {
  uploads: readonly Upload[]
  onPause: (id: string) => void
  onResume: (id: string) => void
  onRetry: (id: string) => void
  /** Cancels a running upload, removes any other. */
  onRemove: (id: string) => void
}

export function UploadList({ uploads, onPause, onResume, onRetry, onRemove }: UploadListProps) {
  return (
    <ul className={layout['panel']} aria-label="Files to Upload" data-settling={useSettling(uploads.length)}>
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
          <div className={styles['acts']}>
            {upload.state === 'started' && (
              <WithProgress uploads={[upload]}>
                {({ each: [progress] }) =>
                  progress?.isPaused ? (
                    <IconButton label={`Resume ${upload.name}`} onPress={() => onResume(upload.id)}>
                      <Play />
                    </IconButton>
                  ) : (
                    progress?.isSending && (
                      <IconButton label={`Pause ${upload.name}`} onPress={() => onPause(upload.id)}>
                        <Pause />
                      </IconButton>
                    )
                  )
                }
              </WithProgress>
            )}
            <IconButton
              label={`${upload.state === 'started' ? 'Cancel' : 'Remove'} ${upload.name}`}
              onPress={() => onRemove(upload.id)}
            >
              <X />
            </IconButton>
          </div>
        </li>
      ))}
    </ul>
  )
}
