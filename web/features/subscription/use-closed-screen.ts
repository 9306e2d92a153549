import { type Entitlement, isEntitled } from '@flashsheet/contracts/plans'
import { useEffect } from 'react'
import { trpc } from '../../lib/trpc.ts'

const pollMs = 3000

/**
 * For what is shown in place of a screen until the plan includes `what`. Loads everything again once it does, since the plan may be bought on
 * another device.
 */
export function useClosedScreen(what: Entitlement): void {
  const utils = trpc.useUtils()
  const { data } = trpc.subscription.mine.useQuery(undefined, { refetchInterval: pollMs })
  const isIncluded = isEntitled(data, what)
  useEffect(() => {
    if (isIncluded) void utils.invalidate()
  }, [isIncluded, utils])
}
