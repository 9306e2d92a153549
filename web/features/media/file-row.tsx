import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { Play, RotateCcw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { clock } from '../../lib/clock.ts'
import { formatBytes } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { FileName } from './file-name.tsx'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './file-row.module.css'
import type { UploadProgress } from './upload-progress.ts'
import type { Upload } from './upload.ts'
import { WithProgress } from './with-progress.tsx'

/** The thumbnail of a row: `picture`, otherwise a frame of the video at `video`, otherwise empty. */
export function FileThumb({
  picture,
  video = null,
  duration,
}: {
  picture: string | null
  video?: string | null
  duration: number | null
}) {
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <span className={styles['thumb']}>
      {picture !== null && picture !== broken ? (
        <img className={layout['cover']} src={picture} alt="" onError={() => setBroken(picture)} />
      ) : (
        video !== null && (
          <video className={layout['cover']} src={video} muted playsInline preload="metadata" tabIndex={-1} />
        )
      )}
      {duration !== null && <span className={classes(layout['on-picture'], styles['length'])}>{clock(duration)}</span>}
    </span>
  )
}

export function FileInfo({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes(layout['stack-1'], layout['rest'])}>
      <p className={styles['name']}>
        <FileName name={name} />
      </p>
      {children}
    </div>
  )
}

export function FileNote({ children }: { children: ReactNode }) {
  return <p className={classes(text['count'], styles['note'])}>{children}</p>
}

export function FileProblem({ reason, children }: { reason: string | null; children?: ReactNode }) {
  return (
    <div className={styles['trouble']}>
      <p className={classes(text['error'], styles['reason'])}>{reason}</p>
      {children}
    </div>
  )
}

/** The progress of an upload, or why it stopped. `done`: the text of a finished one. */
export function UploadStatus({
  upload,
  done,
  onRetry,
  onResume,
}: {
  upload: Pick<Upload, 'id' | 'name' | 'size' | 'state' | 'failure' | 'retryable'>
  done: string
  onRetry: () => void
  /** For rows without a button of their own. */
  onResume?: () => void
}) {
  if (upload.state === 'done') return <FileNote>{done}</FileNote>
  if (upload.state === 'failed') {
    return (
      <FileProblem reason={upload.failure}>
        {upload.retryable && (
          <Button size="small" icon={<RotateCcw />} onPress={onRetry}>
            Try again
          </Button>
        )}
      </FileProblem>
    )
  }
  const { name } = upload
  const size = formatBytes(upload.size)
  if (upload.state === 'ready') return <Bar name={name} percent={0} note={`Ready to upload, ${size}`} />
  return (
    <WithProgress uploads={[upload]}>
      {({ each: [progress], percent }) => (
        <Bar name={name} percent={progress?.percent ?? 0} note={noteOf(progress, percent, size)}>
          {progress?.isPaused && onResume && (
            <div>
              <Button size="small" icon={<Play />} onPress={onResume}>
                Resume
              </Button>
            </div>
          )}
        </Bar>
      )}
    </WithProgress>
  )
}

function noteOf(progress: UploadProgress | undefined, percent: number, size: string): string {
  if (progress?.isPaused) return `Paused at ${percent}% of ${size}`
  if (!progress?.isSending) return `Waiting, ${size}`
  if (progress.isStalled) return `${percent}% of ${size}. ${mediaMessages.stalled}`
  return percent >= 99 ? 'Checking…' : `${percent}% of ${size}`
}

function Bar({ name, percent, note, children }: { name: string; percent: number; note: string; children?: ReactNode }) {
  return (
    <div className={layout['stack-1']}>
      <ProgressBar label={`Uploading ${name}`} isLabelHidden value={percent} />
      <FileNote>{note}</FileNote>
      {children}
    </div>
  )
}
