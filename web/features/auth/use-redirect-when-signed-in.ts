import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { trpc } from '../../lib/trpc.ts'

/** Checks once, after the first paint, whether a user is signed in already, and then redirects to `to`. */
export function useRedirectWhenSignedIn(to: '/new-post' | '/'): void {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  useEffect(() => {
    let isUnmounted = false
    utils.auth.me.fetch(undefined, { staleTime: 30_000 }).then(
      (user) => {
        if (user && !isUnmounted) void navigate({ to: user.deletesAt === undefined ? to : '/leaving', replace: true })
      },
      // When the server cannot be reached, the form reports it on submit.
      () => {},
    )
    return () => {
      isUnmounted = true
    }
  }, [utils, navigate, to])
}
