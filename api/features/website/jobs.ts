import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

/** Makes the public renditions of a new gallery entry. */
export const makeRenditionsQueue = defineQueue('website.make-forms', z.object({ galleryItemId: z.uuid() }))

/** Deletes the public renditions of an entry that was removed. */
export const removeRenditionsQueue = defineQueue(
  'website.remove-forms',
  z.object({ galleryItemId: z.uuid(), mediaId: z.uuid() }),
)

/** Deletes pictures that no site uses, and the files of deleted ones. */
export const sweepImagesQueue = defineQueue('website.sweep-images', z.object({}), { policy: 'singleton' })
