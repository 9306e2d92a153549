import { isLive, type PlanId, planIds, plans } from '@flashsheet/contracts/plans'
import { subscriptionLimits } from '@flashsheet/contracts/subscription/limits'
import { subscriptionMessages, subscriptionStatusMessages } from '@flashsheet/contracts/subscription/messages'
import type { BillingDetails, Subscription } from '@flashsheet/contracts/subscription/schema'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDay } from '../../lib/format.ts'
import { formatDollars } from '../../lib/money.ts'
import { rememberedPlan } from '../../lib/chosen-plan.ts'
import { trpc } from '../../lib/trpc.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { Loading, SkeletonBlocks } from '../../ui/skeleton.tsx'
import { billingCycle, cycleText, isChange, isUnpayable } from './billing-cycle.ts'
import { CardAndInvoices } from './card-and-invoices.tsx'
import { ChangePlan } from './change-plan.tsx'
import { CancelSubscription, ReactivateSubscription } from './change-subscription.tsx'
import { PayButton } from './pay-button.tsx'
import { PlanAction } from './plan-action.tsx'
import { PlanCard } from './plan-card.tsx'
import { StatusBadge } from './status-badge.tsx'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './subscription-screen.module.css'
import { useReturnFromBilling } from './use-return-from-billing.ts'
import { LoadFailed } from '../parts/pending-query.tsx'

export function SubscriptionScreen({ returned, done }: { returned: boolean; done: 'plan' | 'card' | undefined }) {
  const current = trpc.subscription.mine.useQuery()
  const subscription = current.data
  const { data: billing } = trpc.subscription.billing.useQuery()
  useReturnFromBilling(returned, done)
  const [chosen] = useState(rememberedPlan)
  if (current.error && subscription === undefined)
    return <LoadFailed query={current} failed={subscriptionMessages.getFailed} />
  return (
    <div className={layout['stack-6']}>
      {subscription === undefined ? (
        <Loading label="Loading your subscription">
          <div className={classes(layout['stack-5'], styles['plans'])}>
            <SkeletonBlocks count={planIds.length} frame={styles['waiting']} />
          </div>
        </Loading>
      ) : (
        <>
          <StatusAlert subscription={subscription} billing={billing ?? null} />
          {subscription === null && chosen && (
            <Alert
              tone="info"
              title={`You chose ${plans[chosen].name}.`}
              action={<PlanAction plan={chosen} subscription={null} variant="primary" label="Continue to checkout" />}
            >
              {formatDollars(plans[chosen].price)} a month. You can still choose another plan below.
            </Alert>
          )}
          <div className={classes(layout['stack-5'], styles['plans'])}>
            {planIds.map((plan) => (
              <OfferedPlan key={plan} plan={plan} subscription={subscription} />
            ))}
          </div>
          {subscription && subscription.status !== 'incomplete' && <CardAndInvoices subscription={subscription} />}
        </>
      )}
      <p className={classes(text['note'], styles['terms'])}>
        Billed monthly, no free trial.{' '}
        {billing?.refundUntil ? (
          <strong>Your money back until {formatDay(billing.refundUntil)}:</strong>
        ) : (
          `Your money back within ${subscriptionLimits.refundWindowDays} days of the first payment:`
        )}{' '}
        <Link to="/contact">write to us</Link>. After a subscription ends your data is kept for{' '}
        {subscriptionLimits.dataKeptDays} days.
      </p>
    </div>
  )
}

