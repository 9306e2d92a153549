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

const studioToRead = studioProcedure('site:read')
const studioToWrite = studioProcedure('site:write')

export const websiteRouter = router({
  site: studioToRead.query(({ ctx }) => getSite(ctx)),
  /** For the smaller plan: what is stored from before. */
  kept: subscriberProcedure('site:read').query(({ ctx }) => savedSite(ctx)),
  save: studioToWrite.input(SaveSite).mutation(({ ctx, input }) => saveSite(ctx, input)),
  suggestPlaces: studioToRead.input(SuggestPlaces).query(({ ctx, input }) => suggestPlaces(ctx, input)),
  findPlace: studioToRead.input(FindPlace).query(({ ctx, input }) => findPlace(ctx, input)),
  checkDomainName: studioToRead.input(CheckDomainName).query(({ ctx, input }) => checkDomainName(ctx, input)),
  links: studioToRead.query(({ ctx }) => listSiteLinks(ctx)),
  gallery: studioToRead.query(({ ctx }) => listGallery(ctx)),
  addToGallery: studioToWrite.input(MediaIds).mutation(({ ctx, input }) => addToGallery(ctx, input)),
  removeFromGallery: studioToWrite.input(MediaIds).mutation(({ ctx, input }) => removeFromGallery(ctx, input)),
  reorderGallery: studioToWrite.input(MediaIds).mutation(({ ctx, input }) => reorderGallery(ctx, input)),
  describeGalleryItem: studioToWrite
    .input(DescribeGalleryItem)
    .mutation(({ ctx, input }) => describeGalleryItem(ctx, input)),
  setFlash: studioToWrite.input(SetFlash).mutation(({ ctx, input }) => setGalleryFlash(ctx, input)),
})
