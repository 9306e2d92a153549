import type { SubscriptionStatus } from '../plans.ts'

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
  continuesMeanwhile: (hasStudio: boolean) =>
    `Your scheduled posts${hasStudio ? ', your site and your bookings' : ''} continue meanwhile.`,
  /** Without a running subscription. */
  onHold: 'Scheduled posts whose time comes before then are not published. Nothing you made is lost.',
  nothingToPay: 'There is nothing to pay right now.',
  payFailed: 'Failed to open the payment page',
  /** The customer was deleted at Stripe. */
  customerGone:
    'Stripe no longer has your card and invoices. Choose a plan to subscribe again, or contact us about an old invoice.',
  portalFailed: 'Failed to open the billing page',
  samePlan: 'This is your plan already.',
  payFirst: 'Pay the open payment first, then change your plan.',
  reactivateFirst: 'Your subscription is about to end. Reactivate it first, then change your plan.',
  subscribeFirst: 'Your subscription is over. Subscribe again with the plan you want.',
  checkoutUnknown: 'This checkout could not be found.',
  badSignature: 'The signature is missing or wrong.',
} as const
