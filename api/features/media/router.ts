import { IdParam } from '@flashsheet/contracts/input'
import {
  FromUrlInput,
  FromUrlParam,
  ListMediaInput,
  MediaForNetworkInput,
  MediaIds,
} from '@flashsheet/contracts/media/schema'
import { watchTopic } from '../../core/live.ts'
import { call, callForItems, router, subscriberProcedure } from '../../core/procedures.ts'
import { getFromUrlState, fetchFromUrl } from './service/fetch-from-url.ts'
import { mediaForNetwork } from './service/for-network.ts'
import { getMedia, getMediaUsage, pageOfMedia } from './service/list.ts'
import { removeMedia } from './service/remove.ts'

export const mediaRouter = router({
  list: subscriberProcedure('media:read').input(ListMediaInput.prefault({})).query(callForItems(pageOfMedia)),
  get: subscriberProcedure('media:read').input(IdParam).query(call(getMedia)),
  forNetwork: subscriberProcedure('media:read').input(MediaForNetworkInput).query(call(mediaForNetwork)),
  addFromUrl: subscriberProcedure('media:write', { creates: true }).input(FromUrlInput).mutation(call(fetchFromUrl)),
  fromUrl: subscriberProcedure('media:read').input(FromUrlParam).query(call(getFromUrlState)),
  usage: subscriberProcedure('media:read').query(call(getMediaUsage)),
  /** The library or the gallery must be reloaded. */
  watch: subscriberProcedure('media:read').subscription(({ ctx, signal }) =>
    watchTopic(ctx, 'media', { library: 'changed' }, signal),
  ),
  remove: subscriberProcedure('media:write').input(MediaIds).mutation(call(removeMedia)),
})
