import { authMessages } from '@flashsheet/contracts/auth/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { endSession } from '../../lib/session.ts'

/** For a call that was refused: when this session has ended, the window goes to /login, says so, and comes back from there. */
export function useSignedOutElsewhere(): (error: unknown) => void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useCallback(
    (error) => {
      if (failureOf(error, '').code !== 'unauthenticated') return
      endSession(queryClient)
      void navigate({ to: '/login', search: { error: authMessages.signedOut, from: window.location.pathname } })
    },
    [queryClient, navigate],
  )
}
