import type { Upload } from '../../media/upload.ts'
import type { Draft, SelectedMedia } from '../draft/draft.ts'
import type { MediaPreview } from '../parts/media-preview.ts'

/** Uploads by the `_id` of their draft item. */
export type PendingUploads = ReadonlyMap<string, Pick<Upload, 'preview' | 'src' | 'state' | 'failure' | 'retryable'>>

export function arrivalState(item: SelectedMedia, arrivals: PendingUploads): 'here' | 'arriving' | 'failed' | 'lost' {
  if (item.mediaId !== null) return 'here'
  const arrival = arrivals.get(item._id)
  if (!arrival) return 'lost'
  return arrival.state === 'failed' ? 'failed' : 'arriving'
}

/** Picked files whose upload failed or was lost by a reload. */
export function strandedIds(draft: Draft, arrivals: PendingUploads): ReadonlySet<string> {
  return new Set(
    draft.media.flatMap((item) => (['failed', 'lost'].includes(arrivalState(item, arrivals)) ? item._id : [])),
  )
}

/** Previews of the picked items: the local file while this window has it, so that nothing flickers after the upload. */
export function previewsOf(draft: Draft, arrivals: PendingUploads): ReadonlyMap<string, MediaPreview> {
  return new Map(
    draft.media.map((item) => {
      const arrival = arrivals.get(item._id)
      return [item._id, { poster: arrival?.preview ?? item.preview, src: arrival?.src ?? item.url }]
    }),
  )
}

export function arrivingMedia(draft: Draft, arrivals: PendingUploads): SelectedMedia[] {
  return draft.media.filter((item) => arrivalState(item, arrivals) === 'arriving')
}
