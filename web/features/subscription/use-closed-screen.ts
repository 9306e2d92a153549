import { type Entitlement, isEntitled } from '@flashsheet/contracts/plans'
import { useEffect, useLayoutEffect } from 'react'
import { saveUnsentText } from '../../lib/session-end.ts'
import { trpc } from '../../lib/trpc.ts'

const pollMs = 3000

/**
 * For what is shown in place of a screen until the plan includes `what`. Stores what was typed there for its next opening. Loads everything
 * again once the plan includes it, since it may be bought on another device.
 */
export function useClosedScreen(what: Entitlement): void {
  const utils = trpc.useUtils()
  const { data } = trpc.subscription.mine.useQuery(undefined, { refetchInterval: pollMs })
  const isIncluded = isEntitled(data, what)
  // A layout effect runs while the forms that this has replaced still listen.
  useLayoutEffect(saveUnsentText, [])
  useEffect(() => {
    if (isIncluded) void utils.invalidate()
  }, [isIncluded, utils])
}
