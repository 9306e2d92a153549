import { isLive, type PlanId, plans, type SubscriptionStatus } from '@flashsheet/contracts/plans'
import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { BillingDetails, Subscription } from '@flashsheet/contracts/subscription/schema'
import type { BadgeTone } from '../../ui/badge.tsx'

const dayMs = 24 * 60 * 60 * 1000

export type BillingCycle = {
  /** Days until the period ends, rounded up. */
  daysLeft: number
  /** The part of the period that has passed, in whole percent. */
  percent: number
}

/** The progress of the paid period; undefined until Stripe has reported its start and end. */
export function billingCycle(
  subscription: Pick<Subscription, 'currentPeriodStart' | 'currentPeriodEnd'>,
  now: Date,
): BillingCycle | undefined {
  const { currentPeriodStart, currentPeriodEnd } = subscription
  if (currentPeriodStart === null || currentPeriodEnd === null) return undefined
  const start = Date.parse(currentPeriodStart)
  const end = Date.parse(currentPeriodEnd)
  const lengthMs = Math.max(1, end - start)
  const elapsedMs = Math.min(Math.max(now.getTime() - start, 0), lengthMs)
  return {
    daysLeft: Math.max(0, Math.ceil((end - now.getTime()) / dayMs)),
    percent: Math.floor((elapsedMs / lengthMs) * 100),
  }
}

/** "12 days left · 60%". */
export function cycleText({ daysLeft, percent }: BillingCycle): string {
  const left = daysLeft === 0 ? 'Ends today' : daysLeft === 1 ? '1 day left' : `${daysLeft} days left`
  return `${left} · ${percent}%`
}

export const statusBadges: Record<SubscriptionStatus, { tone: BadgeTone; label: string }> = {
  active: { tone: 'success', label: 'Active' },
  canceled: { tone: 'danger', label: 'Canceled' },
  past_due: { tone: 'warning', label: 'Past due' },
  unpaid: { tone: 'danger', label: 'Unpaid' },
  incomplete: { tone: 'secondary', label: 'Incomplete' },
}

/** The label of a plan's button; disabled for the current plan while its subscription is live. */
export function planButton(
  subscription: Subscription | null,
  plan: Subscription['plan'],
): { label: string; disabled: boolean } {
  if (subscription?.plan !== plan) return { label: 'Subscribe Now', disabled: false }
  return isLive(subscription.status)
    ? { label: 'Current Plan', disabled: true }
    : { label: 'Resubscribe', disabled: false }
}

/** Whether choosing this plan changes a live subscription, instead of starting a checkout. */
export function isChange(subscription: Subscription | null, plan: PlanId): subscription is Subscription {
  return subscription !== null && subscription.plan !== plan && isLive(subscription.status)
}

/** An unpaid subscription without an open invoice, which staff may have voided. Only a new subscription gives access again. */
export const isUnpayable = (
  status: SubscriptionStatus | undefined,
  billing: BillingDetails | null | undefined,
): boolean => status === 'unpaid' && billing?.amountDue === 0

type PlanChange = {
  /** Below the button. */
  note: string
  /** An open payment or a cancellation must be resolved first, as `note` says. */
  disabled: boolean
  isDowngrade: boolean
  /** The new plan has no website, so the site and its bookings are closed. */
  losesStudio: boolean
}

export function planChange(subscription: Subscription, plan: PlanId): PlanChange {
  const current = plans[subscription.plan]
  const isDowngrade = plans[plan].price < current.price
  const losesStudio = current.hasStudio && !plans[plan].hasStudio
  const obstacle =
    subscription.status === 'past_due'
      ? subscriptionMessages.payFirst
      : subscription.cancelAtPeriodEnd && 'Reactivate your subscription first, then change your plan.'
  return {
    note: obstacle || `Replaces ${current.name}, priced to the day. You confirm it on the next page.`,
    disabled: obstacle !== false,
    isDowngrade,
    losesStudio,
  }
}
