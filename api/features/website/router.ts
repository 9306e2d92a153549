import { MediaIds } from '@flashsheet/contracts/media/schema'
import {
  CheckDomainName,
  DescribeGalleryItem,
  FindPlace,
  SaveSite,
  SetFlash,
  SuggestPlaces,
} from '@flashsheet/contracts/website/schema'
import { call, router, studioProcedure, subscriberProcedure } from '../../core/procedures.ts'
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
  site: studioToRead.query(call(getSite)),
  /** For a plan without a site: the site that was stored under an earlier plan. */
  kept: subscriberProcedure('site:read').query(call(savedSite)),
  save: studioToWrite.input(SaveSite).mutation(call(saveSite)),
  suggestPlaces: studioToRead.input(SuggestPlaces).query(call(suggestPlaces)),
  findPlace: studioToRead.input(FindPlace).query(call(findPlace)),
  checkDomainName: studioToRead.input(CheckDomainName).query(call(checkDomainName)),
  links: studioToRead.query(call(listSiteLinks)),
  gallery: studioToRead.query(call(listGallery)),
  addToGallery: studioToWrite.input(MediaIds).mutation(call(addToGallery)),
  removeFromGallery: studioToWrite.input(MediaIds).mutation(call(removeFromGallery)),
  reorderGallery: studioToWrite.input(MediaIds).mutation(call(reorderGallery)),
  describeGalleryItem: studioToWrite.input(DescribeGalleryItem).mutation(call(describeGalleryItem)),
  setFlash: studioToWrite.input(SetFlash).mutation(call(setGalleryFlash)),
})
