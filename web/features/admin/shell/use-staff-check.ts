import type { ForbiddenCode } from '@flashsheet/contracts/errors/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { failureOf } from '../../../lib/failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { usePageVisible } from '../../../lib/use-page-visible.ts'
import { useSignedOutElsewhere } from '../../auth/use-signed-out-elsewhere.ts'

const notStaff: readonly string[] = ['admin', 'deactivated'] satisfies ForbiddenCode[]

/**
 * Keeps a window of staff true to what its session may do. When that has ended elsewhere the window goes to /login by itself; when
 * a call is refused because this is staff no longer, who it is gets asked again, and the gate answers.
 */
export function useStaffCheck(): void {
  const queryClient = useQueryClient()
  const utils = trpc.useUtils()
  const leaveSignedOut = useSignedOutElsewhere()
  const hear = useCallback(
    (error: unknown) => {
      leaveSignedOut(error)
      if (notStaff.includes(failureOf(error, '').code)) void utils.auth.me.invalidate()
    },
    [leaveSignedOut, utils],
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
