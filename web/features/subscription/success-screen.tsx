import { plans } from '@flashsheet/contracts/plans'
import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { CheckoutOutcome, Subscription } from '@flashsheet/contracts/subscription/schema'
import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { formatDay } from '../../lib/format.ts'
import { forgetPlan } from '../../lib/chosen-plan.ts'
import { failureOf } from '../../lib/failure.ts'
import { formatDollars } from '../../lib/money.ts'
import { retryInterval } from '../../lib/query-client.ts'
import { trpc } from '../../lib/trpc.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.tsx'
import { NoticePage } from '../parts/notice-page.tsx'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import styles from './success-screen.module.css'

const pollMs = 1500
/** After this many polls the screen stops polling, and says that it takes longer than usual. */
const maxPolls = 20

/** /subscription/success: the outcome of this checkout; "confirming" until the subscription is active. */
export function SuccessScreen({ sessionId }: { sessionId: string }) {
  if (sessionId === '') {
    return (
      <Notice title="No checkout to confirm">
        <p>This page is shown after a checkout. Your subscription has its own page.</p>
      </Notice>
    )
  }
  return <Confirmation sessionId={sessionId} />
}

function Confirmation({ sessionId }: { sessionId: string }) {
  const utils = trpc.useUtils()
  const { data, error, refetch, isFetching } = useQuery<CheckoutOutcome & { polls: number }>({
    queryKey: ['checkout', sessionId],
    // A mutation, because the server stores Stripe's answer. It is idempotent, so it may be polled like a query.
    queryFn: async ({ client, queryKey }) => {
      const before = client.getQueryData<{ polls: number }>(queryKey)
      return { ...(await utils.client.subscription.confirm.mutate({ sessionId })), polls: (before?.polls ?? 0) + 1 }
    },
    refetchInterval: (query) =>
      retryInterval(query) ||
      (isWaiting(query.state.data) && (query.state.data?.polls ?? 0) < maxPolls ? pollMs : false),
    staleTime: Infinity,
  })
  const active = activeOf(data)
  useEffect(() => {
    if (!active) return
    utils.subscription.mine.setData(undefined, active)
    forgetPlan()
    toast.success(subscriptionMessages.welcome)
    // Runs once when the subscription becomes active, not once per poll.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [active !== undefined])

  if (error && !data) return <ConfirmationFailed error={error} onRetry={() => void refetch()} />
  if (active) return <Welcome subscription={active} />
  if (data && data.checkout !== 'complete') {
    return (
      <Notice title="This checkout was not finished">
        <p>Nothing was charged. You can choose a plan whenever you like.</p>
      </Notice>
    )
  }
  if (data && data.polls >= maxPolls) {
    return (
      <NoticePage
        motif="candle"
        title="Still confirming"
        actions={
          <>
            <Button variant="primary" pending={isFetching} onPress={() => void refetch()}>
              Look again
            </Button>
            <ButtonLink to="/subscription">Go to your subscription</ButtonLink>
          </>
        }
      >
        <p>
          Your payment arrived, but its confirmation takes longer than usual. You do not need to pay again: everything
          opens by itself as soon as it is here.
        </p>
      </NoticePage>
    )
  }
  return <Confirming />
}

const activeOf = (outcome: CheckoutOutcome | undefined): Subscription | undefined =>
  outcome?.checkout === 'complete' && outcome.subscription?.status === 'active' ? outcome.subscription : undefined

const isWaiting = (outcome: CheckoutOutcome | undefined): boolean =>
  outcome?.checkout === 'complete' && activeOf(outcome) === undefined

function Confirming() {
  return (
    <NoticePage motif="eye" title="Confirming your payment">
      <output className={styles['waiting']}>
        <Spinner /> This takes a few seconds. Please keep this page open.
      </output>
    </NoticePage>
  )
}

function Welcome({ subscription }: { subscription: Subscription }) {
  const { name, price } = plans[subscription.plan]
  return (
    <NoticePage
      motif="star"
      title={`${name} is yours`}
      actions={
        <>
          <ButtonLink to="/new-post" variant="primary">
            Create your first post
          </ButtonLink>
          <ButtonLink to="/subscription">View subscription</ButtonLink>
        </>
      }
    >
      <dl className={classes(layout['panel'], styles['facts'])}>
        <div>
          <dt>Plan</dt>
          <dd>{name}</dd>
        </div>
        <div>
          <dt>Price</dt>
          <dd>{formatDollars(price)} a month</dd>
        </div>
        <div>
          <dt>Next billing</dt>
          <dd>{subscription.currentPeriodEnd ? formatDay(subscription.currentPeriodEnd) : '—'}</dd>
        </div>
      </dl>
    </NoticePage>
  )
}

function ConfirmationFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const failure = failureOf(error, subscriptionMessages.getFailed)
  if (failure.code === 'unauthenticated') {
    return (
      <NoticePage
        motif="horseshoe"
        title="Log in to see your subscription"
        actions={
          <ButtonLink to="/login" variant="primary">
            Log in
          </ButtonLink>
        }
      >
        <p>Your payment is safe. This browser is not signed in, so we cannot show what it was for.</p>
      </NoticePage>
    )
  }
  if (failure.code === 'notFound') {
    return (
      <Notice title={failure.message}>
        <p>It may belong to another account. Your own subscription is on its page.</p>
      </Notice>
    )
  }
  return (
    <NoticePage
      motif="bolt"
      title={failure.message}
      actions={
        <>
          <Button variant="primary" onPress={onRetry}>
            Try again
          </Button>
          <ButtonLink to="/subscription">View subscription</ButtonLink>
        </>
      }
    >
      <p>{failure.detail ?? 'If you paid, nothing is lost: your subscription opens by itself.'}</p>
    </NoticePage>
  )
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <NoticePage
      motif="moon"
      title={title}
      actions={
        <>
          <ButtonLink to="/subscription" variant="primary">
            View subscription
          </ButtonLink>
          <ButtonLink to="/new-post">New post</ButtonLink>
        </>
      }
    >
      {children}
    </NoticePage>
  )
}
