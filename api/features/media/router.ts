import { IdParam } from '@flashsheet/contracts/input'
import {
  FromUrlInput,
  FromUrlParam,
  ListMediaInput,
  MediaForNetworkInput,
  MediaIds,
} from '@flashsheet/contracts/media/schema'
import { call, router, subscriberProcedure } from '../../core/procedures.ts'
import { getFromUrlState, fetchFromUrl } from './service/fetch-from-url.ts'
import { mediaForNetwork } from './service/for-network.ts'
import { getMedia, listMedia, getMediaUsage } from './service/list.ts'
import { removeMedia } from './service/remove.ts'
import { watchLibrary } from './service/watch.ts'

export const mediaRouter = router({
  list: subscriberProcedure('media:read')
    .input(ListMediaInput.optional())
    .query(({ ctx, input }) => listMedia(ctx, input ?? ListMediaInput.parse({}))),
  get: subscriberProcedure('media:read').input(IdParam).query(call(getMedia)),
  forNetwork: subscriberProcedure('media:read').input(MediaForNetworkInput).query(call(mediaForNetwork)),
  addFromUrl: subscriberProcedure('media:write', { creates: true }).input(FromUrlInput).mutation(call(fetchFromUrl)),
  fromUrl: subscriberProcedure('media:read').input(FromUrlParam).query(call(getFromUrlState)),
  usage: subscriberProcedure('media:read').query(call(getMediaUsage)),
  watch: subscriberProcedure('media:read').subscription(({ ctx, signal }) =>
    watchLibrary(ctx, signal ?? new AbortController().signal),
  ),
  remove: subscriberProcedure('media:write').input(MediaIds).mutation(call(removeMedia)),
})
