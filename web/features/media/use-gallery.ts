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
  /** How many entries this call changed, without those that another window changed at the same time. */
  const countChanged = (requested: readonly string[], now: readonly string[], isAdding: boolean) =>
    requested.filter((id) => now.includes(id) === isAdding && (ids ?? []).includes(id) !== isAdding).length

  const add = trpc.website.addToGallery.useMutation({
    onSuccess: async ({ gallery }, { ids: requested }) => {
      const count = countChanged(requested, gallery, true)
      await refreshGallery()
      toast.success(count === 1 ? galleryMessages.added : galleryMessages.addedMany(count))
    },
    onError: (failed) => toastFailure(failed, galleryMessages.addFailed),
    onSettled: refreshGallery,
  })
  const remove = trpc.website.removeFromGallery.useMutation({
    onSuccess: async ({ gallery }, { ids: requested }) => {
      const count = countChanged(requested, gallery, false)
      await refreshGallery()
      toast.success(galleryMessages.removedMany(count))
    },
    onError: (failed) => toastFailure(failed, galleryMessages.removeFailed),
    onSettled: refreshGallery,
  })
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
