import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { ChevronDown, Pause, Play, Upload as UploadIcon } from 'lucide-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { UploadDrop } from './upload-drop.tsx'
import { UploadList } from './upload-list.tsx'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './upload-section.module.css'
import { filesToUpload, type Upload, type Uploads } from './upload.ts'
import { uploads } from './uploads.ts'
import { useUploads } from './use-uploads.ts'
import { WithProgress } from './with-progress.tsx'

/** `count`: items in the library. */
export function UploadSection({ count = 0 }: { count: number | undefined }) {
  const uploadsNow = useUploads()
  const files = filesToUpload(uploadsNow)
  useEffect(() => uploads.clearList(), [uploadsNow])
  const unfinished = files.filter((upload) => upload.state !== 'done').length
  const room = Math.max(0, mediaLimits.libraryItems - count - unfinished)
  return (
    <section className={layout['stack-5']} aria-label="Upload">
      <UploadDrop room={room} full={count >= mediaLimits.libraryItems} />
      {files.length > 0 && <Files files={files} />}
      <UploadOutcome uploads={uploadsNow} />
    </section>
  )
}

/** Announces how many files are being uploaded, and then the outcome, when the list is already gone. */
export function UploadOutcome({ uploads: uploadsNow }: { uploads: Uploads }) {
  const files = filesToUpload(uploadsNow)
  const count = (state: Upload['state']) => files.filter((upload) => upload.state === state).length
  // The list is emptied when all its files are uploaded, but also when the last one is removed from it.
  const [isUploaded, setIsUploaded] = useState(false)
  const isDone = files.length === 0 && [...uploadsNow.values()].some((upload) => upload.isListed)
  if (isUploaded ? files.length > 0 : isDone) setIsUploaded(isDone)
  return (
    <output>
      <VisuallyHidden>
        {count('started') > 0
          ? `Uploading ${count('started')} of ${files.length} files`
          : count('failed') > 0
            ? `${count('failed')} of ${files.length} files could not be uploaded`
            : isUploaded && 'All files uploaded'}
      </VisuallyHidden>
    </output>
  )
}

/** Longer lists are collapsed, so that the library below stays visible. */
const shownUnfolded = 3

function Files({ files }: { files: readonly Upload[] }) {
  const list = useId()
  // Undefined until the artist collapses or expands the list. Until then its length decides, and failed files are always shown.
  const [openByUser, setOpenByUser] = useState<boolean>()
  const isOpen = openByUser ?? (files.length <= shownUnfolded || files.some((upload) => upload.state === 'failed'))
  const fold = (
    <button
      type="button"
      className={styles['fold']}
      aria-expanded={isOpen}
      aria-controls={list}
      onClick={() => setOpenByUser(!isOpen)}
    >
      <ChevronDown />
      <span>
        Files to Upload <span className={text['numerals-muted']}>({files.length})</span>
      </span>
    </button>
  )
  return (
    <div className={layout['stack-3']}>
      <WithProgress uploads={files}>
        {({ each, percent }) => (
          <Head files={files} paused={files.filter((_, at) => each[at]?.isPaused)} percent={percent} fold={fold} />
        )}
      </WithProgress>
      <div id={list} hidden={!isOpen}>
        <UploadList
          uploads={files}
          onPause={(id) => uploads.pause(id)}
          onResume={(id) => uploads.resume(id)}
          onRetry={uploads.retry}
          onRemove={uploads.remove}
        />
      </div>
    </div>
  )
}

type HeadProps = { files: readonly Upload[]; paused: readonly Upload[]; percent: number; fold: ReactNode }

function Head({ files, paused, percent, fold }: HeadProps) {
  const ready = files.filter((upload) => upload.state === 'ready')
  const running = files.filter((upload) => upload.state === 'started' && !paused.includes(upload))
  return (
    <div className={layout['ends']}>
      <h2 className={styles['title']}>{fold}</h2>
      <div className={layout['line-2']}>
        {running.length > 1 && (
          <IconButton label="Pause all" onPress={() => running.forEach((upload) => uploads.pause(upload.id))}>
            <Pause />
          </IconButton>
        )}
        {running.length === 0 && paused.length > 1 && (
          <IconButton label="Resume all" onPress={() => paused.forEach((upload) => uploads.resume(upload.id))}>
            <Play />
          </IconButton>
        )}
        <Button
          variant="primary"
          icon={<UploadIcon />}
          isDisabled={ready.length === 0 && running.length === 0}
          pending={ready.length === 0 && running.length > 0}
          pendingLabel={`Uploading, ${percent}%`}
          onPress={() => ready.forEach((upload) => uploads.send(upload.id))}
        >
          Upload All
        </Button>
      </div>
    </div>
  )
}
