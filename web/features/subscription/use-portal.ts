import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import { useEffect, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { trpc, type RouterInputs } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'

/** Leaves for the card provider's page, and stays busy until the browser has gone; back by the back button it is idle again. */
export function useLeaving(): [leaving: boolean, leave: (url: string) => void] {
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    const comeBack = (event: PageTransitionEvent) => {
      if (event.persisted) setLeaving(false)
    }
    window.addEventListener('pageshow', comeBack)
    return () => window.removeEventListener('pageshow', comeBack)
  }, [])
  const leave = (url: string) => {
    setLeaving(true)
    window.location.assign(url)
  }
  return [leaving, leave]
}

/** The card provider's billing portal: card, invoices, another plan. */
export function usePortal(): { open: (to: RouterInputs['subscription']['openPortal']) => void; pending: boolean } {
  const [leaving, leave] = useLeaving()
  const utils = trpc.useUtils()
  const portal = trpc.subscription.openPortal.useMutation({
    onSuccess: ({ url }) => leave(url),
    onError: (error) => {
      const failure = failureOf(error, subscriptionMessages.portalFailed)
      toast.error(failure.message, failure.detail)
      // It may have been changed in another window.
      void utils.subscription.invalidate()
    },
  })
  return { open: portal.mutate, pending: portal.isPending || leaving }
}
