import { MediaIds } from '@flashsheet/contracts/media'
import { DescribeGalleryItem } from '@flashsheet/contracts/website'
import { router, studioProcedure } from '../../core/procedures.ts'
import { addToGallery, describeGalleryItem, listGallery, removeFromGallery, reorderGallery } from './service/gallery.ts'

export const websiteRouter = router({
  gallery: studioProcedure.query(({ ctx }) => listGallery(ctx)),
  addToGallery: studioProcedure.input(MediaIds).mutation(({ ctx, input }) => addToGallery(ctx, input)),
  removeFromGallery: studioProcedure.input(MediaIds).mutation(({ ctx, input }) => removeFromGallery(ctx, input)),
  reorderGallery: studioProcedure.input(MediaIds).mutation(({ ctx, input }) => reorderGallery(ctx, input)),
  describeGalleryItem: studioProcedure.input(DescribeGalleryItem).mutation(({ ctx, input }) => describeGalleryItem(ctx, input)),
})
