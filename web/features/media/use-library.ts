import type { MediaUse } from '@flashsheet/contracts/posts/schema'
import { useQueryClient } from '@tanstack/react-query'
import { getMutationKey } from '@trpc/react-query'
import { useEffect, useMemo } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { onLibraryChanged } from './uploads.ts'

export type Library = ReturnType<typeof useLibrary>

/** The library, newest first, refreshed by the uploads of this window. */
export function useLibrary() {
  const utils = trpc.useUtils()
  useEffect(() => onLibraryChanged(() => void utils.media.invalidate()), [utils])
  return trpc.media.list.useQuery()
}

/** Refreshes library and gallery when another tab, another device or a job has changed them. */
export function useLiveLibrary(): void {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  trpc.media.watch.useSubscription(undefined, {
    onData: () => {
      void utils.media.invalidate()
      // An order that is being saved is shown already, and the gallery is read after it.
      if (queryClient.isMutating({ mutationKey: getMutationKey(trpc.website.reorderGallery) }) === 0)
        void utils.website.gallery.invalidate()
    },
  })
}

/** Whether the library is full; false while unknown, since the server checks. */
export function useIsLibraryFull(): boolean {
  const { data } = trpc.media.usage.useQuery()
  return data !== undefined && data.count >= data.capacity
}

/** The posts that use an item, by its id; undefined while loading. */
export function useMediaUses(): ReadonlyMap<string, MediaUse> | undefined {
  const { data } = trpc.posts.mediaUses.useQuery()
  return useMemo(() => data && new Map(data.map((use) => [use.mediaId, use])), [data])
}
