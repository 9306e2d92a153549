import type { Upload } from './upload.ts'
import { useProgress } from './use-uploads.ts'

export function UploadingNote({ uploads }: { uploads: readonly Pick<Upload, 'id' | 'size' | 'state'>[] }) {
  const { percent } = useProgress(uploads)
  return `Uploading ${uploads.length === 1 ? 'a file' : `${uploads.length} files`}, ${percent}%`
}
