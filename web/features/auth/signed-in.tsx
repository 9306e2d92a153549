import { loginMessages } from '@flashsheet/contracts/login/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { endSession } from '../../lib/session.ts'
import { onSessionEnded } from '../../lib/session-end.ts'

/**
 * Wraps the screens that need a session. Redirects to /login as soon as any call reports that the session has ended. The login returns to
 * the current screen.
 */
export function SignedIn({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const router = useRouter()
  useEffect(
    () =>
      onSessionEnded(() => {
        const from = router.state.location.href
        endSession(queryClient)
        void router.navigate({ to: '/login', search: { error: loginMessages.signedOut, from } })
      }),
    [queryClient, router],
  )
  return children
}
