import type { PlanId, SubscriptionStatus } from '../plain.ts'

/** What was promised goes on in these two states: scheduled posts, site, bookings, reminders. */
export function isLive(status: SubscriptionStatus | undefined): boolean {
  return status === 'active' || status === 'past_due'
}

/** Plan and state of an artist's current subscription; null: there never was one. */
export type HeldPlan = { plan: PlanId; status: SubscriptionStatus } | null

/**
 * What an artist may do with website, gallery and bookings. `write`: Complete Shading. `read`: a smaller plan;
 * what was made on the bigger one stays stored and can be looked at, and appointments made keep their reminders.
 * `none`: no active subscription, so no guarded page at all.
 */
export function studioAccess(held: HeldPlan): 'write' | 'read' | 'none' {
  if (held?.status !== 'active') return 'none'
  return held.plan === 'complete-shading' ? 'write' : 'read'
}

/** Whether the public finds the artist's site and may book there; otherwise the site shows its holding page. One failed charge closes nothing. */
export function studioIsOpen(held: HeldPlan): boolean {
  return held?.plan === 'complete-shading' && isLive(held.status)
}

export const subscriptionStatusMessages: Record<Exclude<SubscriptionStatus, 'active'>, string> = {
  canceled: 'Your subscription was canceled. You can reactivate it anytime.',
  past_due: 'Your payment failed. Please update your payment method.',
  unpaid: 'Payment is required to continue your subscription.',
  incomplete: 'Your subscription setup was not completed.',
}

export const subscriptionMessages = {
  premiumTitle: 'Premium Access Required',
  premiumText: 'You need an active subscription to access the dashboard and premium features.',
  checkoutFailed: 'Failed to create checkout session',
  invalidPlan: 'Invalid plan selected',
  getFailed: 'Failed to get subscription',
  cancelFailed: 'Failed to cancel subscription',
  reactivateFailed: 'Failed to reactivate subscription',
  plansFailed: 'Failed to get plans',
  welcome: 'Welcome to your new subscription! 🎉',
  none: 'No subscription found',
  alreadySubscribed: 'You already have a subscription. Change its plan instead of taking a second one.',
  confirmPayment: 'Your bank wants you to confirm the payment. Nothing is wrong with your card.',
  nothingToPay: 'There is nothing to pay right now.',
  payFailed: 'Failed to open the payment page',
  portalFailed: 'Failed to open the billing page',
  samePlan: 'This is your plan already.',
  payFirst: 'Pay the open payment first, then change your plan.',
  reactivateFirst: 'Your subscription is about to end. Reactivate it first, then change your plan.',
  subscribeFirst: 'Your subscription is over. Subscribe again with the plan you want.',
  checkoutUnknown: 'This checkout could not be found.',
  badSignature: 'The signature is missing or wrong.',
} as const
