import { MediaIds } from '@flashsheet/contracts/media/schema'
import {
  CheckDomainName,
  DescribeGalleryItem,
  FindPlace,
  SaveSite,
  SuggestPlaces,
} from '@flashsheet/contracts/website/schema'
import { router, studioProcedure, subscriberProcedure } from '../../core/procedures.ts'
import { addToGallery, describeGalleryItem, listGallery, removeFromGallery, reorderGallery } from './service/gallery.ts'
import { findPlace, suggestPlaces } from './service/places.ts'
import { checkDomainName, getSite, keptSite, saveSite } from './service/site.ts'

export const websiteRouter = router({
  site: studioProcedure.query(({ ctx }) => getSite(ctx)),
  /** For the smaller plan: what is stored from before. */
  kept: subscriberProcedure.query(({ ctx }) => keptSite(ctx)),
  save: studioProcedure.input(SaveSite).mutation(({ ctx, input }) => saveSite(ctx, input)),
  suggestPlaces: studioProcedure.input(SuggestPlaces).query(({ ctx, input }) => suggestPlaces(ctx, input)),
  findPlace: studioProcedure.input(FindPlace).query(({ ctx, input }) => findPlace(ctx, input)),
  checkDomainName: studioProcedure.input(CheckDomainName).query(({ ctx, input }) => checkDomainName(ctx, input)),
  gallery: studioProcedure.query(({ ctx }) => listGallery(ctx)),
  addToGallery: studioProcedure.input(MediaIds).mutation(({ ctx, input }) => addToGallery(ctx, input)),
  removeFromGallery: studioProcedure.input(MediaIds).mutation(({ ctx, input }) => removeFromGallery(ctx, input)),
  reorderGallery: studioProcedure.input(MediaIds).mutation(({ ctx, input }) => reorderGallery(ctx, input)),
  describeGalleryItem: studioProcedure
    .input(DescribeGalleryItem)
    .mutation(({ ctx, input }) => describeGalleryItem(ctx, input)),
})