/** The state of the subscription, with the action that it requires. */
function StatusAlert({ subscription, billing }: { subscription: Subscription | null; billing: BillingDetails | null }) {
  if (!subscription)
    return <p className={styles['lead']}>Choose the plan that fits how you work. You can cancel at any time.</p>
  const { plan, status, cancelAtPeriodEnd, currentPeriodEnd } = subscription
  if (isUnpayable(status, billing))
    return (
      <Alert tone="danger" title={subscriptionStatusMessages.unpaid}>
        Nothing is due now. Choose a plan to come back. {subscriptionMessages.onHold}
      </Alert>
    )
  if (status === 'past_due' || status === 'unpaid') return <OpenPayment status={status} plan={plan} billing={billing} />
  if (status === 'incomplete' && billing && billing.amountDue > 0) {
    const needsConfirmation = billing.paymentProblem === 'authentication'
    return (
      <Alert
        tone="info"
        title={subscriptionStatusMessages.incomplete}
        action={<PayButton>{needsConfirmation ? 'Confirm payment' : 'Finish payment'}</PayButton>}
      >
        {needsConfirmation
          ? subscriptionMessages.confirmPayment
          : `The first payment of ${formatDollars(billing.amountDue)} is still to be made.`}
      </Alert>
    )
  }
  if (status !== 'active')
    return <Alert tone={status === 'canceled' ? 'danger' : 'info'} title={subscriptionStatusMessages[status]} />
  if (!cancelAtPeriodEnd) return null
  return (
    <Alert
      tone="warning"
      title={
        currentPeriodEnd
          ? `Your subscription ends on ${formatDay(currentPeriodEnd)}.`
          : 'Your subscription is about to end.'
      }
      action={<ReactivateSubscription subscription={subscription} />}
    >
      Until then everything continues as before.
    </Alert>
  )
}

function OpenPayment({
  status,
  plan,
  billing,
}: {
  status: 'past_due' | 'unpaid'
  plan: PlanId
  billing: BillingDetails | null
}) {
  const needsConfirmation = billing?.paymentProblem === 'authentication'
  return (
    <Alert
      tone={status === 'past_due' ? 'warning' : 'danger'}
      title={needsConfirmation ? subscriptionMessages.confirmPayment : subscriptionStatusMessages[status]}
      action={<PayButton>{needsConfirmation ? 'Confirm payment' : 'Pay now'}</PayButton>}
    >
      {billing && billing.amountDue > 0 && `${formatDollars(billing.amountDue)} is due. `}
      {status === 'past_due'
        ? subscriptionMessages.continuesMeanwhile(plans[plan].hasStudio)
        : `Until it is paid, nothing new can be made. ${subscriptionMessages.onHold}`}
    </Alert>
  )
}

function OfferedPlan({ plan, subscription }: { plan: PlanId; subscription: Subscription | null }) {
  const own = subscription?.plan === plan ? subscription : undefined
  const { mostPopular } = plans[plan]
  // A screen has one primary button. With an open payment that is the button to pay.
  const isOngoing = subscription !== null && (isLive(subscription.status) || subscription.status === 'unpaid')
  const badge = own && (
    <span className={layout['row-2']}>
      <Badge>Your Plan</Badge>
      <StatusBadge status={own.status} />
    </span>
  )
  return (
    <PlanCard
      level={2}
      plan={plan}
      marked={subscription ? own !== undefined : undefined}
      badge={badge}
      action={
        <div className={layout['stack-2']}>
          {isChange(subscription, plan) ? (
            <ChangePlan plan={plan} subscription={subscription} />
          ) : (
            <PlanAction
              plan={plan}
              subscription={subscription}
              variant={
                !isOngoing && (own || (!subscription && mostPopular && !rememberedPlan())) ? 'primary' : 'secondary'
              }
            />
          )}
          {own && !own.cancelAtPeriodEnd && isOngoing && <CancelSubscription subscription={own} />}
        </div>
      }
    >
      {own && <Cycle subscription={own} />}
    </PlanCard>
  )
}

function Cycle({ subscription }: { subscription: Subscription }) {
  const { status, cancelAtPeriodEnd, currentPeriodEnd } = subscription
  const [now] = useState(() => new Date())
  const cycle = billingCycle(subscription, now)
  if (!isLive(status) || !cycle || !currentPeriodEnd) return null
  const words =
    status === 'past_due'
      ? 'The payment for this period is still due.'
      : cancelAtPeriodEnd
        ? `Ends on ${formatDay(currentPeriodEnd)}`
        : `Next billing on ${formatDay(currentPeriodEnd)}`
  return (
    <div className={styles['cycle']}>
      <ProgressBar
        label="Billing cycle"
        value={cycle.percent}
        valueLabel={cycleText(cycle)}
        tone={status === 'past_due' ? 'failed' : 'ink'}
      />
      <p className={text['note']}>{words}</p>
    </div>
  )
}
