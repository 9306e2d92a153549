import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import { failureOf } from '../../lib/failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { useLeaving } from './use-portal.ts'

type PayButtonProps = { size?: 'small' | 'large'; variant?: 'primary' | 'secondary'; children?: string }

/** To the page on which the open invoice can be paid, with another card too, or confirmed at the bank. */
export function PayButton({ size = 'small', variant = 'primary', children = 'Pay now' }: PayButtonProps) {
  const [leaving, leave] = useLeaving()
  const utils = trpc.useUtils()
  const pay = trpc.subscription.pay.useMutation({
    onSuccess: ({ url }) => leave(url),
    onError: (error) => {
      const failure = failureOf(error, subscriptionMessages.payFailed)
      toast.error(failure.message, failure.detail)
      // It may be paid already.
      void utils.subscription.invalidate()
    },
  })
  return (
    <Button size={size} variant={variant} pending={pay.isPending || leaving} onPress={() => pay.mutate()}>
      {children}
    </Button>
  )
}
