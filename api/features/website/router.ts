import { MediaIds } from '@flashsheet/contracts/media/schema'
import {
  CheckDomainName,
  DescribeGalleryItem,
  FindPlace,
  SaveSite,
  SetFlash,
  SuggestPlaces,
} from '@flashsheet/contracts/website/schema'
import { router, studioProcedure, subscriberProcedure } from '../../core/procedures.ts'
import {
  addToGallery,
  describeGalleryItem,
  listGallery,
  removeFromGallery,
  reorderGallery,
  setGalleryFlash,
} from './service/gallery.ts'
import { findPlace, suggestPlaces } from './service/places.ts'
import { checkDomainName, getSite, listSiteLinks, savedSite, saveSite } from './service/site.ts'

export const websiteRouter = router({
  site: studioProcedure('site:read').query(({ ctx }) => getSite(ctx)),
  /** For the smaller plan: what is stored from before. */
  kept: subscriberProcedure('site:read').query(({ ctx }) => savedSite(ctx)),
  save: studioProcedure('site:write')
    .input(SaveSite)
    .mutation(({ ctx, input }) => saveSite(ctx, input)),
  suggestPlaces: studioProcedure('site:read')
    .input(SuggestPlaces)
    .query(({ ctx, input }) => suggestPlaces(ctx, input)),
  findPlace: studioProcedure('site:read')
    .input(FindPlace)
    .query(({ ctx, input }) => findPlace(ctx, input)),
  checkDomainName: studioProcedure('site:read')
    .input(CheckDomainName)
    .query(({ ctx, input }) => checkDomainName(ctx, input)),
  links: studioProcedure('site:read').query(({ ctx }) => listSiteLinks(ctx)),
  gallery: studioProcedure('site:read').query(({ ctx }) => listGallery(ctx)),
  addToGallery: studioProcedure('site:write')
    .input(MediaIds)
    .mutation(({ ctx, input }) => addToGallery(ctx, input)),
  removeFromGallery: studioProcedure('site:write')
    .input(MediaIds)
    .mutation(({ ctx, input }) => removeFromGallery(ctx, input)),
  reorderGallery: studioProcedure('site:write')
    .input(MediaIds)
    .mutation(({ ctx, input }) => reorderGallery(ctx, input)),
  describeGalleryItem: studioProcedure('site:write')
    .input(DescribeGalleryItem)
    .mutation(({ ctx, input }) => describeGalleryItem(ctx, input)),
  setFlash: studioProcedure('site:write')
    .input(SetFlash)
    .mutation(({ ctx, input }) => setGalleryFlash(ctx, input)),
})
