import type { ForbiddenCode } from '@flashsheet/contracts/errors/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { failureOf } from '../../../lib/failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { usePageVisible } from '../../../lib/use-page-visible.ts'

const notStaff: readonly string[] = ['admin', 'deactivated'] satisfies ForbiddenCode[]

/**
 * Keeps a window of staff true to what its session may do: when a call is refused because this is staff no longer, who it is gets asked
 * again, and the gate answers. A session that has ended is noticed by itself, as the stream below ends with it.
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
  // Any stream ends with its session; this one is open to everybody and says little.
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
