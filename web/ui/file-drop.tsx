import { Upload } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, DropZone, FileTrigger, isFileDropItem } from 'react-aria-components'
import { buttonClass } from './button-class.ts'
import { classes } from './classes.ts'
import text from './text.module.css'
import styles from './file-drop.module.css'

export type FileDropProps = {
  /** The text about dropping: "Drop a video here". */
  label: string
  /** The text of the button: "Choose a video". */
  action: string
  /** The limits in one line. */
  hint?: ReactNode
  /** MIME types for the file picker. The caller still validates: dropped files may have any type. */
  accept: readonly string[]
  multiple?: boolean
  disabled?: boolean
  /** `row`: one line, above the list that it adds to. */
  variant?: 'full' | 'row'
  onFiles: (files: File[]) => void
  /** The file input, so that another button can open the same picker. */
  inputRef?: Ref<HTMLInputElement>
}

/** Takes files by drop, paste or file picker; on a phone the picker opens the camera roll. */
export function FileDrop({
  label,
  action,
  hint,
  accept,
  multiple = false,
  disabled = false,
  variant = 'full',
  onFiles,
  inputRef,
}: FileDropProps) {
  return (
    <DropZone
      className={classes(styles['drop'], variant === 'row' && styles['row'])}
      isDisabled={disabled}
      aria-label="Drop or paste files"
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
        <AriaButton className={buttonClass({})} isDisabled={disabled}>
          {action}
        </AriaButton>
      </FileTrigger>
      {hint && <p className={classes(text['note'], styles['hint'])}>{hint}</p>}
    </DropZone>
  )
}
