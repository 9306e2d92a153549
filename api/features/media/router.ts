import { IdParam } from '@flashsheet/contracts/input'
import {
  FromUrlInput,
  FromUrlParam,
  ListMediaInput,
  MediaForNetworkInput,
  MediaIds,
} from '@flashsheet/contracts/media/schema'
import { router, subscriberProcedure } from '../../core/procedures.ts'
import { fetchedFromUrl, fetchFromUrl } from './service/fetch-from-url.ts'
import { mediaForNetwork } from './service/for-network.ts'
import { getMedia, listMedia, mediaUsage } from './service/list.ts'
import { removeMedia } from './service/remove.ts'
import { watchLibrary } from './service/watch.ts'

export const mediaRouter = router({
  list: subscriberProcedure('media:read')
    .input(ListMediaInput.optional())
    .query(({ ctx, input }) => listMedia(ctx, input ?? ListMediaInput.parse({}))),
  get: subscriberProcedure('media:read')
    .input(IdParam)
    .query(({ ctx, input }) => getMedia(ctx, input)),
  forNetwork: subscriberProcedure('media:read')
    .input(MediaForNetworkInput)
    .query(({ ctx, input }) => mediaForNetwork(ctx, input)),
  addFromUrl: subscriberProcedure('media:write', { creates: true })
    .input(FromUrlInput)
    .mutation(({ ctx, input }) => fetchFromUrl(ctx, input)),
  fromUrl: subscriberProcedure('media:read')
    .input(FromUrlParam)
    .query(({ ctx, input }) => fetchedFromUrl(ctx, input)),
  usage: subscriberProcedure('media:read').query(({ ctx }) => mediaUsage(ctx)),
  watch: subscriberProcedure('media:read').subscription(({ ctx, signal }) =>
    watchLibrary(ctx, signal ?? new AbortController().signal),
  ),
  remove: subscriberProcedure('media:write')
    .input(MediaIds)
    .mutation(({ ctx, input }) => removeMedia(ctx, input)),
})
