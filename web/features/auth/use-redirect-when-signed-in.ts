import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'

/** Checks once, after the first paint, whether a user is signed in already, and then redirects to `to`. */
export function useRedirectWhenSignedIn(to: '/new-post' | '/'): void {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  useEffect(() => {
    utils.auth.me.fetch(undefined, { staleTime: 30_000 }).then(
      (user) => {
        if (user && isMounted()) void navigate({ to: user.deletesAt === undefined ? to : '/leaving', replace: true })
      },
      // When the server cannot be reached, the form reports it on submit.
      () => {},
    )
  }, [utils, navigate, to, isMounted])
}
