import { isLive } from '@flashsheet/contracts/plans'
import { trpc } from '../../lib/trpc.ts'

/** The label of the link to /subscription: "Subscription" until the plan has loaded, so that no subscriber is asked to subscribe. */
export function useSubscriptionLabel(): 'Subscribe Now' | 'Subscription' {
  const { data } = trpc.subscription.mine.useQuery(undefined, { staleTime: 60_000 })
  const isSubscribed = data === undefined || isLive(data?.status)
  return isSubscribed ? 'Subscription' : 'Subscribe Now'
}
