import type { System } from '../../core/context.ts'
import { queueHandler, type JobHandler } from '../../core/jobs.ts'
import {
  makeRenditionsQueue,
  measureLogosQueue,
  removeRenditionsQueue,
  reconcileClosedSitesQueue,
  sweepImagesQueue,
} from './jobs.ts'
import { retryMissingRenditions, publishGalleryItem, removeGalleryFiles } from './service/gallery-files.ts'
import { measureLogos, sweepSiteImages } from './service/site-images.ts'
import { reconcileClosedSites } from './service/public-site.ts'

export const websiteJobs: readonly JobHandler<System>[] = [
  queueHandler(
    makeRenditionsQueue,
    { concurrency: 2 },
    async (system: System, { galleryItemId }) => await publishGalleryItem(system, galleryItemId),
  ),
  queueHandler(removeRenditionsQueue, { concurrency: 2 }, removeGalleryFiles),
  queueHandler(reconcileClosedSitesQueue, { concurrency: 1, cron: '23 * * * *' }, async (system: System) => {
    await reconcileClosedSites(system)
    await retryMissingRenditions(system)
  }),
  queueHandler(sweepImagesQueue, { concurrency: 1, cron: '41 4 * * *' }, sweepSiteImages),
  queueHandler(measureLogosQueue, { concurrency: 1, cron: '52 * * * *' }, measureLogos),
]
