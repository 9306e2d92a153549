import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { PlanId } from '@flashsheet/contracts/plans'
import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import { useNavigate } from '@tanstack/react-router'
import { rememberPlan } from '../../lib/chosen-plan.ts'
import { useSessionUser } from '../../lib/session.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { Button } from '../../ui/button.tsx'
import { planButton } from './billing-cycle.ts'
import { useRedirect } from './use-portal.ts'

/** The button of a plan. It starts the checkout, or navigates to /login without a session. */
export function PlanAction({
  plan,
  subscription,
  variant,
  label,
}: {
  plan: PlanId
  subscription: Subscription | null
  variant: 'primary' | 'secondary'
  /** Overrides the label of the plan's button. */
  label?: string
}) {
  const user = useSessionUser()
  const navigate = useNavigate()
  const [isLeaving, redirect] = useRedirect()
  const utils = trpc.useUtils()
  const checkout = trpc.subscription.createCheckout.useMutation({
    onSuccess: ({ url }) => redirect(url),
    onError: (error) => {
      toastFailure(error, subscriptionMessages.checkoutFailed)
      // A plan may have been bought on another device.
      void utils.subscription.invalidate()
    },
  })
  const openCheckout = useSingleFlight(checkout.mutateAsync)
  const button = planButton(subscription, plan)
  return (
    <Button
      variant={variant}
      size="large"
      wide
      isDisabled={button.disabled}
      pending={checkout.isPending || isLeaving}
      pendingLabel="Processing..."
      onPress={() => {
        rememberPlan(plan)
        if (user) openCheckout({ plan })
        else void navigate({ to: '/login' })
      }}
    >
      {label ?? button.label}
    </Button>
  )
}
