import type { ForbiddenCode } from '@flashsheet/contracts/errors/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { failureOf } from '../../../lib/failure.ts'
import { trpc } from '../../../lib/trpc.ts'

const notStaff: readonly string[] = ['admin', 'deactivated'] satisfies ForbiddenCode[]

/**
 * Reloads the session when a call is refused because the user is no longer staff, so that the gate shows why. The end of a session is
 * detected by the event stream, which the server closes then.
 */
export function useStaffCheck(): void {
  const queryClient = useQueryClient()
  const utils = trpc.useUtils()
  const checkError = useCallback(
    (error: unknown) => {
      if (notStaff.includes(failureOf(error, '').code)) void utils.auth.me.invalidate()
    },
    [utils],
  )
  // The server closes every stream of an ended session; this one is open to every role and has the least traffic.
  trpc.notices.watch.useSubscription(undefined, { onError: checkError })
  useEffect(() => {
    const unsubscribeQueries = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') checkError(event.action.error)
    })
    const unsubscribeMutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') checkError(event.action.error)
    })
    return () => {
      unsubscribeQueries()
      unsubscribeMutations()
    }
  }, [queryClient, checkError])
}
