import { useProgress, type MediaUppy } from './upload-progress.ts'
import { useUppy } from './use-uploads.ts'

type Sent = readonly { id: string; size: number; state: 'started' }[]

export function UploadingNote({ uploads }: { uploads: Sent }) {
  const uppy = useUppy()
  return uppy ? <TrackedText uppy={uppy} uploads={uploads} /> : noteText(uploads.length, 0)
}

function TrackedText({ uppy, uploads }: { uppy: MediaUppy; uploads: Sent }) {
  return noteText(uploads.length, useProgress(uppy, uploads).percent)
}

const noteText = (count: number, percent: number) =>
  `Uploading ${count === 1 ? 'a file' : `${count} files`}, ${percent}%`
