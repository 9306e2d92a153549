import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { MediaUse } from '@flashsheet/contracts/posts/schema'
import { useEffect, useMemo } from 'react'
import { failureOf, type Failure } from '../../lib/failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { onLibraryChanged } from './uploads.ts'

export type Library = {
  /** Newest first; undefined: not known yet. */
  items: readonly MediaItem[] | undefined
  /** Why it is not known; null while an earlier answer can be shown. */
  failure: Failure | null
  retry: () => void
}

/** The artist's library, in step with the uploads of this window. */
export function useLibrary(): Library {
  const utils = trpc.useUtils()
  useEffect(() => onLibraryChanged(() => void utils.media.invalidate()), [utils])
  const { data, error, refetch } = trpc.media.list.useQuery()
  return {
    items: data,
    failure: error && data === undefined ? failureOf(error, mediaMessages.loadFailed) : null,
    retry: () => void refetch(),
  }
}

/** Keeps library and gallery in step with whatever changes them: another tab, another device, a job. */
export function useLiveLibrary(): void {
  const utils = trpc.useUtils()
  trpc.media.watch.useSubscription(undefined, {
    onData: () => {
      void utils.media.invalidate()
      void utils.website.gallery.invalidate()
    },
  })
}

/** Whether nothing more can be uploaded; unknown counts as room, for the server has the last word. */
export function useLibraryFull(): boolean {
  const { data } = trpc.media.usage.useQuery()
  return data !== undefined && data.count >= data.capacity
}

/** Where posts use items of the library, by the item's id; undefined: not known. */
export function useMediaUses(): ReadonlyMap<string, MediaUse> | undefined {
  const { data } = trpc.posts.mediaUses.useQuery()
  return useMemo(() => data && new Map(data.map((use) => [use.mediaId, use])), [data])
}
