import { isLive } from '@flashsheet/contracts/plans'
import { trpc } from '../../lib/trpc.ts'

/** The label of the link to /subscription. It is "Subscription" until the plan is known, so that no subscriber is asked to subscribe. */
export function useSubscriptionLabel(): 'Subscribe Now' | 'Subscription' {
  const { data } = trpc.subscription.mine.useQuery(undefined, { staleTime: 60_000 })
  const pays = data === undefined || isLive(data?.status)
  return pays ? 'Subscription' : 'Subscribe Now'
}
