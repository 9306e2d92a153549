import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { mediaTypes } from '@flashsheet/contracts/media/limits'
import { useState } from 'react'
import { FileDrop } from '../../ui/file-drop.tsx'
import { PickRefusalAlert, refusalAt, type PickRefusal } from './pick-refusal.tsx'
import layout from '../../ui/layout.module.css'
import { uploads } from './uploads.ts'

/** Adds files to the list. `room`: how many more files the library can take, besides those in the list; `full`: the library is full. */
export function UploadDrop({ room, full }: { room: number; full: boolean }) {
  const [refusal, setRefusal] = useState<PickRefusal | null>(null)
  const pick = async (files: readonly File[]) => {
    if (files.length > 0 && room === 0) {
      setRefusal(refusalAt(files, mediaMessages.libraryFull, null))
      return
    }
    const result = await uploads.add(files.slice(0, room), { hold: true })
    const refused =
      result.refusal ?? (files.length > room ? { message: mediaMessages.roomFor(room), file: null } : null)
    setRefusal(refused && refusalAt(files, refused.message, refused.file))
  }
  return (
    <div className={layout['stack-4']}>
      {refusal !== null && (
        <PickRefusalAlert refusal={refusal} onAddRest={room > 0 ? () => void pick(refusal.rest) : undefined} />
      )}
      <FileDrop
        label="Drop pictures and videos here, or"
        action="Choose files"
        hint={full ? mediaMessages.libraryFull : mediaMessages.hint}
        accept={mediaTypes}
        multiple
        variant="row"
        disabled={full}
        onFiles={(files) => void pick(files)}
      />
    </div>
  )
}
