import { plans } from '@flashsheet/contracts/plans'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'

/** After the return from Stripe's pages, refreshes the subscription and confirms the change with a toast. */
export function useReturnFromBilling(returned: boolean, done: 'plan' | 'card' | undefined): void {
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const isHandled = useRef(false)
  useEffect(() => {
    if (!returned || isHandled.current) return
    isHandled.current = true
    void (async () => {
      await navigate({ to: '/subscription', search: {}, replace: true })
      isHandled.current = false
      // A failure here is harmless: Stripe's webhook reports the change later.
      const subscription = await utils.client.subscription.refresh.mutate().catch(() => null)
      if (subscription) utils.subscription.mine.setData(undefined, subscription)
      await utils.subscription.billing.invalidate()
      if (subscription && done === 'plan') toast.success(`You are on ${plans[subscription.plan].name} now.`)
      if (done === 'card') toast.success('Your card is changed.')
    })()
  }, [returned, done, navigate, utils])
}
