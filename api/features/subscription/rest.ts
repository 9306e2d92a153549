import { CheckoutSession, CreateCheckoutInput, Plan, Subscription } from '@flashsheet/contracts/subscription/schema'
import { z } from 'zod'
import { row, rowFor, webhookRow, type RestRow } from '../../core/rest.ts'
import { cancelSubscription, getCurrentSubscription, listPlans, reactivateSubscription } from './service/current.ts'
import { createCheckout } from './service/subscribe.ts'
import { stripeWebhook } from './webhook.ts'

const verified = rowFor('verified', 'never')

export const subscriptionRest: readonly RestRow[] = [
  verified('POST /api/subscriptions/create-checkout-session', {
    input: CreateCheckoutInput,
    answer: CheckoutSession,
    run: createCheckout,
  }),
  verified('GET /api/subscriptions/current', { answer: Subscription, run: getCurrentSubscription }),
  verified('POST /api/subscriptions/cancel', { answer: Subscription, run: cancelSubscription }),
  verified('POST /api/subscriptions/reactivate', { answer: Subscription, run: reactivateSubscription }),
  row('GET /api/subscriptions/plans', 'public', 'any', { answer: z.array(Plan), run: async (ctx) => listPlans(ctx) }),
  webhookRow('POST /api/webhooks/stripe', stripeWebhook),
]
