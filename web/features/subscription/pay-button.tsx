import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { Button } from '../../ui/button.tsx'
import { useRedirect } from './use-portal.ts'

/** Opens Stripe's page of the open invoice, where it is paid, or confirmed at the bank (3-D Secure). */
export function PayButton({ size = 'small', children }: { size?: 'small' | 'large'; children: string }) {
  const [isLeaving, redirect] = useRedirect()
  const utils = trpc.useUtils()
  const pay = trpc.subscription.pay.useMutation({
    onSuccess: ({ url }) => redirect(url),
    onError: (error) => {
      toastFailure(error, subscriptionMessages.payFailed)
      // The invoice may have been paid already.
      void utils.subscription.invalidate()
    },
  })
  const openInvoice = useSingleFlight(pay.mutateAsync)
  return (
    <Button size={size} variant="primary" pending={pay.isPending || isLeaving} onPress={() => openInvoice()}>
      {children}
    </Button>
  )
}
