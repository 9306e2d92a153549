import { subscriptionMessages } from '@flashsheet/contracts/subscription'
import { useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'

/** To the page on which the open invoice can be paid, with another card too. */
export function PayButton({ size = 'small', variant = 'secondary' }: { size?: 'small' | 'large'; variant?: 'primary' | 'secondary' }) {
  const [leaving, setLeaving] = useState(false)
  const pay = trpc.subscription.pay.useMutation({
    onSuccess: ({ url }) => {
      setLeaving(true)
      window.location.assign(url)
    },
    onError: (error) => {
      const failure = failureOf(error, subscriptionMessages.payFailed)
      toast.error(failure.message, failure.detail)
    },
  })
  return (
    <Button size={size} variant={variant} pending={pay.isPending || leaving} onPress={() => pay.mutate()}>
      Pay now
    </Button>
  )
}
