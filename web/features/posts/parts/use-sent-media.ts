import type { MediaForNetwork } from '@flashsheet/contracts/media/schema'
import type { Platform } from '@flashsheet/contracts/networks'
import { trpc } from '../../../lib/trpc.ts'
import type { SelectedMedia } from '../draft/draft.ts'

/** Addresses of what was made are good for a day. */
const freshMs = 30 * 60_000

export type SentMedia = {
  /** Piece by piece what the network will be sent; undefined while it is made, or while files are still on their way here. */
  media: MediaForNetwork['media'] | undefined
  /** Why it cannot be sent. */
  refusal: string | null
  /** `arriving`: not all files are in the library yet. `failed`: the server could not be asked. */
  state: 'arriving' | 'making' | 'ready' | 'failed'
  retry: () => void
}

/** The picked media in the form that a network will be sent, made by the server as publishing makes it. */
export function useSentMedia(media: readonly SelectedMedia[], platform: Platform): SentMedia {
  const mediaIds = media.flatMap((item) => item.mediaId ?? [])
  const here = mediaIds.length === media.length && mediaIds.length > 0
  const answer = trpc.media.forNetwork.useQuery({ mediaIds, platform }, { enabled: here, staleTime: freshMs })
  return {
    media: here && answer.data?.refusal === null ? answer.data.media : undefined,
    refusal: (here && answer.data?.refusal) || null,
    state: !here ? 'arriving' : answer.data ? 'ready' : answer.isError ? 'failed' : 'making',
    retry: () => void answer.refetch(),
  }
}
