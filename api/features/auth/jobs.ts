import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

/** Mails a requested link, if the address has an account. */
export const linkQueue = defineQueue('auth.link', z.object({ requestId: z.uuid() }))

/** Deletes expired links and sign-ins. */
export const cleanUpQueue = defineQueue('auth.tidy', z.object({}), { policy: 'singleton' })

/** Removes a closed account; retried until every network connection is revoked. */
export const purgeQueue = defineQueue('auth.purge', z.object({ userId: z.uuid() }), {
  retryLimit: 1000,
  retryDelay: 1,
  retryDelayMax: 900,
})

/** Closes accounts whose grace period has ended. */
export const accountDeletionQueue = defineQueue('auth.leaving', z.object({}), { policy: 'singleton' })
