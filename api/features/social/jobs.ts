import { platforms } from '@flashsheet/contracts/networks'
import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

const OwnedAccount = z.object({ owner: z.uuid(), accountId: z.uuid() })

/** Finishes a disconnection: waits for the account's last post, revokes access at the network, deletes the row. */
export const disconnectQueue = defineQueue('social.leave', OwnedAccount, { retryLimit: 40, retryDelayMax: 1800 })

/** Refreshes the tokens of an unused account. */
export const refreshQueue = defineQueue('social.refresh', OwnedAccount, { retryLimit: 5, retryDelay: 60 })

/** Copies the pictures of an account's pages; `asks`: first fetches names and pictures from the network. */
export const profileQueue = defineQueue('social.profile', OwnedAccount.extend({ asks: z.boolean() }), {
  retryLimit: 3,
  retryDelay: 30,
})

/** Deletes copies of pictures that no page shows any more. */
export const deletePicturesQueue = defineQueue('social.drop-pictures', z.object({ keys: z.array(z.string()) }))

/** Checks accounts that connected a login while its permission was being revoked, by us or by the person. */
export const recheckQueue = defineQueue(
  'social.recheck',
  z.object({ platform: z.enum(platforms), providerUserId: z.string(), userId: z.uuid() }),
  { retryLimit: 5, retryDelay: 60 },
)
