import { planIds, plans, subscriptionLimits, subscriptionStatusMessages, type PlanId, type Subscription } from '@flashsheet/contracts/subscription'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDay } from '../../lib/format.ts'
import { dollars } from '../../lib/money.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { billingCycle, cycleWords, statusBadges } from './billing-cycle.ts'
import { CancelSubscription, ReactivateSubscription } from './change-subscription.tsx'
import { PayButton } from './pay-button.tsx'
import { PlanAction } from './plan-action.tsx'
import { PlanCard } from './plan-card.tsx'
import styles from './subscription-screen.module.css'
import { useCurrentSubscription } from './use-current-subscription.ts'

/** /subscription (spec 2, 4): the two plans, which is the artist's, and how far its month is. */
export function SubscriptionScreen() {
  const { subscription, failure, retry } = useCurrentSubscription()
  if (failure) {
    return (
      <Alert
        tone="danger"
        title={failure.message}
        action={
          <Button size="small" onPress={retry}>
            Try again
          </Button>
        }
      >
        {failure.detail}
      </Alert>
    )
  }
  return (
    <div className={styles['screen']}>
      {subscription === undefined ? (
        <Loading label="Loading your subscription">
          <div className={styles['plans']}>
            {planIds.map((plan) => (
              <div key={plan} className={styles['waiting']}>
                <Skeleton shape="block" />
              </div>
            ))}
          </div>
        </Loading>
      ) : (
        <>
          <StateOfAffairs subscription={subscription} />
          <div className={styles['plans']}>
            {planIds.map((plan) => (
              <OfferedPlan key={plan} plan={plan} subscription={subscription} />
            ))}
          </div>
        </>
      )}
      <p className={styles['terms']}>
        By the month, no free trial. Your money back within {subscriptionLimits.refundWindowDays} days of the first payment:{' '}
        <Link to="/contact">write to us</Link>. After a subscription ends your data is kept for {subscriptionLimits.dataKeptDays} days.
      </p>
    </div>
  )
}

/** What the artist should know or do, above the plans. */
function StateOfAffairs({ subscription }: { subscription: Subscription | null }) {
  if (!subscription) return <p className={styles['lead']}>Choose the plan that fits how you work. You can cancel at any time.</p>
  const { status, cancelAtPeriodEnd, currentPeriodEnd } = subscription
  if (status === 'past_due' || status === 'unpaid') {
    return <Alert tone={status === 'past_due' ? 'warning' : 'danger'} title={subscriptionStatusMessages[status]} action={<PayButton />} />
  }
  if (status !== 'active') return <Alert tone={status === 'canceled' ? 'danger' : 'info'} title={subscriptionStatusMessages[status]} />
  if (!cancelAtPeriodEnd) return null
  return (
    <Alert
      tone="warning"
      title={currentPeriodEnd ? `Your subscription ends on ${formatDay(currentPeriodEnd)}.` : 'Your subscription is about to end.'}
      action={<ReactivateSubscription subscription={subscription} />}
    >
      Until then everything goes on as before.
    </Alert>
  )
}

function OfferedPlan({ plan, subscription }: { plan: PlanId; subscription: Subscription | null }) {
  const own = subscription?.plan === plan ? subscription : undefined
  const { mostPopular } = plans[plan]
  const hasOwnLive = subscription?.status === 'active' || subscription?.status === 'past_due'
  const badge = own && (
    <span className={styles['badges']}>
      <Badge>Your Plan</Badge>
      <Badge tone={statusBadges[own.status].tone}>{statusBadges[own.status].label}</Badge>
    </span>
  )
  return (
    <PlanCard
      level={2}
      plan={plan}
      {...(subscription ? { marked: own !== undefined } : {})}
      {...(badge ? { badge } : {})}
      action={
        <div className={styles['actions']}>
          <PlanAction plan={plan} subscription={subscription} variant={!hasOwnLive && (own || (!subscription && mostPopular)) ? 'primary' : 'secondary'} />
          {own && !own.cancelAtPeriodEnd && ['active', 'past_due', 'unpaid'].includes(own.status) && <CancelSubscription subscription={own} />}
        </div>
      }
    >
      {own && <Cycle subscription={own} />}
    </PlanCard>
  )
}

/** The month that is paid for: days left, a bar, and what happens at its end. */
function Cycle({ subscription }: { subscription: Subscription }) {
  const { status, cancelAtPeriodEnd, currentPeriodEnd } = subscription
  const [now] = useState(() => new Date())
  const cycle = billingCycle(subscription, now)
  if ((status !== 'active' && status !== 'past_due') || !cycle || !currentPeriodEnd) return null
  const words =
    status === 'past_due'
      ? 'The payment for this period is still open.'
      : cancelAtPeriodEnd
        ? `Ends on ${formatDay(currentPeriodEnd)}`
        : `Next billing on ${formatDay(currentPeriodEnd)}: ${dollars(plans[subscription.plan].price)}`
  return (
    <div className={styles['cycle']}>
      <ProgressBar label="Billing cycle" value={cycle.percent} valueLabel={cycleWords(cycle)} tone={status === 'past_due' ? 'failed' : 'ink'} />
      <p className={styles['next']}>{words}</p>
    </div>
  )
}
