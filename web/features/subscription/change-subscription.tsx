import { isLive, plans } from '@flashsheet/contracts/plans'
import { subscriptionLimits } from '@flashsheet/contracts/subscription/limits'
import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import { useState } from 'react'
import { formatDay } from '../../lib/format.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'

const endOf = (subscription: Subscription) =>
  subscription.currentPeriodEnd ? formatDay(subscription.currentPeriodEnd) : 'the end of the paid period'

/** Of cancelling and reactivating, only the last outcome holds. */
const report = toast.about('subscription')

/** Cancels the subscription at the end of its period, or at once if it is unpaid, after a confirmation. */
export function CancelSubscription({ subscription }: { subscription: Subscription }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const utils = trpc.useUtils()
  const cancel = trpc.subscription.cancel.useMutation({
    onSuccess: (changed) => {
      utils.subscription.mine.setData(undefined, changed)
      setIsConfirming(false)
      if (changed.status === 'canceled') report.success('Your subscription has ended.')
      else if (changed.cancelAtPeriodEnd) report.success(`Your subscription ends on ${endOf(changed)}.`)
      // Stripe does not know the subscription.
      else report.error(subscriptionMessages.cancelFailed)
    },
    onError: (error) => toastFailure(error, subscriptionMessages.cancelFailed),
  })
  const isPaid = isLive(subscription.status)
  const { name } = plans[subscription.plan]
  return (
    <>
      <Button variant="quiet" wide onPress={() => setIsConfirming(true)}>
        Cancel subscription
      </Button>
      <AlertDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={`Cancel ${name}?`}
        action="Cancel subscription"
        cancel="Keep it"
        pending={cancel.isPending}
        pendingLabel="Canceling..."
        onAction={() => cancel.mutate()}
      >
        {isPaid ? (
          <>
            <p>
              Everything goes on until <strong>{endOf(subscription)}</strong>, and you are not charged again. Until then
              you can change your mind.
            </p>
            {plans[subscription.plan].hasStudio && (
              <p>
                After that your site shows a holding page and nobody can book. Appointments that are made stay, with
                their reminders.
              </p>
            )}
            <p>
              Posts planned for later will not go out. Your data is kept for {subscriptionLimits.dataKeptDays} days
              after the end.
            </p>
          </>
        ) : (
          <p>
            It ends at once, and the open payment is not tried again. Your data is kept for{' '}
            {subscriptionLimits.dataKeptDays} days.
          </p>
        )}
      </AlertDialog>
    </>
  )
}

/** Revokes a scheduled cancellation, after a confirmation. */
export function ReactivateSubscription({ subscription }: { subscription: Subscription }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const utils = trpc.useUtils()
  const reactivate = trpc.subscription.reactivate.useMutation({
    onSuccess: (changed) => {
      utils.subscription.mine.setData(undefined, changed)
      setIsConfirming(false)
      if (changed.status === 'canceled')
        report.warning('Your subscription has ended already. Choose a plan to come back.')
      else if (changed.cancelAtPeriodEnd) report.error(subscriptionMessages.reactivateFailed)
      else report.success('Your subscription goes on.')
    },
    onError: (error) => toastFailure(error, subscriptionMessages.reactivateFailed),
  })
  const { name } = plans[subscription.plan]
  return (
    <>
      <Button size="small" onPress={() => setIsConfirming(true)}>
        Reactivate
      </Button>
      <AlertDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={`Keep ${name}?`}
        action="Reactivate"
        cancel="Not now"
        tone="plain"
        pending={reactivate.isPending}
        pendingLabel="Reactivating..."
        onAction={() => reactivate.mutate()}
      >
        <p>Your subscription goes on after {endOf(subscription)}, and the next month is charged on that day.</p>
      </AlertDialog>
    </>
  )
}
