import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { trpc } from '../../lib/trpc.ts'

/** Checks once, after the first paint, whether a user is signed in already, and then redirects to `to`. */
export function useRedirectWhenSignedIn(to: '/new-post' | '/'): void {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  useEffect(() => {
    let left = false
    utils.auth.me.fetch(undefined, { staleTime: 30_000 }).then(
      (user) => {
        if (user && !left) void navigate({ to: user.deletesAt === undefined ? to : '/leaving', replace: true })
      },
      // The server cannot be reached: the form stays and reports that when it is submitted.
      () => {},
    )
    return () => {
      left = true
    }
  }, [utils, navigate, to])
}
