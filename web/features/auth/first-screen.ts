import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import { isLive } from '@flashsheet/contracts/plans'
import type { QueryUtils } from '../../lib/trpc.ts'

/** The screen to open after a login: the editor with a live subscription, else the admin area for staff and the plans for artists. */
export async function firstScreen(
  utils: Pick<QueryUtils, 'subscription'>,
  user: Pick<UserInfo, 'isAdmin'>,
): Promise<'/new-post' | '/subscription' | '/admin'> {
  // An account that may not call this yet, for example an unverified one, is redirected by the guard of /new-post.
  const subscription = await utils.subscription.mine.fetch(undefined, { staleTime: 0 }).catch(() => undefined)
  if (subscription === undefined || isLive(subscription?.status)) return '/new-post'
  return user.isAdmin ? '/admin' : '/subscription'
}
