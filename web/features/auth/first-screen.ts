import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import { isLive } from '@flashsheet/contracts/plans'
import type { QueryUtils } from '../../lib/trpc.ts'

/** The first screen that is of use after a log-in: what an artist with a plan works on, the plans for one without, the staff's own for staff. */
export async function firstScreen(
  utils: Pick<QueryUtils, 'subscription'>,
  user: Pick<UserInfo, 'isAdmin'>,
): Promise<'/new-post' | '/subscription' | '/admin'> {
  // Who may not ask yet is led on by the guard.
  const subscription = await utils.subscription.mine.fetch(undefined, { staleTime: 0 }).catch(() => undefined)
  if (subscription === undefined || isLive(subscription?.status)) return '/new-post'
  return user.isAdmin ? '/admin' : '/subscription'
}
