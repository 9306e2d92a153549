import { isLive } from '@flashsheet/contracts/plans'
import { trpc } from '../../lib/trpc.ts'

/** What leads to /subscription: an offer for those without a plan, a place for those who pay, and until it is known. */
export function useSubscriptionLabel(): 'Subscribe Now' | 'Subscription' {
  const { data } = trpc.subscription.mine.useQuery(undefined, { staleTime: 60_000 })
  const pays = data === undefined || isLive(data?.status)
  return pays ? 'Subscription' : 'Subscribe Now'
}
