import { imageTypes } from '@flashsheet/contracts/media/limits'
import type { SiteImage } from '@flashsheet/contracts/website/schema'
import { CircleAlert, ImagePlus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './image-field.module.css'
import type { ImageUpload } from './use-image-uploads.ts'

export type ImageFieldProps = {
  label: string
  hint: string
  shape: 'logo' | 'wide' | 'portrait'
  image: SiteImage | null
  upload: ImageUpload | undefined
  error?: string
  onPick: (file: File) => void
  onRetry: () => void
  onRemove: () => void
}

export function ImageField({ label, hint, shape, image, upload, error, onPick, onRetry, onRemove }: ImageFieldProps) {
  const messageId = useId()
  const source = upload?.preview ?? image?.url
  const problem = upload?.error ?? error
  const pick = (files: FileList | null) => {
    const file = files?.item(0)
    if (file) onPick(file)
  }
  return (
    <fieldset className={styles['field']} aria-label={label} aria-describedby={problem ? messageId : undefined}>
      <div className={classes(styles['frame'], styles[shape], problem && styles['bad'])}>
        {source ? <img src={source} alt={upload ? upload.file.name : (image?.fileName ?? '')} /> : <ImagePlus />}
      </div>
      <div className={layout['stack-2']}>
        <h3 className={classes(text['label'], styles['label'])}>{label}</h3>
        <p className={classes(text['note'], styles['hint'])}>{hint}</p>
        {upload && !upload.error && <ProgressBar label={`Uploading ${upload.file.name}`} value={null} />}
        <div className={styles['actions']}>
          <FileTrigger acceptedFileTypes={imageTypes} onSelect={pick}>
            <Button size="small">{source ? 'Replace' : 'Choose a picture'}</Button>
          </FileTrigger>
          {upload?.error && (
            <Button size="small" onPress={onRetry}>
              Try again
            </Button>
          )}
          {source && (
            <Button
              size="small"
              variant="quiet"
              icon={<Trash2 />}
              onPress={onRemove}
              aria-label={`Remove ${label.toLowerCase()}`}
            >
              Remove
            </Button>
          )}
        </div>
        {problem && (
          <p
            className={classes(text['error'], styles['problem'])}
            id={messageId}
            role="alert"
            tabIndex={-1}
            data-problem={label}
          >
            <CircleAlert />
            {problem}
          </p>
        )}
      </div>
    </fieldset>
  )
}
