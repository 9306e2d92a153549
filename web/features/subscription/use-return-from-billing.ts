import { plans } from '@flashsheet/contracts/plans'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'

/** After the return from Stripe's pages, refreshes the subscription and shows what was done there. */
export function useReturnFromBilling(returned: boolean, done: 'plan' | 'card' | undefined): void {
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const seen = useRef(false)
  useEffect(() => {
    if (!returned || seen.current) return
    seen.current = true
    void (async () => {
      await navigate({ to: '/subscription', search: {}, replace: true })
      seen.current = false
      // A failure here is harmless: Stripe's webhook brings the change later.
      const now = await utils.client.subscription.refresh.mutate().catch(() => null)
      if (now) utils.subscription.mine.setData(undefined, now)
      await utils.subscription.billing.invalidate()
      if (now && done === 'plan') toast.success(`You are on ${plans[now.plan].name} now.`)
      if (done === 'card') toast.success('Your card is changed.')
    })()
  }, [returned, done, navigate, utils])
}
