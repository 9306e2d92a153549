import type { MediaForNetwork } from '@flashsheet/contracts/media/schema'
import type { Platform } from '@flashsheet/contracts/networks'
import { trpc } from '../../../lib/trpc.ts'
import type { SelectedMedia } from '../draft/draft.ts'

/** Short enough for signed URLs, which are valid for a day. */
const freshMs = 30 * 60_000

export type SentMedia = {
  /** The media that the network gets; undefined until all files are uploaded and it is made. */
  media: MediaForNetwork['media'] | undefined
  /** Why it cannot be sent. */
  refusal: string | null
  /** `uploading`: not all files are in the library. `failed`: the request failed. */
  state: 'uploading' | 'making' | 'ready' | 'failed'
  retry: () => void
}

/** The picked media as the network gets it, made by the same code as for publishing. */
export function useSentMedia(media: readonly SelectedMedia[], platform: Platform): SentMedia {
  const mediaIds = media.flatMap((item) => item.mediaId ?? [])
  const isUploaded = mediaIds.length === media.length && mediaIds.length > 0
  const query = trpc.media.forNetwork.useQuery({ mediaIds, platform }, { enabled: isUploaded, staleTime: freshMs })
  return {
    media: isUploaded && query.data?.refusal === null ? query.data.media : undefined,
    refusal: (isUploaded && query.data?.refusal) || null,
    state: !isUploaded ? 'uploading' : query.data ? 'ready' : query.isError ? 'failed' : 'making',
    retry: () => void query.refetch(),
  }
}
