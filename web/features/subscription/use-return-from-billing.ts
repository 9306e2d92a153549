import { plans } from '@flashsheet/contracts/plans'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'

/** Back from the card provider's pages, the artist sees what they did there at once; `done` is what they finished. */
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
      // What it cannot read now comes with the events: the screen shows what is known, and nothing is wrong.
      const now = await utils.client.subscription.refresh.mutate().catch(() => null)
      if (now) utils.subscription.mine.setData(undefined, now)
      await utils.subscription.billing.invalidate()
      if (now && done === 'plan') toast.success(`You are on ${plans[now.plan].name} now.`)
      if (done === 'card') toast.success('Your card is changed.')
    })()
  }, [returned, done, navigate, utils])
}
