import { z } from 'zod'
import { planIds, subscriptionStatuses } from '../plans.ts'
import { subscriptionMessages } from './messages.ts'

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
  /** ISO instants; null until they are known from Stripe. */
  currentPeriodStart: z.string().nullable(),
  currentPeriodEnd: z.string().nullable(),
  cancelAtPeriodEnd: z.boolean(),
})
export type Subscription = z.infer<typeof Subscription>

/** Details for the subscription screen, besides the subscription itself. */
export type BillingDetails = {
  /** Cents of an invoice whose charge failed or whose first payment is pending; 0: nothing is owed. */
  amountDue: number
  /** Why it is not paid: the card was declined, or the artist must confirm the payment at the bank. */
  paymentProblem: 'declined' | 'authentication' | null
  /** Until when the first payment is refunded on request; null: no longer. */
  refundUntil: string | null
}

export const CreateCheckoutInput = z.object({
  plan: z.enum(planIds, { error: subscriptionMessages.invalidPlan }),
})
export type CreateCheckoutInput = z.infer<typeof CreateCheckoutInput>

export const CheckoutSession = z.object({ url: z.string() })
export type CheckoutSession = z.infer<typeof CheckoutSession>

/** The success page sends the id that Stripe added to its address. */
export const ConfirmCheckoutInput = z.object({ sessionId: z.string().min(1).max(300) })
export type ConfirmCheckoutInput = z.infer<typeof ConfirmCheckoutInput>

/** The state of a checkout, and the subscription after it was read from Stripe. */
export type CheckoutOutcome = { checkout: 'open' | 'complete' | 'expired'; subscription: Subscription | null }

/** A page of the billing portal: its overview of card and invoices, the change of the card, or the change of the plan. */
export const OpenPortalInput = z.discriminatedUnion('to', [
  z.object({ to: z.literal('overview') }),
  z.object({ to: z.literal('card') }),
  z.object({ to: z.literal('plan'), plan: z.enum(planIds, { error: subscriptionMessages.invalidPlan }) }),
])
export type OpenPortalInput = z.infer<typeof OpenPortalInput>

/** A page at Stripe: the billing portal, or one on which an open invoice can be paid. */
export type ProviderPage = { url: string }
