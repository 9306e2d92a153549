import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import { useEffect, useState } from 'react'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc, type RouterInputs } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'

/** Redirects to a page of Stripe. `isLeaving` stays true until the page is unloaded, and is reset when the back/forward cache restores it. */
export function useRedirect(): [isLeaving: boolean, redirect: (url: string) => void] {
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    const reset = (event: PageTransitionEvent) => {
      if (event.persisted) setLeaving(false)
    }
    window.addEventListener('pageshow', reset)
    return () => window.removeEventListener('pageshow', reset)
  }, [])
  const redirect = (url: string) => {
    setLeaving(true)
    window.location.assign(url)
  }
  return [isLeaving, redirect]
}

/** Opens Stripe's billing portal for the card, the invoices, or a plan change. */
export function usePortal(): { open: (to: RouterInputs['subscription']['openPortal']) => void; pending: boolean } {
  const [isLeaving, redirect] = useRedirect()
  const utils = trpc.useUtils()
  const portal = trpc.subscription.openPortal.useMutation({
    onSuccess: ({ url }) => redirect(url),
    onError: (error) => {
      toastFailure(error, subscriptionMessages.portalFailed)
      // The subscription may have been changed in another window.
      void utils.subscription.invalidate()
    },
  })
  return { open: useSingleFlight(portal.mutateAsync), pending: portal.isPending || isLeaving }
}
