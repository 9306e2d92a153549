import { Pause, Play, RotateCcw, X } from 'lucide-react'
import { clock } from '../../lib/clock.ts'
import { formatBytes } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import styles from './upload-list.module.css'
import type { Upload } from './upload.ts'

export type UploadListProps = {
  /** Shown in this order. */
  uploads: readonly Upload[]
  onPause: (id: string) => void
  onResume: (id: string) => void
  onRetry: (id: string) => void
  /** Cancels one that is under way, takes away one that is done or has failed. */
  onRemove: (id: string) => void
}

/** Files on their way into the library: how far each is, and what can be done about it. */
export function UploadList({ uploads, ...acts }: UploadListProps) {
  return (
    <ul className={styles['list']} aria-label="Files to Upload">
      {uploads.map((upload) => (
        <li key={upload.id} className={styles['item']}>
          <span className={styles['thumb']}>
            {upload.preview && <img src={upload.preview} alt="" />}
            {upload.duration !== null && <span className={styles['length']}>{clock(upload.duration)}</span>}
          </span>
          <div className={styles['words']}>
            <p className={styles['name']}>{upload.name}</p>
            <Standing upload={upload} onRetry={acts.onRetry} />
          </div>
          <Acts upload={upload} {...acts} />
        </li>
      ))}
    </ul>
  )
}

function Standing({ upload, onRetry }: { upload: Upload; onRetry: (id: string) => void }) {
  const size = formatBytes(upload.size)
  if (upload.state === 'done') return <p className={styles['note']}>In your library, {size}</p>
  if (upload.state === 'failed') {
    return (
      <div className={styles['trouble']}>
        <p className={styles['reason']}>{upload.failure}</p>
        {upload.retryable && (
          <Button size="small" icon={<RotateCcw aria-hidden="true" />} onPress={() => onRetry(upload.id)}>
            Try again
          </Button>
        )}
      </div>
    )
  }
  const percent = Math.floor(upload.percent)
  const note = { waiting: `Waiting, ${size}`, paused: `Paused at ${percent}% of ${size}`, sending: percent >= 99 ? 'Checking…' : `${percent}% of ${size}` }[upload.state]
  return (
    <div className={styles['progress']}>
      <ProgressBar label={`Uploading ${upload.name}`} labelHidden value={upload.percent} />
      <p className={styles['note']}>{note}</p>
    </div>
  )
}

function Acts({ upload, onPause, onResume, onRemove }: { upload: Upload } & Pick<UploadListProps, 'onPause' | 'onResume' | 'onRemove'>) {
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
