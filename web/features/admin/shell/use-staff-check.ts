import type { ForbiddenCode } from '@flashsheet/contracts/errors/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { failureOf } from '../../../lib/failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { usePageVisible } from '../../../lib/use-page-visible.ts'

const notStaff: readonly string[] = ['admin', 'deactivated'] satisfies ForbiddenCode[]

/**
 * Reloads the session when a call is refused because the user is no longer staff, so that the gate shows why. A session that ends is
 * noticed by the live stream, which ends with it.
 */
export function useStaffCheck(): void {
  const queryClient = useQueryClient()
  const utils = trpc.useUtils()
  const hear = useCallback(
    (error: unknown) => {
      if (notStaff.includes(failureOf(error, '').code)) void utils.auth.me.invalidate()
    },
    [utils],
  )
  // Every stream ends with its session; this one is open to every role and has the least traffic.
  trpc.notices.watch.useSubscription(undefined, { enabled: usePageVisible(), onError: hear })
  useEffect(() => {
    const stopReads = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') hear(event.action.error)
    })
    const stopActs = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') hear(event.action.error)
    })
    return () => {
      stopReads()
      stopActs()
    }
  }, [queryClient, hear])
}
