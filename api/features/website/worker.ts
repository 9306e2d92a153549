import type { System } from '../../core/context.ts'
import { queueHandler, scheduledTask, type JobHandler } from '../../core/jobs.ts'
import { makeRenditionsQueue, removeRenditionsQueue, sweepImagesQueue } from './jobs.ts'
import { retryMissingRenditions, publishGalleryItem, removeGalleryFiles } from './service/gallery-files.ts'
import { measureLogos, sweepSiteImages } from './service/site-images.ts'
import { reconcileClosedSites } from './service/public-site.ts'

export const websiteJobs: readonly JobHandler<System>[] = [
  queueHandler(makeRenditionsQueue, { concurrency: 2 }, publishGalleryItem),
  queueHandler(removeRenditionsQueue, { concurrency: 2 }, removeGalleryFiles),
  scheduledTask('website.settle-sites', '23 * * * *', async (system: System) => {
    await reconcileClosedSites(system)
    await retryMissingRenditions(system)
  }),
  queueHandler(sweepImagesQueue, { concurrency: 1, cron: '41 4 * * *' }, sweepSiteImages),
  scheduledTask('website.measure-logos', '52 * * * *', measureLogos),
]
