import { authMessages } from '@flashsheet/contracts/plain/auth'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { endSession } from '../../lib/session.ts'

/** For a live update that was refused: when this session has ended, the window goes to /login and says so. */
export function useSignedOutElsewhere(): (error: unknown) => void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useCallback(
    (error) => {
      if (failureOf(error, '').code !== 'unauthenticated') return
      endSession(queryClient)
      void navigate({ to: '/login', search: { error: authMessages.signedOut } })
    },
    [queryClient, navigate],
  )
}
