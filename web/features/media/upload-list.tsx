import { Pause, Play, X } from 'lucide-react'
import { formatBytes } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { FileThumb, FileWords, UploadStanding } from './file-row.tsx'
import styles from './upload-list.module.css'
import type { Upload } from './upload.ts'

export type UploadListProps = {
  /** Shown in this order. */
  uploads: readonly Upload[]
  onPause: (id: string) => void
  onResume: (id: string) => void
  onRetry: (id: string) => void
  /** Cancels one that is under way, takes away one that is not. */
  onRemove: (id: string) => void
}

/** Files on their way into the library: how far each is, and what can be done about it. */
export function UploadList({ uploads, onRetry, ...acts }: UploadListProps) {
  return (
    <ul className={styles['list']} aria-label="Files to Upload">
      {uploads.map((upload) => (
        <li key={upload.id} className={styles['item']}>
          <FileThumb picture={upload.preview} duration={upload.duration} />
          <FileWords name={upload.name}>
            <UploadStanding
              upload={upload}
              done={`In your library, ${formatBytes(upload.size)}`}
              onRetry={() => onRetry(upload.id)}
            />
          </FileWords>
          <Acts upload={upload} {...acts} />
        </li>
      ))}
    </ul>
  )
}

function Acts({
  upload,
  onPause,
  onResume,
  onRemove,
}: { upload: Upload } & Pick<UploadListProps, 'onPause' | 'onResume' | 'onRemove'>) {
  const under = upload.state === 'waiting' || upload.state === 'sending' || upload.state === 'paused'
  return (
    <div className={styles['acts']}>
      {upload.state === 'sending' && (
        <IconButton label={`Pause ${upload.name}`} onPress={() => onPause(upload.id)}>
          <Pause aria-hidden="true" />
        </IconButton>
      )}
      {upload.state === 'paused' && (
        <IconButton label={`Resume ${upload.name}`} onPress={() => onResume(upload.id)}>
          <Play aria-hidden="true" />
        </IconButton>
      )}
      <IconButton label={`${under ? 'Cancel' : 'Remove'} ${upload.name}`} onPress={() => onRemove(upload.id)}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  )
}
