import { platforms } from '@flashsheet/contracts/networks'
import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

const OwnedAccount = z.object({ owner: z.uuid(), accountId: z.uuid() })

/** Lets a disconnected account go: waits for its last post, tells the network, removes the row. */
export const leaveQueue = defineQueue('social.leave', OwnedAccount, { retryLimit: 40, retryDelayMax: 1800 })

/** Refreshes one account's tokens although nobody asked for them. */
export const refreshQueue = defineQueue('social.refresh', OwnedAccount, { retryLimit: 5, retryDelay: 60 })

/** Asks whether who connected a login while its permission was being taken back still has one. */
export const recheckQueue = defineQueue(
  'social.recheck',
  z.object({ platform: z.enum(platforms), providerUserId: z.string(), userId: z.uuid() }),
  { retryLimit: 5, retryDelay: 60 },
)

/** Seals tokens with the key in use. */
export const resealQueue = defineQueue('social.reseal', z.object({}), { policy: 'singleton' })

/** Finds tokens that want care, and clears away what has had its time. */
export const careQueue = defineQueue('social.care', z.object({}), { policy: 'singleton' })
