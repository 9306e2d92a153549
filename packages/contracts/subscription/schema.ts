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

/** What the screen of the subscription says beside the subscription itself. */
export type BillingDetails = {
  /** Cents of an invoice that was tried in vain or waits for its first payment; 0: nothing is owed. */
  amountDue: number
  /** Why it is not paid: the card was refused, or the artist is to confirm the payment at the bank. */
  paymentProblem: 'declined' | 'authentication' | null
  /** Until when the first payment is given back on request; null once that is over. */
  refundUntil: string | null
}

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
export type CheckoutOutcome = { checkout: 'open' | 'complete' | 'expired'; subscription: Subscription | null }

/** Where in the card provider's billing portal: its front page with card and invoices, the change of the card, or of the plan. */
export const OpenPortalInput = z.discriminatedUnion('to', [
  z.object({ to: z.literal('overview') }),
  z.object({ to: z.literal('card') }),
  z.object({ to: z.literal('plan'), plan: z.enum(planIds, { error: subscriptionMessages.invalidPlan }) }),
])
export type OpenPortalInput = z.infer<typeof OpenPortalInput>

/** A page at the card provider: its billing portal, or one on which an open invoice can be paid. */
export type ProviderPage = { url: string }
