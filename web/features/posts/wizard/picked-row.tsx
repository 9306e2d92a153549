import { X } from 'lucide-react'
import { formatBytes } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { FileNote, FileThumb, FileProblem, FileInfo, UploadStatus } from '../../media/file-row.tsx'
import type { PendingUploads } from './pending-uploads.ts'
import type { SelectedMedia } from '../draft/draft.ts'

export type PickedListProps = {
  media: readonly SelectedMedia[]
  pendingUploads: PendingUploads
  onMove: (id: string, to: number) => void
  onRemove: (id: string) => void
  /** Resumes an upload that failed or was paused. */
  onRetry: (id: string) => void
  /** The file must be picked again, because a reload has lost its bytes. */
  onPickAgain: () => void
}

export function PickedRow({
  item,
  pendingUploads,
  onRemove,
  onRetry,
  onPickAgain,
}: Omit<PickedListProps, 'media' | 'onMove'> & { item: SelectedMedia }) {
  const upload = pendingUploads.get(item._id)
  const size = formatBytes(item.size)
  return (
    <>
      <FileThumb
        picture={upload?.preview ?? item.preview}
        video={item.type === 'video' ? (upload?.src ?? null) : null}
        duration={item.duration}
      />
      <FileInfo name={item.name}>
        {item.mediaId !== null ? (
          <FileNote>{size}</FileNote>
        ) : upload ? (
          <UploadStatus
            upload={{ ...item, ...upload, id: item._id }}
            done={size}
            onRetry={() => onRetry(item._id)}
            onResume={() => onRetry(item._id)}
          />
        ) : (
          <FileProblem reason="If another tab is uploading this file, let it finish there. If not, the upload was interrupted: pick the same file and it goes on where it stopped.">
            <Button size="small" onPress={onPickAgain}>
              Pick it again
            </Button>
          </FileProblem>
        )}
      </FileInfo>
      <IconButton label={`Remove ${item.name}`} onPress={() => onRemove(item._id)}>
        <X />
      </IconButton>
    </>
  )
}
