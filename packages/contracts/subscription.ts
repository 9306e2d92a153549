import { z } from 'zod'
import { orderActions, planIds, plans, subscriptionLimits, subscriptionStatuses, type OrderAction, type PlanId, type SubscriptionStatus } from './plain.ts'
export { orderActions, planIds, plans, subscriptionLimits, subscriptionStatuses, type OrderAction, type PlanId, type SubscriptionStatus }

/** What was promised goes on in these two states: scheduled posts, site, bookings, reminders (design 7). */
export function isLive(status: SubscriptionStatus | undefined): boolean {
  return status === 'active' || status === 'past_due'
}

/** Plan and state of an artist's current subscription; null: there never was one. */
export type HeldPlan = { plan: PlanId; status: SubscriptionStatus } | null

/**
 * What an artist may do with website, gallery and bookings (spec 9). `write`: Complete Shading. `read`: a smaller plan;
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

export const Plan = z.object({
  id: z.enum(planIds),
  name: z.string(),
  price: z.number().int(),
  currency: z.string(),
  features: z.array(z.string()),
})
export type Plan = z.infer<typeof Plan>

export const Subscription = z.object({
  plan: z.enum(planIds),
  status: z.enum(subscriptionStatuses),
  /** ISO instants; null until Stripe has told them. */
  currentPeriodStart: z.string().nullable(),
  currentPeriodEnd: z.string().nullable(),
  cancelAtPeriodEnd: z.boolean(),
})
export type Subscription = z.infer<typeof Subscription>

/** What the screen of the subscription says beside the subscription itself. */
export const BillingDetails = z.object({
  /** Cents of an invoice that was tried in vain or waits for its first payment; 0: nothing is owed. */
  amountDue: z.number().int(),
  /** Why it is not paid: the card was refused, or the artist is to confirm the payment at the bank. */
  paymentProblem: z.enum(['declined', 'authentication']).nullable(),
  /** Until when the first payment is given back on request (spec 9); null once that is over. */
  refundUntil: z.string().nullable(),
})
export type BillingDetails = z.infer<typeof BillingDetails>

export const CreateCheckoutInput = z.object({
  plan: z.enum(planIds, { error: subscriptionMessages.invalidPlan }),
})
export type CreateCheckoutInput = z.infer<typeof CreateCheckoutInput>

export const CheckoutSession = z.object({ url: z.string() })
export type CheckoutSession = z.infer<typeof CheckoutSession>

/** The success page asks with the id Stripe put into its address. */
export const ConfirmCheckoutInput = z.object({ sessionId: z.string().min(1).max(300) })
export type ConfirmCheckoutInput = z.infer<typeof ConfirmCheckoutInput>

/** A finished or unfinished checkout, and the subscription as it stands after asking Stripe; it grants nothing by itself. */
export const CheckoutOutcome = z.object({
  checkout: z.enum(['open', 'complete', 'expired']),
  subscription: Subscription.nullable(),
})
export type CheckoutOutcome = z.infer<typeof CheckoutOutcome>

/** Where in the card provider's billing portal: its front page with card and invoices, the change of the card, or of the plan. */
export const OpenPortalInput = z.discriminatedUnion('to', [
  z.object({ to: z.literal('overview') }),
  z.object({ to: z.literal('card') }),
  z.object({ to: z.literal('plan'), plan: z.enum(planIds, { error: subscriptionMessages.invalidPlan }) }),
])
export type OpenPortalInput = z.infer<typeof OpenPortalInput>

/** A page at the card provider: its billing portal, or one on which an open invoice can be paid. */
export const ProviderPage = z.object({ url: z.string() })
export type ProviderPage = z.infer<typeof ProviderPage>
