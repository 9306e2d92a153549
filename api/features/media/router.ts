import { MediaForNetworkInput, MediaId, MediaIds } from '@flashsheet/contracts/media/schema'
import { router, subscriberProcedure } from '../../core/procedures.ts'
import { mediaForNetwork } from './service/for-network.ts'
import { getMedia, listMedia, mediaUsage } from './service/list.ts'
import { removeMedia } from './service/remove.ts'
import { watchLibrary } from './service/watch.ts'

export const mediaRouter = router({
  list: subscriberProcedure.query(({ ctx }) => listMedia(ctx)),
  get: subscriberProcedure.input(MediaId).query(({ ctx, input }) => getMedia(ctx, input)),
  forNetwork: subscriberProcedure.input(MediaForNetworkInput).query(({ ctx, input }) => mediaForNetwork(ctx, input)),
  usage: subscriberProcedure.query(({ ctx }) => mediaUsage(ctx)),
  watch: subscriberProcedure.subscription(({ ctx, signal }) =>
    watchLibrary(ctx, signal ?? new AbortController().signal),
  ),
  remove: subscriberProcedure.input(MediaIds).mutation(({ ctx, input }) => removeMedia(ctx, input)),
})
