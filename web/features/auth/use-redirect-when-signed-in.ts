import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { trpc } from '../../lib/trpc.ts'

/** Asks once, after the form is painted, whether someone is signed in already, and then goes to `to`. */
export function useRedirectWhenSignedIn(to: '/new-post' | '/'): void {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  useEffect(() => {
    let left = false
    utils.auth.me.fetch(undefined, { staleTime: 30_000 }).then(
      (user) => {
        if (user && !left) void navigate({ to: user.deletesAt === undefined ? to : '/leaving', replace: true })
      },
      // Out of reach: the form stays, and says so when it is sent.
      () => {},
    )
    return () => {
      left = true
    }
  }, [utils, navigate, to])
}
