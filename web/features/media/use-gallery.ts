import { isEntitled } from '@flashsheet/contracts/plans'
import { galleryMessages } from '@flashsheet/contracts/website/messages'
import { useMemo } from 'react'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { toast } from '../../ui/toast.tsx'

export type Gallery = ReturnType<typeof useGallery>

/** The gallery and its actions in the library; a toast reports the outcome. */
export function useGallery() {
  const utils = trpc.useUtils()
  const isAllowed = isEntitled(trpc.subscription.mine.useQuery().data, 'studio')
  const query = trpc.website.gallery.useQuery(undefined, { enabled: isAllowed })
  const ids = useMemo(() => query.data?.map((item) => item._id), [query.data])
  const refreshGallery = () => utils.website.gallery.invalidate()
  const handlers = (isAdding: boolean, done: (count: number) => string, fallback: string) => ({
    onSuccess: async ({ gallery }: { gallery: string[] }, { ids: requested }: { ids: string[] }) => {
      // Without the entries that another window changed at the same time.
      const isChanged = (id: string) => gallery.includes(id) === isAdding && (ids ?? []).includes(id) !== isAdding
      const count = requested.filter(isChanged).length
      await refreshGallery()
      toast.success(done(count))
    },
    onError: async (error: unknown) => {
      toastFailure(error, fallback)
      await utils.media.invalidate()
    },
    onSettled: refreshGallery,
  })
  const add = trpc.website.addToGallery.useMutation(handlers(true, galleryMessages.added, galleryMessages.addFailed))
  const remove = trpc.website.removeFromGallery.useMutation(
    handlers(false, galleryMessages.removed, galleryMessages.removeFailed),
  )
  return {
    /** False: the plan has no gallery. */
    isAllowed,
    query,
    /** Media ids in the artist's order; undefined while loading. */
    ids,
    add: useSingleFlight(async (requested: readonly string[]) => await add.mutateAsync({ ids: [...requested] })),
    remove: useSingleFlight(async (requested: readonly string[]) => await remove.mutateAsync({ ids: [...requested] })),
    isBusy: add.isPending || remove.isPending,
  }
}
