import { mediaMessages } from '@flashsheet/contracts/media'
import { useState, type Ref } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import styles from './upload-drop.module.css'
import type { Upload } from './upload.ts'
import { uploads } from './uploads.ts'

export type UploadDropProps = {
  /** The sentence beside the button: "Drop a video here, or". */
  label: string
  /** The word on the button: "Choose a video". */
  action: string
  /** MIME types the picker offers. */
  accept: readonly string[]
  multiple?: boolean
  disabled?: boolean
  /** Files that passed and are on their way; called once a pick, unless none passed. */
  onPicked?: (picked: readonly Upload[]) => void
  /** The file input, for a button elsewhere that opens the same picker. */
  inputRef?: Ref<HTMLInputElement>
}

/** Takes files and sends them at once (decision 3); says in a danger alert why a pick was not taken, or not all of it (spec 5). */
export function UploadDrop({ onPicked, ...drop }: UploadDropProps) {
  const [refusal, setRefusal] = useState<string | null>(null)
  const pick = async (files: readonly File[]) => {
    const result = await uploads.add(files)
    setRefusal(result.refusal)
    if (result.uploads.length > 0) onPicked?.(result.uploads)
  }
  return (
    <div className={styles['stack']}>
      {refusal !== null && (
        <Alert tone="danger" live>
          {refusal}
        </Alert>
      )}
      <FileDrop {...drop} hint={mediaMessages.hint} onFiles={(files) => void pick(files)} />
    </div>
  )
}
