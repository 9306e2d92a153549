import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import { isLive } from '@flashsheet/contracts/plans'
import type { QueryUtils } from '../../lib/trpc.ts'

/** The screen to open after a login: the composer for subscribers, otherwise the admin area for staff and the plans for artists. */
export async function firstScreen(
  utils: Pick<QueryUtils, 'subscription'>,
  user: Pick<UserInfo, 'isAdmin'>,
): Promise<'/new-post' | '/subscription' | '/admin'> {
  // The call is refused for some accounts, such as unverified ones. The guard of /new-post redirects them.
  const subscription = await utils.subscription.mine.fetch(undefined, { staleTime: 0 }).catch(() => undefined)
  if (subscription === undefined || isLive(subscription?.status)) return '/new-post'
  return user.isAdmin ? '/admin' : '/subscription'
}
