import { useProgress, type MediaUppy } from './upload-progress.ts'
import { useUppy } from './use-uploads.ts'

type Sent = readonly { id: string; size: number; state: 'begun' }[]

export function UploadingNote({ uploads }: { uploads: Sent }) {
  const uppy = useUppy()
  return uppy ? <Tracked uppy={uppy} uploads={uploads} /> : words(uploads.length, 0)
}

function Tracked({ uppy, uploads }: { uppy: MediaUppy; uploads: Sent }) {
  return words(uploads.length, useProgress(uppy, uploads).percent)
}

const words = (count: number, percent: number) => `Uploading ${count === 1 ? 'a file' : `${count} files`}, ${percent}%`
