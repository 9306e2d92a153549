import { Upload } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, DropZone, FileTrigger, isFileDropItem } from 'react-aria-components'
import { buttonClass } from './button-look.ts'
import { classes } from './classes.ts'
import styles from './file-drop.module.css'

export type FileDropProps = {
  /** The sentence beside the button, for those who drop: "Drop a video here". */
  label: string
  /** The word on the button: "Choose a video". */
  action: string
  /** Limits in one line. */
  hint?: ReactNode
  /** MIME types the picker offers. The caller still checks: dropped files may be anything. */
  accept: readonly string[]
  multiple?: boolean
  disabled?: boolean
  /** Where it is not the whole of the screen's work. */
  compact?: boolean
  onFiles: (files: File[]) => void
  /** The file input, for a button elsewhere that opens the same picker. */
  inputRef?: Ref<HTMLInputElement>
}

/** Takes files: dropped, pasted, or picked; on a phone one tap opens the camera roll. */
export function FileDrop({
  label,
  action,
  hint,
  accept,
  multiple = false,
  disabled = false,
  compact = false,
  onFiles,
  inputRef,
}: FileDropProps) {
  return (
    <DropZone
      className={classes(styles['drop'], compact && styles['compact'])}
      isDisabled={disabled}
      getDropOperation={() => 'copy'}
      onDrop={(event) => {
        void Promise.all(event.items.filter(isFileDropItem).map((item) => item.getFile())).then(onFiles)
      }}
    >
      <span className={styles['icon']} aria-hidden="true">
        <Upload />
      </span>
      <p className={styles['label']}>{label}</p>
      <FileTrigger
        ref={inputRef}
        acceptedFileTypes={accept}
        allowsMultiple={multiple}
        onSelect={(files) => onFiles([...(files ?? [])])}
      >
        <AriaButton className={buttonClass({ variant: 'secondary' })} isDisabled={disabled}>
          {action}
        </AriaButton>
      </FileTrigger>
      {hint && <p className={styles['hint']}>{hint}</p>}
    </DropZone>
  )
}
