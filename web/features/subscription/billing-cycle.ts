import { isLive, type PlanId, plans, type SubscriptionStatus } from '@flashsheet/contracts/plans'
import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import type { BadgeTone } from '../../ui/badge.tsx'

const dayMs = 24 * 60 * 60 * 1000

export type BillingCycle = {
  /** Days until the period ends, a begun day counted whole. */
  daysLeft: number
  /** How much of the period is over, in whole percent. */
  percent: number
}

/** How far the paid period is; undefined while Stripe has not told when it begins and ends. */
export function billingCycle(
  subscription: Pick<Subscription, 'currentPeriodStart' | 'currentPeriodEnd'>,
  now: Date,
): BillingCycle | undefined {
  const { currentPeriodStart, currentPeriodEnd } = subscription
  if (currentPeriodStart === null || currentPeriodEnd === null) return undefined
  const start = Date.parse(currentPeriodStart)
  const end = Date.parse(currentPeriodEnd)
  const length = Math.max(1, end - start)
  const gone = Math.min(Math.max(now.getTime() - start, 0), length)
  return { daysLeft: Math.max(0, Math.ceil((end - now.getTime()) / dayMs)), percent: Math.floor((gone / length) * 100) }
}

/** "12 days left · 60%". */
export function cycleWords({ daysLeft, percent }: BillingCycle): string {
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

/** Words of a plan's button: nothing to buy while it is the artist's own and lives. */
export function planButton(
  subscription: Subscription | null,
  plan: Subscription['plan'],
): { label: string; disabled: boolean } {
  if (subscription?.plan !== plan) return { label: 'Subscribe Now', disabled: false }
  return isLive(subscription.status)
    ? { label: 'Current Plan', disabled: true }
    : { label: 'Resubscribe', disabled: false }
}

/** Whether the other plan is taken by a change of the living subscription, and not by a checkout. */
export function isChange(subscription: Subscription | null, plan: PlanId): subscription is Subscription {
  return subscription !== null && subscription.plan !== plan && isLive(subscription.status)
}

/** What is said below the button of the other plan, and whether something has to be done first. */
export function planChange(
  subscription: Subscription,
  plan: PlanId,
): { note: string; disabled: boolean; smaller: boolean } {
  const own = plans[subscription.plan]
  const smaller = plans[plan].price < own.price
  if (subscription.status === 'past_due')
    return { note: 'Pay the open payment first, then change your plan.', disabled: true, smaller }
  if (subscription.cancelAtPeriodEnd)
    return { note: 'Reactivate your subscription first, then change your plan.', disabled: true, smaller }
  return { note: `Replaces ${own.name}, priced to the day. You confirm it on the next page.`, disabled: false, smaller }
}
