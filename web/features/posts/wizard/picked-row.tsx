import { X } from 'lucide-react'
import { formatBytes } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { FileNote, FileThumb, FileTrouble, FileWords, UploadStanding } from '../../media/file-row.tsx'
import type { PendingUploads } from './pending-uploads.ts'
import type { SelectedMedia } from '../draft/draft.ts'

export type PickedListProps = {
  media: readonly SelectedMedia[]
  arrivals: PendingUploads
  onMove: (id: string, to: number) => void
  onRemove: (id: string) => void
  /** Resumes an upload that failed or was paused. */
  onRetry: (id: string) => void
  /** The file must be picked again: its bytes are gone. */
  onPickAgain: () => void
}

export function PickedRow({
  item,
  arrivals,
  onRemove,
  onRetry,
  onPickAgain,
}: Omit<PickedListProps, 'media' | 'onMove'> & { item: SelectedMedia }) {
  const arrival = arrivals.get(item._id)
  return (
    <>
      <FileThumb
        picture={arrival?.preview ?? item.preview}
        video={item.type === 'video' ? (arrival?.src ?? null) : null}
        duration={item.duration}
      />
      <FileWords name={item.name}>
        <SavedView item={item} arrivals={arrivals} onRetry={onRetry} onPickAgain={onPickAgain} />
      </FileWords>
      <IconButton label={`Remove ${item.name}`} onPress={() => onRemove(item._id)}>
        <X />
      </IconButton>
    </>
  )
}

function SavedView({
  item,
  arrivals,
  onRetry,
  onPickAgain,
}: Pick<PickedListProps, 'arrivals' | 'onRetry' | 'onPickAgain'> & { item: SelectedMedia }) {
  const arrival = arrivals.get(item._id)
  const size = formatBytes(item.size)
  if (item.mediaId !== null) return <FileNote>{size}</FileNote>
  if (arrival)
    return (
      <UploadStanding
        upload={{ ...item, ...arrival, id: item._id }}
        done={size}
        onRetry={() => onRetry(item._id)}
        onResume={() => onRetry(item._id)}
      />
    )
  return (
    <FileTrouble reason="This upload was interrupted. Pick the same file and it goes on where it stopped.">
      <Button size="small" onPress={onPickAgain}>
        Pick it again
      </Button>
    </FileTrouble>
  )
}
