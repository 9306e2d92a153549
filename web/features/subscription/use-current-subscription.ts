import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import { failureOf, type Failure } from '../../lib/failure.ts'
import { trpc } from '../../lib/trpc.ts'

export type CurrentSubscription = {
  /** Null: the artist has never had one. Undefined: not loaded yet. */
  subscription: Subscription | null | undefined
  /** Why it could not be loaded; undefined while cached data can be shown. */
  failure: Failure | undefined
  retry: () => void
}

export function useCurrentSubscription(): CurrentSubscription {
  const { data, error, refetch } = trpc.subscription.mine.useQuery()
  return {
    subscription: data,
    failure: error && data === undefined ? failureOf(error, subscriptionMessages.getFailed) : undefined,
    retry: () => void refetch(),
  }
}
