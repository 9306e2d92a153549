import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

/** Deletes the files of deleted items. */
export const removeFilesQueue = defineQueue('media.remove-files', z.object({ mediaIds: z.array(z.uuid()) }), {
  retryLimit: 1000,
  retryDelayMax: 3600,
})

/** Fetches a picture or video from a URL. */
export const fetchFromUrlQueue = defineQueue('media.fetch-from-url', z.object({ id: z.uuid() }), { retryLimit: 5 })

/** Deletes orphaned files, starting after a cursor if there is one. */
export const sweepOrphanedFilesQueue = defineQueue('media.sweep-unnamed', z.object({ after: z.string().optional() }), {
  policy: 'singleton',
})
