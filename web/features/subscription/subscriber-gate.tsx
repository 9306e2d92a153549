import { isEntitled, plans } from '@flashsheet/contracts/plans'
import { subscriptionMessages, subscriptionStatusMessages } from '@flashsheet/contracts/subscription/messages'
import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import type { ReactNode } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { NoticePage } from '../parts/notice-page.tsx'
import { ScreenPending } from '../parts/screen-pending.tsx'
import { isUnpayable } from './billing-cycle.ts'
import { PayButton } from './pay-button.tsx'
import { useClosedScreen } from './use-closed-screen.ts'

/** Shows its children only with an active subscription. The server checks every call itself. */
export function SubscriberGate({ children }: { children: ReactNode }) {
  const { data: subscription, error, refetch } = trpc.subscription.mine.useQuery()
  if (isEntitled(subscription, 'app')) return children
  if (error && subscription === undefined) {
    const failure = failureOf(error, subscriptionMessages.getFailed)
    return (
      <NoticePage
        motif="bolt"
        title={failure.message}
        actions={
          <Button variant="primary" onPress={() => void refetch()}>
            Try again
          </Button>
        }
      >
        <p>{failure.detail ?? 'Nothing you saved is lost.'}</p>
      </NoticePage>
    )
  }
  if (subscription === undefined) return <ScreenPending />
  return <PremiumRequired subscription={subscription} />
}

/** Explains the problem and offers to subscribe, or to pay after a failed payment. */
function PremiumRequired({ subscription }: { subscription: Subscription | null }) {
  const status = subscription?.status
  const mayOwe = status === 'past_due' || status === 'unpaid'
  const { data: billing } = trpc.subscription.billing.useQuery(undefined, { enabled: mayOwe })
  useClosedScreen('app')
  const hasOpenPayment = mayOwe && !isUnpayable(status, billing)
  const needsConfirmation = hasOpenPayment && billing?.paymentProblem === 'authentication'
  return (
    <NoticePage
      motif="dagger"
      title={subscriptionMessages.premiumTitle}
      actions={
        hasOpenPayment ? (
          <PayButton size="large">{needsConfirmation ? 'Confirm payment' : 'Pay now'}</PayButton>
        ) : (
          <ButtonLink to="/subscription" variant="primary" size="large">
            {subscription ? 'View your subscription' : 'View plans'}
          </ButtonLink>
        )
      }
    >
      {status !== undefined && status !== 'active' && (
        <p>{needsConfirmation ? subscriptionMessages.confirmPayment : subscriptionStatusMessages[status]}</p>
      )}
      {!hasOpenPayment && <p>{subscriptionMessages.premiumText}</p>}
      {subscription?.status === 'past_due' && (
        <p>{subscriptionMessages.continuesMeanwhile(plans[subscription.plan].hasStudio)}</p>
      )}
    </NoticePage>
  )
}
