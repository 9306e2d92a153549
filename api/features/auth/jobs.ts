import { z } from 'zod'
import { awaitedJobs, defineQueue } from '../../core/jobs.ts'

/** Mails a requested link, if the address has an account. */
export const linkQueue = defineQueue('auth.link', z.object({ requestId: z.uuid() }), awaitedJobs)

/** Removes a closed account; retried until every network connection is revoked. */
export const purgeQueue = defineQueue('auth.purge', z.object({ userId: z.uuid() }), {
  retryLimit: 1000,
  retryDelay: 1,
  retryDelayMax: 900,
})
