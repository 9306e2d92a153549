import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { Upload } from '../../media/upload.ts'
import type { UploadProgress } from '../../media/upload-progress.ts'
import type { Draft, SelectedMedia } from '../draft/draft.ts'
import type { MediaPreview } from '../parts/media-preview.ts'

/** Uploads by the `_id` of their draft item. */
export type PendingUploads = ReadonlyMap<string, Pick<Upload, 'preview' | 'src' | 'state' | 'failure' | 'retryable'>>

export function uploadStateOf(
  item: SelectedMedia,
  pendingUploads: PendingUploads,
): 'uploaded' | 'uploading' | 'failed' | 'lost' {
  if (item.mediaId !== null) return 'uploaded'
  const upload = pendingUploads.get(item._id)
  if (!upload) return 'lost'
  return upload.state === 'failed' ? 'failed' : 'uploading'
}

/** Picked files whose upload failed or was lost by a reload. */
export function unavailableIds(draft: Draft, pendingUploads: PendingUploads): ReadonlySet<string> {
  return new Set(
    draft.media.flatMap((item) => (['failed', 'lost'].includes(uploadStateOf(item, pendingUploads)) ? item._id : [])),
  )
}

/** Previews of the picked items. The local file is used as long as this window has it, so that nothing flickers after the upload. */
export function previewsOf(draft: Draft, pendingUploads: PendingUploads): ReadonlyMap<string, MediaPreview> {
  return new Map(
    draft.media.map((item) => {
      const upload = pendingUploads.get(item._id)
      return [item._id, { poster: upload?.preview ?? item.preview, src: upload?.src ?? item.url }]
    }),
  )
}

export function uploadingMedia(draft: Draft, pendingUploads: PendingUploads): SelectedMedia[] {
  return draft.media.filter((item) => uploadStateOf(item, pendingUploads) === 'uploading')
}

/** How far the uploads are that a submission waits for. */
export function arrivingText(
  { each, percent }: { each: readonly UploadProgress[]; percent: number },
  count: number,
): string {
  const files = count === 1 ? 'a file' : `${count} files`
  return `Uploading ${files}, ${percent}%${each.some(({ isStalled }) => isStalled) ? `. ${mediaMessages.stalled}` : ''}`
}
