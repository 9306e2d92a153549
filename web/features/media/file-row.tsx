import { Play, RotateCcw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { clock } from '../../lib/clock.ts'
import { formatBytes } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { FileName } from './file-name.tsx'
import layout from '../../ui/layout.module.css'
import styles from './file-row.module.css'
import { useProgress, type MediaUppy } from './upload-progress.ts'
import type { Upload } from './upload.ts'
import { useUppy } from './use-uploads.ts'

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
        <img src={picture} alt="" onError={() => setBroken(picture)} />
      ) : (
        video !== null && <video src={video} muted playsInline preload="metadata" tabIndex={-1} />
      )}
      {duration !== null && <span className={styles['length']}>{clock(duration)}</span>}
    </span>
  )
}

export function FileInfo({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles['words']}>
      <p className={styles['name']}>
        <FileName name={name} />
      </p>
      {children}
    </div>
  )
}

export function FileNote({ children }: { children: ReactNode }) {
  return <p className={styles['note']}>{children}</p>
}

export function FileProblem({ reason, children }: { reason: string | null; children?: ReactNode }) {
  return (
    <div className={styles['trouble']}>
      <p className={styles['reason']}>{reason}</p>
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
  const uppy = useUppy()
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
  if (uppy && upload.state === 'started') return <Progress uppy={uppy} upload={upload} onResume={onResume} />
  const size = formatBytes(upload.size)
  return (
    <Bar name={upload.name} percent={0} note={`${upload.state === 'ready' ? 'Ready to upload' : 'Waiting'}, ${size}`} />
  )
}

function Progress({
  uppy,
  upload,
  onResume,
}: {
  uppy: MediaUppy
  upload: Pick<Upload, 'id' | 'name' | 'size' | 'state'>
  onResume: (() => void) | undefined
}) {
  const { each, percent } = useProgress(uppy, [upload])
  const [progress] = each
  const size = formatBytes(upload.size)
  const note = progress?.isPaused
    ? `Paused at ${percent}% of ${size}`
    : !progress?.isSending
      ? `Waiting, ${size}`
      : progress.isStalled
        ? `${percent}% of ${size}. No connection: it goes on by itself.`
        : percent >= 99
          ? 'Checking…'
          : `${percent}% of ${size}`
  return (
    <Bar name={upload.name} percent={progress?.percent ?? 0} note={note}>
      {progress?.isPaused && onResume && (
        <div>
          <Button size="small" icon={<Play />} onPress={onResume}>
            Resume
          </Button>
        </div>
      )}
    </Bar>
  )
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
